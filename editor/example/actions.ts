import type { DocumentSummary } from '../../example/api.ts';
import { t } from '../strings/strings.ts';
import { refresh } from './documents.ts';
import { me } from './me.ts';
import { server } from './server.ts';
import { documentRoute, go } from './shell/route.tsx';
import { tell, tellProblem } from './shell/toasts.tsx';

const who = (): string => me.value?.id ?? '';

/** Runs what may fail; what went wrong is told. Resolves with null then. */
async function attempt<Result>(task: () => Promise<Result>): Promise<Result | null> {
  try {
    return await task();
  } catch (error) {
    tellProblem(error);
    return null;
  }
}

/** Makes a document and opens it. */
export async function createDocument(template: string, title: string): Promise<void> {
  const made = await attempt(() => server.create(who(), template, title));
  if (made) go(documentRoute(made.id));
}

/** Renames a document; resolves with whether it has the new name. */
export async function renameDocument(id: string, title: string): Promise<boolean> {
  const renamed = await attempt(() => server.rename(who(), id, title));
  if (!renamed) return false;
  tell(t('example.renamed', { title: renamed.title }));
  await refresh();
  return true;
}

/** Deletes a document and offers to take that back. */
export async function deleteDocument({ id, title }: DocumentSummary): Promise<boolean> {
  const deleted = await attempt(() => server.delete(who(), id));
  if (!deleted) return false;
  tell(t('example.deleted', { title }), { label: t('example.undo'), run: () => void bringBack(id) });
  await refresh();
  return true;
}

/** Brings a deleted document back. */
export async function bringBack(id: string): Promise<void> {
  const back = await attempt(() => server.undelete(who(), id));
  if (!back) return;
  tell(t('example.restoredDocument', { title: back.title }));
  await refresh();
}

/** Puts an earlier version on top; resolves with whether that was done. */
export async function restoreVersion(id: string, version: number): Promise<boolean> {
  const restored = await attempt(() => server.restore(who(), id, version));
  if (restored) tell(t('example.restored', { number: version }));
  return restored !== null;
}

/** Stores what an editor offers as a copy, and offers to open it. */
export async function saveCopy(copy: { url: string; title: string; fileType: string }): Promise<void> {
  const made = await attempt(() => server.saveCopy(who(), copy));
  if (!made) return;
  const open = { label: t('example.openIt'), run: () => go(documentRoute(made.id)) };
  tell(t('example.copySaved', { title: made.title }), open);
}
