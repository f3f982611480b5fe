import type { DocumentClient } from '../../client/document-client.ts';
import { nameOfServiceError } from '../frame/error-codes.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';

/**
 * Shows the server's warnings in the person's language, and passes them on to the embedding page. `download` gives the
 * person a copy of the document; null while there is none.
 */
export function followWarnings(
  client: DocumentClient,
  host: HostBridge,
  download: () => (() => void) | null,
): () => void {
  return client.on('warning', ({ code, message }) => {
    const name = code === undefined || code === null ? 'unknown' : nameOfServiceError(code);
    if (name !== 'unknown') {
      reportToHost(host, name);
      const run = name === 'storageConflict' ? download() : null;
      notify({
        ...{ text: describeCode(name), kind: 'warning', topic: 'server-warning', stays: true },
        ...(run && { action: { label: t('toolbar.download'), run } }),
      });
    } else if (typeof message === 'string')
      notify({ text: message, kind: 'warning', topic: 'server-warning' });
  });
}
