import type { Node } from 'prosemirror-model';
import type { StringKey } from '../../../strings/strings.ts';

/** How content is shown that the model only carries along. */
type OpaqueLook =
  /** The reference to a note: its number. */
  | 'note'
  /** A picture of it. */
  | 'picture'
  /** The text that it results in, as if it were text of the document. */
  | 'text'
  /** A box that names it. */
  | 'box'
  /** Nothing: it has no look of its own. */
  | 'hidden';

const hidden = new Set([
  'w:fldChar',
  'w:instrText',
  'w:delInstrText',
  'w:footnoteRef',
  'w:endnoteRef',
  'w:annotationRef',
  'w:commentReference',
  'w:separator',
  'w:continuationSeparator',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:proofErr',
  'w:sectPr',
  'w:subDoc',
]);

/** Elements whose label is their text, as a reader of the document would see it. */
const textual = new Set([
  'field',
  'w:fldSimple',
  'w:sdt',
  'w:smartTag',
  'w:customXml',
  'w:hyperlink',
  'w:ins',
  'w:moveTo',
  'w:ruby',
  'w:sym',
  'w:ptab',
  'w:pgNum',
  'w:dayLong',
  'w:dir',
  'w:bdo',
  'w:r',
  'w:p',
]);

/** How a node is shown that the model only carries along. */
export function opaqueLook(node: Node): OpaqueLook {
  const { kind, label, ref, picture } = node.attrs;
  if (/^w:(?:foot|end)noteReference$/.test(kind) && ref !== null) return 'note';
  if (picture !== null) return 'picture';
  if (hidden.has(kind)) return 'hidden';
  if (node.isInline && textual.has(kind)) return label === '' && kind !== 'w:ptab' ? 'hidden' : 'text';
  return 'box';
}

const names: readonly (readonly [RegExp, StringKey])[] = [
  [/^m:/, 'view.formula'],
  [/^(?:w:drawing|w:pict|mc:AlternateContent|v:)/, 'view.drawing'],
  [/^(?:w:object|o:)/, 'view.object'],
  [/^w:(?:sdt|customXml)$/, 'view.contentControl'],
  [/^(?:field|w:fldSimple)$/, 'view.field'],
  [/^w:tbl$/, 'view.table'],
  [/^w:altChunk$/, 'view.insertedFile'],
  [/^w:(?:moveFrom|del)$/, 'view.deletedContent'],
];

/** What a reader would call it. */
export function opaqueName(kind: string): StringKey {
  return names.find(([pattern]) => pattern.test(kind))?.[1] ?? 'view.otherContent';
}
