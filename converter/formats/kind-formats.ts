import type { DocumentRow } from '../../db/document-row.ts';
import type { ConversionTable } from './conversion-table.ts';

/** Formats that the word processor's engine reads and writes itself, keeping what it does not know. */
const ownTypes: ReadonlySet<string> = new Set(['docx', 'docm', 'dotx', 'dotm']);

/** Formats of text documents (integration API, 9.5) that may be edited as a docx, where an engine makes one of them. */
const otherTypes: ReadonlySet<string> = new Set(
  `doc dot odt ott fodt rtf txt md html htm mht mhtml xml epub fb2 hwp hwpx pages stw sxw wps wpt`.split(' '),
);

/** The format in which the word processor edits what is of another. */
export const baseType = 'docx';

/** The blob on which the changes of a document of the word processor are based, once it is open. */
export const wordBaseOf = ({ baseHash, sourceHash }: Pick<DocumentRow, 'baseHash' | 'sourceHash'>): string =>
  baseHash ?? sourceHash!;

type Table = Pick<ConversionTable, 'handles'>;

export const isOwnType = (fileType: string): boolean => ownTypes.has(fileType);

/** Whether files of a type can be opened in the word processor with the engines that there are. */
export function opensInWord(fileType: string, table: Table): boolean {
  return isOwnType(fileType) || (otherTypes.has(fileType) && table.handles(fileType, baseType));
}

/** Whether a changed document can be written in this type again. */
export function isWrittenAs(fileType: string, table: Table): boolean {
  return isOwnType(fileType) || (otherTypes.has(fileType) && table.handles(baseType, fileType));
}

/**
 * The type in which a document of the word processor is saved when it has changes: its own where that can be written,
 * unless Office Open XML is wanted of everything (`keepsType` false).
 */
export function savedWordType(fileType: string, keepsType: boolean, table: Table): string {
  return isOwnType(fileType) || (keepsType && isWrittenAs(fileType, table)) ? fileType : baseType;
}
