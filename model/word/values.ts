import { type AttributeCheck, accepts, integer, matching, oneOf, text } from './attributes.ts';

/**
 * Values that a docx may hold, by the simple types of ECMA-376 Part 1. Word calls a file damaged when an enumeration
 * has a value it does not know, so these are closed lists.
 */

/** 17.18.44 ST_Jc */
export const alignment = oneOf([
  'left',
  'center',
  'right',
  'both',
  'distribute',
  'start',
  'end',
  'mediumKashida',
  'highKashida',
  'lowKashida',
  'thaiDistribute',
  'numTab',
]);
/** 17.18.48 ST_LineSpacingRule */
export const lineRule = oneOf(['auto', 'exact', 'atLeast']);
/** 17.18.99 ST_Underline */
export const underlineStyle = oneOf([
  'single',
  'words',
  'double',
  'thick',
  'dotted',
  'dottedHeavy',
  'dash',
  'dashedHeavy',
  'dashLong',
  'dashLongHeavy',
  'dotDash',
  'dashDotHeavy',
  'dotDotDash',
  'dashDotDotHeavy',
  'wave',
  'wavyHeavy',
  'wavyDouble',
  'none',
]);
/** 17.18.40 ST_HighlightColor */
export const highlightColor = oneOf([
  'black',
  'blue',
  'cyan',
  'green',
  'magenta',
  'red',
  'yellow',
  'white',
  'darkBlue',
  'darkCyan',
  'darkGreen',
  'darkMagenta',
  'darkRed',
  'darkYellow',
  'darkGray',
  'lightGray',
  'none',
]);
/** 22.9.2.17 ST_VerticalAlignRun */
export const verticalAlign = oneOf(['baseline', 'superscript', 'subscript']);
/** 17.18.4 ST_BrType */
export const breakType = oneOf(['page', 'column', 'textWrapping']);
/** 17.18.38 ST_HexColor */
export const hexColor = matching(/^(?:auto|[0-9A-Fa-f]{6})$/);
/** 17.18.10 ST_DecimalNumber, as far as an id goes */
export const decimalId = matching(/^[0-9]{1,10}$/);
/** 17.18.9 ST_DateTime */
export const dateTime = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?(?:Z|[+-]\d\d:\d\d)?$/);

/** 17.18.45 ST_JcTable, the three that differ */
export const tableAlignment = oneOf(['left', 'center', 'right']);
/** 17.18.101 ST_VerticalJc, as far as cells have it */
export const cellAlignment = oneOf(['top', 'center', 'bottom']);

/** Twentieths of a point; Word's own limit is 22 inches. */
export const signedTwips = integer(-31_680, 31_680);
export const twips = integer(0, 31_680);
export const halfPoints = integer(1, 3_276);
/** English Metric Units, 914,400 to the inch. */
export const emu = integer(0, 27_273_042_316_900);
export const listLevel = integer(0, 8);
export const name = text(255);
/** Ids of nodes: the reader's are a letter and an ordinal, an editor's should begin with its client id. */
export const nodeId = matching(/^[A-Za-z0-9_.:-]{1,80}$/);

/**
 * A list that a paragraph belongs to: the number of a numbering definition of the file, or a new list that names
 * what it wants to be and a tag of its own, as in `new-bullet-7f3a`. All paragraphs with the same text are one list;
 * the definition itself is made when the file is written, so a replica needs nothing but the log.
 */
export const NEW_LIST = /^new-(bullet|decimal|alpha|roman|outline)-([A-Za-z0-9]{1,32})$/;
export const listId = matching(
  /^(?:[0-9]{1,10}|new-(?:bullet|decimal|alpha|roman|outline)-[A-Za-z0-9]{1,32})$/,
);

/** A picture's path in the model: `media/` and a plain file name. */
export const mediaPath = matching(/^media\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$/);

/** A comment's number in the file, or a letter and a tag for a new one. */
export const commentRef = matching(/^(?:[0-9]{1,10}|[A-Za-z][A-Za-z0-9-]{0,63})$/);
export const initials = text(9);

/** What was decided on tracked changes of the file that are not of text: of properties, of a place, of opaque content. */
export const decision = oneOf(['accepted', 'rejected']);

/** Who tracked a change, and when: `{author, date}`. */
export const revision: AttributeCheck = (value) => {
  const { author, date, ...others } = (value ?? {}) as Record<string, unknown>;
  const known = Object.keys(others).length === 0 && accepts(name, author);
  if (!known || (date !== null && !accepts(dateTime, date))) throw new RangeError('expected {author, date}');
};
