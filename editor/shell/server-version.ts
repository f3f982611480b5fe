import type { DocumentClient } from '../../client/document-client.ts';
import type { ServerMessage } from '../../client/protocol/server-messages.ts';
import { protocolVersion } from '../../client/protocol/version.ts';
import { notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';

const topic = 'server-version';

/** Offers to load the page anew when the server turns out to be of another version than this page. */
export function followServerVersion(client: DocumentClient): () => void {
  return client.on('message', (message) => {
    if (!isOfAnother(message)) return;
    const action = { label: t('word.reload'), run: reloadPage };
    notify({ text: t('word.otherServer'), kind: 'warning', topic, stays: true, action });
  });
}

/** Loads the page of the server's version; the embedding page sends its configuration again. */
export const reloadPage = (): void => location.reload();

function isOfAnother(message: ServerMessage): boolean {
  if (message.type !== 'license') return false;
  const { buildVersion, buildNumber, quireVersion } = message.license;
  const { version, build } = protocolVersion;
  if (quireVersion !== undefined) return quireVersion !== `${version}.${build}`;
  return (
    (buildVersion !== undefined && buildVersion !== version) ||
    (buildNumber !== undefined && buildNumber !== build)
  );
}
