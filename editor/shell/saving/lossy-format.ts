import { cellKind, isOfKind, kinds, nativeTypeOf, ownTypesOf, wordKind } from '../../../model/kinds.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import { notify } from '../../kit/notices.tsx';
import { type StringKey, t } from '../../strings/strings.ts';

/** Formats that are written back with every byte that nobody touched. */
const isWhole = (type: string): boolean => kinds.edited.some((kind) => ownTypesOf(kind).includes(type));
const pages: ReadonlySet<string> = new Set('html htm mht mhtml epub fb2 md'.split(' '));
/** Of a workbook these have the values of one sheet. */
const tables: ReadonlySet<string> = new Set(['csv', 'tsv']);

/** Formats that every engine reads and none writes: such a document comes back as the native type of its kind. */
const onlyRead: ReadonlySet<string> = new Set('mht mhtml stw sxc sxw xlsb xml'.split(' '));

/** The type that a changed document of this type comes back as. */
export function writtenType(fileType: string): string {
  const type = fileType.toLowerCase();
  if (!onlyRead.has(type)) return type;
  return nativeTypeOf(isOfKind(cellKind, type) ? cellKind : wordKind);
}

/** Says what a document of a type loses when it is changed and written back; null where nothing is, or no type is known. */
export function lossOf(fileType: string): StringKey | null {
  const type = fileType.toLowerCase();
  if (type === '' || isWhole(type)) return null;
  if (type === 'txt') return 'saving.lossText';
  if (tables.has(type)) return 'saving.lossTable';
  if (!pages.has(type) && isOfKind(cellKind, type)) return 'saving.lossSheet';
  return pages.has(type) ? 'saving.lossPage' : 'saving.lossOffice';
}

/** So many documents are remembered in a browser, the last ones. */
const mostTold = 200;
const storageKey = 'quire-told-of-loss';

/**
 * Whether somebody has not been told of a document in this browser; from now on they have. Where nothing can be kept they are told
 * each time.
 */
export function isFirstTime(
  documentKey: string,
  userId: string,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): boolean {
  const one = `${userId} ${documentKey}`;
  try {
    const told = JSON.parse(storage.getItem(storageKey) ?? '[]') as string[];
    if (told.includes(one)) return false;
    storage.setItem(storageKey, JSON.stringify([...told, one].slice(-mostTold)));
  } catch {
    // A frame of another site may be refused storage.
  }
  return true;
}

/** Tells somebody who may edit, before they do, what the format of the document will lose. */
export function tellOfLoss({ document, editorConfig }: FrameConfig): void {
  const loss = lossOf(document.fileType);
  if (loss === null || !isFirstTime(document.key, editorConfig.user.id, keptHere)) return;
  const text = t(loss, { type: writtenType(document.fileType) });
  notify({ text, kind: 'warning', topic: 'lossy-format', stays: true });
}

/** A browser may refuse the very name of the storage. */
const keptHere = {
  getItem: (name: string) => localStorage.getItem(name),
  setItem: (name: string, value: string) => localStorage.setItem(name, value),
};
