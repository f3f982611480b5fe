import { notify } from '../kit/notices.tsx';
import { copyOf } from '../shell/download.ts';
import { t } from '../strings/strings.ts';
import type { Viewer } from './viewer.ts';

/** Opens the PDF that the server gives for printing; who may not print is told so. */
export async function printPages(viewer: Viewer): Promise<void> {
  if (!viewer.role.canPrint) {
    notify({ text: t('viewer.noPrint'), kind: 'info' });
    return;
  }
  const copy = await copyOf(viewer, { isPrinted: true });
  if (!copy) return;
  const link = document.createElement('a');
  Object.assign(link, { href: copy.url, target: '_blank', rel: 'noopener' });
  link.click();
}
