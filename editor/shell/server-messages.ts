import { effect } from '@preact/signals';
import type { DocumentClient } from '../../client/document-client.ts';
import type { ServerMessage } from '../../client/protocol/server-messages.ts';
import { ownVersion } from '../../client/protocol/version.ts';
import { nameOfServiceError } from '../frame/error-codes.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import { describeCode, reportToHost } from '../frame/host-report.ts';
import { announce } from '../kit/announce.tsx';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { tellOtherVersion, versionTopic } from '../kit/other-version.ts';
import { t } from '../strings/strings.ts';
import type { OpenDocument } from './document-editor.ts';

const warningTopic = 'server-warning';

/** Offers to load the page anew when the server turns out to be of another version than this page, as long as it is. */
export function followServerVersion(client: Pick<DocumentClient, 'on'>): () => void {
  return client.on('message', (message) => {
    if (message.type !== 'license') return;
    if (isOfAnother(message)) tellOtherVersion();
    else dismissNotice(versionTopic);
  });
}

/** A server that says nothing of itself is of before servers did. */
const isOfAnother = ({ license }: ServerMessage & { type: 'license' }): boolean =>
  license.quireVersion !== ownVersion;

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
        ...{ text: describeCode(name), kind: 'warning', topic: warningTopic, stays: true },
        ...(run && { action: { label: t('toolbar.download'), run } }),
      });
    } else if (typeof message === 'string') notify({ text: message, kind: 'warning', topic: warningTopic });
  });
}

/** Follows the document's title: the page's name is it, and other people may change it. */
export function followTitle({ title: shown, client, host }: OpenDocument): () => void {
  const stopNaming = effect(() => {
    document.title = shown.value;
  });
  const stopListening = client.on('meta', ({ title }) => {
    if (typeof title !== 'string' || title === shown.value) return;
    shown.value = title;
    host.send('onMetaChange', { title });
    announce(t('page.renamed', { title }));
  });
  return () => {
    stopNaming();
    stopListening();
  };
}
