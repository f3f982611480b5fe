import { columnNumber, sheetColumns, sheetRows } from '../cell-address.ts';

/**
 * What formulas are made of. `sheet` ends with `!`, `columns` is `A:B`, `rows` is `1:2`, `bracket` begins with `[` and holds
 * everything up to its end, `other` is one character.
 */
export type TokenKind =
  | 'text'
  | 'sheet'
  | 'error'
  | 'columns'
  | 'rows'
  | 'cell'
  | 'number'
  | 'name'
  | 'bracket'
  | 'space'
  | 'other';

export interface FormulaToken {
  readonly kind: TokenKind;
  readonly text: string;
}

const WORD = '[\\p{L}_\\\\][\\p{L}\\p{N}_.\\\\?]*';
const OTHER_BOOK = '(?:\\[[^\\[\\]]*\\])?';
const CELL = '\\$?[A-Za-z]{1,3}\\$?\\d{1,7}';
const END = '(?![\\p{L}\\p{N}_.(!])';

const kinds: readonly [TokenKind, string][] = [
  ['text', '"(?:[^"]|"")*"'],
  ['sheet', "'(?:[^']|'')*'!"],
  // In `Sheet2!A1:Sheet2!B2` the cell is one; `Q1:Q4!B2` is about sheets.
  ['sheet', `${OTHER_BOOK}(?!${CELL}:(?!${CELL}!))(?:${WORD}|\\d[\\p{L}\\p{N}_.]*)(?::${WORD})?!`],
  ['sheet', '\\[\\d+\\]!'],
  ['error', '#(?:[Nn]/[Aa]|[Nn]/[Ii][Mm][Pp][Ll]!|[Dd][Ii][Vv]/0!|[A-Za-z_]+[!?])'],
  ['columns', `\\$?[A-Za-z]{1,3}:\\$?[A-Za-z]{1,3}${END}`],
  ['rows', `\\$?\\d{1,7}:\\$?\\d{1,7}${END}`],
  ['cell', `${CELL}${END}`],
  ['number', '(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[Ee][+-]?\\d+)?'],
  ['name', WORD],
  ['bracket', '\\['],
  ['space', '[\\s\\u00a0]+'],
  ['other', '[\\s\\S]'],
];
const pattern = new RegExp(kinds.map(([, source]) => `(${source})`).join('|'), 'uy');

/** The tokens of a formula without its `=`; put together they are the formula again. */
export function formulaTokens(formula: string): FormulaToken[] {
  const tokens: FormulaToken[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < formula.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(formula)!;
    const kind = kinds[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0];
    if (kind === 'bracket') pattern.lastIndex = bracketEnd(formula, start);
    const text = formula.slice(start, pattern.lastIndex);
    tokens.push({ kind: kind === 'cell' && !isCell(text) ? 'name' : kind, text });
  }
  return tokens;
}

/** Where the bracket that begins at `start` ends. An apostrophe takes its meaning from the character behind it. */
export function bracketEnd(formula: string, start = 0): number {
  let depth = 0;
  for (let at = start; at < formula.length; at++) {
    const character = formula[at];
    if (character === "'") at += 1;
    else if (character === '[') depth += 1;
    else if (character === ']' && --depth === 0) return at + 1;
  }
  return formula.length;
}

function isCell(text: string): boolean {
  const { column, row } = cellOf(text);
  return column <= sheetColumns && row >= 1 && row <= sheetRows;
}

export interface CellReference {
  readonly column: number;
  readonly row: number;
  readonly fixedColumn: boolean;
  readonly fixedRow: boolean;
}

/** Reads a token of the kind `cell`. */
export function cellOf(text: string): CellReference {
  const [, fixedColumn, letters, fixedRow, digits] = /^(\$?)([A-Za-z]+)(\$?)(\d+)$/.exec(text)!;
  return {
    column: columnNumber(letters!),
    row: Number(digits),
    fixedColumn: fixedColumn !== '',
    fixedRow: fixedRow !== '',
  };
}

/** The name of a sheet as formulas write it, with `!`. */
export function sheetPrefix(name: string): string {
  return `'${name.replaceAll("'", "''")}'!`;
}

/** The name, or the first and last name, in a token of the kind `sheet`. `book` is set when it is of another workbook. */
export function sheetNames(text: string): { book: boolean; first: string; last?: string } {
  let name = text.slice(0, -1);
  if (name.startsWith("'")) name = name.slice(1, -1).replaceAll("''", "'");
  const book = name.includes('[');
  const [first, last] = name.split(':');
  return { book, first: first!, ...(last !== undefined && { last }) };
}
