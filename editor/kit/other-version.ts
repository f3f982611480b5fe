import { t } from '../strings/strings.ts';
import { notify } from './notices.tsx';

/** Of the notice that the server is of another version than this page. */
export const versionTopic = 'server-version';

/** Loads the page of the server's version; the embedding page sends its configuration again. */
export const reloadPage = (): void => location.reload();

/** Offers to load the page anew. Until then one can go on with what is there. */
export function tellOtherVersion(): void {
  const action = { label: t('page.reload'), run: reloadPage };
  notify({ text: t('page.otherServer'), kind: 'warning', topic: versionTopic, stays: true, action });
}

/**
 * Whether the server has other files than those of this page by now: the name of its first script, too, changes with any of the files
 * that come later.
 */
export async function isOfGoneVersion(): Promise<boolean> {
  const { src } = document.querySelector<HTMLScriptElement>('script[type="module"]')!;
  const { status } = await fetch(src, { method: 'HEAD', cache: 'no-store' }).catch(() => ({ status: 0 }));
  return status === 404;
}
