import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { downloadForHost } from '../saving/download.ts';
import type { WordEditor } from '../word-editor.ts';
import { requestClose } from './request-close.ts';

/** Does what the embedding page tells the editor to do (integration API, 5.2). Returns how to stop. */
export function followHost(editor: WordEditor): () => void {
  const { host } = editor;
  const stops = [
    host.on('showMessage', ({ msg }) => notify({ text: msg, kind: 'info' })),
    host.on('processRightsChange', ({ enabled, message }) => {
      if (enabled) return;
      editor.denyEditing();
      notify({ text: message || t('word.rightsRevoked'), kind: 'warning', stays: true });
    }),
    host.on('applyEditRights', ({ allowed, message }) => {
      if (!allowed) notify({ text: message || t('word.rightsRevoked'), kind: 'warning' });
    }),
    host.on('requestClose', () => requestClose(editor)),
    host.on('downloadAs', (fileType) => void downloadForHost(editor, fileType)),
    host.on('setFavorite', ({ favorite }) => host.send('onMetaChange', { favorite })),
    host.on('grabFocus', () => editor.view?.focus()),
    host.on('blurFocus', () => editor.view?.dom.blur()),
    host.on('setActionLink', ({ url }) => {
      navigator.clipboard?.writeText(url).then(
        () => announce(t('saving.copied')),
        () => notify({ text: url, kind: 'info', stays: true }),
      );
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
