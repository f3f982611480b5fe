import type { DocumentClient } from '../../client/document-client.ts';
import { nameOfServiceError } from '../frame/error-codes.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { notify } from '../kit/notices.tsx';

/** Shows the server's warnings in the person's language, and passes them on to the embedding page. */
export function followWarnings(client: DocumentClient, host: HostBridge): () => void {
  return client.on('warning', ({ code, message }) => {
    const name = code === undefined || code === null ? 'unknown' : nameOfServiceError(code);
    if (name !== 'unknown') {
      reportToHost(host, name);
      notify({ text: describeCode(name), kind: 'warning', topic: 'server-warning', stays: true });
    } else if (typeof message === 'string')
      notify({ text: message, kind: 'warning', topic: 'server-warning' });
  });
}
