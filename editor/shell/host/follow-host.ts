import { effect } from '@preact/signals';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { type DocumentEditor, openDialog } from '../document-editor.ts';
import { downloadForHost } from '../download.ts';

/** What the embedding page is asked of people for their pictures. */
const info = 'info';
const shownInPages = /^(?:https?:\/\/|data:image\/)/i;

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

/** Asks the embedding page once for the picture of everybody who comes, if it can tell. Returns how to stop. */
function askForPortraits({ host, facts, config, people }: DocumentEditor): () => void {
  if (!config.editorConfig.canRequestUsers) return () => undefined;
  const asked = new Set(facts.portraits.peek().keys());
  return effect(() => {
    const ids = people.value.map(({ userId }) => userId);
    const unknown = [...new Set(ids)].filter((id) => id !== '' && !asked.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) asked.add(id);
    host.send('onRequestUsers', { c: info, id: unknown });
  });
}

/** The embedding page's answer. */
function takePortraits({ facts }: DocumentEditor, { c, users }: HostCommandData<'setUsers'>): void {
  if (c !== info) return;
  const portraits = new Map(facts.portraits.peek());
  for (const { id, image } of users) {
    if (id !== undefined && image !== undefined && shownInPages.test(image)) portraits.set(id, image);
  }
  facts.portraits.value = portraits;
}
