import { notify } from '../kit/notices.tsx';
import { downloadForHost } from '../shell/download.ts';
import { askForPortraits, takePortraits } from '../shell/host/portraits.ts';
import { t } from '../strings/strings.ts';
import type { Viewer } from './viewer.ts';

/** Does what the embedding page tells the viewer to do (integration API, 5.2). Returns how to stop. */
export function followHost(viewer: Viewer): () => void {
  const { host, facts, role } = viewer;
  const stops = [
    askForPortraits(viewer),
    host.on('showMessage', ({ msg }) => notify({ text: msg, kind: 'info' })),
    host.on('applyEditRights', ({ allowed, message }) => {
      if (!allowed) notify({ text: message || t('host.noEditRights'), kind: 'warning' });
    }),
    host.on('downloadAs', (fileType) => {
      if (role.canDownload) void downloadForHost(viewer, fileType);
    }),
    host.on('setFavorite', ({ favorite }) => {
      facts.favorite.value = favorite;
    }),
    host.on('setUsers', (data) => takePortraits(viewer, data)),
    host.on('setSharingSettings', ({ sharingSettings }) => {
      facts.sharing.value = sharingSettings;
    }),
    host.on('showSharingSettings', ({ sharingSettings }) => {
      facts.sharing.value = sharingSettings;
      viewer.showsAccess.value = true;
    }),
    host.on('grabFocus', () => viewer.pages.peek()?.focus()),
    host.on('blurFocus', () => (document.activeElement as HTMLElement | null)?.blur()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
