import { kinds } from '../../model/kinds.ts';

/** Types of the documented matrix (integration API, 9.5) that conversions take for another kind than pages do, or alone know. */
const kindOfFurther: Readonly<Record<string, string>> = {
  oform: 'word',
  slk: 'cell',
  fodg: 'slide',
  otg: 'slide',
};

const imageTypes: ReadonlySet<string> = new Set(['bmp', 'gif', 'jpg', 'png', 'tiff']);

/** Output types that stand for the fitting type of a kind, or for a flavour of one. */
const pseudoTypes: ReadonlySet<string> = new Set(['ooxml', 'odf', 'pdfa']);

/** The name of the kind of documents that files of a type are, as far as conversions are concerned; undefined for every other type. */
export const kindOfType = (type: string): string | undefined =>
  kindOfFurther[type] ?? kinds.ofType(type)[0]?.name;

export const isImage = (type: string): boolean => imageTypes.has(type);

/** Whether a file of this type does not say in which encoding it is. */
export const isPlain = (type: string): boolean => ['txt', 'csv', 'tsv'].includes(type);

/** Whether a source can be called this. */
export const isSourceType = (type: string): boolean => kindOfType(type) !== undefined;

/** Whether a result can be asked for by this name. */
export const isOutputType = (type: string): boolean =>
  isSourceType(type) || isImage(type) || pseudoTypes.has(type);
