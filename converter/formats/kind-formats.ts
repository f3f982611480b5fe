import type { DocumentRow } from '../../db/document-row.ts';
import { type Kind, kinds, nativeTypeOf, ownTypesOf } from '../../model/kinds.ts';
import type { ConversionTable } from './conversion-table.ts';

type Table = Pick<ConversionTable, 'handles'>;

/** The blob on which the changes of a document with a model of ours are based, once it is open. */
export const baseOf = ({ baseHash, sourceHash }: Pick<DocumentRow, 'baseHash' | 'sourceHash'>): string =>
  baseHash ?? sourceHash!;

/**
 * The type of the file that is edited in place of a source of another format.
 * @param document with its model, or the type of its source where its model is not known here
 */
export function baseTypeOf({ model, fileType }: { model?: string | null; fileType: string }): string {
  const kind = kinds.ofModel(model) ?? kinds.ofType(fileType)[0];
  return kind ? nativeTypeOf(kind) : fileType;
}

/** Whether the engine of a kind reads and writes files of a type itself, keeping what it does not know. */
export const isOwnType = (kind: Kind, fileType: string): boolean => ownTypesOf(kind).includes(fileType);

/** Whether files of a type can be opened in the model of a kind with the engines that there are. */
export function opensAs(kind: Kind, fileType: string, table: Table): boolean {
  return (
    isOwnType(kind, fileType) ||
    (kind.otherTypes.includes(fileType) && table.handles(fileType, nativeTypeOf(kind)))
  );
}

/** Whether a changed document of a kind can be written in this type again. */
export function isWrittenAs(kind: Kind, fileType: string, table: Table): boolean {
  return (
    isOwnType(kind, fileType) ||
    (kind.otherTypes.includes(fileType) && table.handles(nativeTypeOf(kind), fileType))
  );
}

/**
 * The type in which a document of a kind is saved when it has changes: its own where that can be written, unless the native
 * type is wanted of everything (`keepsType` false).
 */
export function savedTypeOf(kind: Kind, fileType: string, keepsType: boolean, table: Table): string {
  const keeps = isOwnType(kind, fileType) || (keepsType && isWrittenAs(kind, fileType, table));
  return keeps ? fileType : nativeTypeOf(kind);
}

/** The format in which a document is shown that is only looked at. */
export const shownType = 'pdf';

/** Whether files of a type can be shown as pages with the engines that there are. */
export const isShown = (fileType: string, table: Pick<ConversionTable, 'handles'>): boolean =>
  fileType === shownType || table.handles(fileType, shownType);
