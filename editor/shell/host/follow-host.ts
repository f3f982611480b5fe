import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { type DocumentEditor, openDialog } from '../document-editor.ts';
import { downloadForHost } from '../download.ts';
import { askForPortraits, takePortraits } from './portraits.ts';

/** Does what the embedding page tells any editor to do (integration API, 5.2). Returns how to stop. */
export function followHost(editor: DocumentEditor): () => void {
  const { host, facts } = editor;
  const stops = [
    askForPortraits(editor),
    host.on('showMessage', ({ msg }) => notify({ text: msg, kind: 'info' })),
    host.on('applyEditRights', ({ allowed, message }) => {
      if (!allowed) notify({ text: message || t('host.noEditRights'), kind: 'warning' });
    }),
    host.on('downloadAs', (fileType) => {
      if (editor.role.canDownload) void downloadForHost(editor, fileType);
    }),
    host.on('setFavorite', ({ favorite }) => {
      facts.favorite.value = favorite;
    }),
    host.on('setUsers', (data) => takePortraits(editor, data)),
    host.on('setSharingSettings', ({ sharingSettings }) => {
      facts.sharing.value = sharingSettings;
    }),
    host.on('showSharingSettings', ({ sharingSettings }) => {
      facts.sharing.value = sharingSettings;
      openDialog(editor, 'sharing');
    }),
    host.on('grabFocus', () => editor.focus()),
    host.on('blurFocus', () => (document.activeElement as HTMLElement | null)?.blur()),
    host.on('setActionLink', ({ url }) => copyLink(url)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A browser that refuses to copy leaves it to the person. */
function copyLink(url: string): void {
  if (url === '') return;
  const show = () => notify({ text: url, kind: 'info', stays: true });
  if (!navigator.clipboard) return void show();
  navigator.clipboard.writeText(url).then(() => {
    announce(t('host.linkCopied'));
    notify({ text: t('host.linkCopied'), kind: 'info' });
  }, show);
}
