import { columnName, columnNumber, sheetColumns, sheetRows } from '../cell-address.ts';
import { cellOf, type FormulaToken, sheetNames } from './formula-tokens.ts';
import { everyColumn, everyRow, type LinkedRange } from './linked-sheets.ts';
import type { Place } from './structured-reference.ts';

/** Whether tokens are one reference to cells. */
export const isReference = (tokens: readonly FormulaToken[]): boolean =>
  tokens.every(({ kind, text }) => ['sheet', 'cell', 'columns', 'rows'].includes(kind) || text === ':');

/** Whether a cell is the beginning of a range whose end is no cell that is written, as in `A1:INDEX(A:A,9)`. */
export const endsCalculated = (tokens: readonly FormulaToken[], at: number): boolean =>
  tokens[at + 1]?.text === ':' && tokens[at + 2]?.kind !== 'cell' && tokens[at + 2]?.kind !== 'sheet';

/**
 * Whether a sheet is said once more before the other corner of a range, as in `Sheet1!A1:Sheet1!B2`.
 *
 * @param own the sheet that is meant where none is said
 */
export function isRepeated(tokens: readonly FormulaToken[], at: number, own: string): boolean {
  const { first, last } = sheetNames(tokens[at]!.text);
  const isBehind = tokens[at - 1]?.text === ':' && tokens[at - 2]?.kind === 'cell';
  if (last !== undefined || !isBehind || tokens[at + 1]?.kind !== 'cell') return false;
  const before = tokens[at - 3];
  const sheet = before?.kind === 'sheet' ? sheetNames(before.text).first : own;
  return sheet.toLowerCase() === first.toLowerCase();
}

/** Whether a name has a space between it and the parenthesis behind it. */
export const isSpacedCall = (tokens: readonly FormulaToken[], at: number): boolean =>
  tokens[at + 1]?.kind === 'space' && tokens[at + 2]?.text === '(';

/** A cell or range, and of how many tokens it is made. */
export interface RangeTokens {
  readonly range: string;
  readonly used: number;
}

/** The cell or range that begins at a token; null where none does. */
export function rangeAt(tokens: readonly FormulaToken[], index: number): RangeTokens | null {
  const [first, colon, last] = tokens.slice(index, index + 3);
  if (first?.kind === 'columns' || first?.kind === 'rows') return { range: first.text, used: 1 };
  if (first?.kind !== 'cell') return null;
  if (colon?.text !== ':' || last?.kind !== 'cell') return { range: first.text, used: 1 };
  return { range: `${first.text}:${last.text}`, used: 3 };
}

/** What `ANCHORARRAY(…)` is written as, from the token behind the parenthesis; null where no cell stands there. */
export function spillRange(tokens: readonly FormulaToken[], index: number): RangeTokens | null {
  const end = tokens.findIndex(({ text }, at) => at >= index && text === ')');
  const inside = tokens.slice(index, end);
  const isCell =
    inside.at(-1)?.kind === 'cell' && inside.every(({ kind }) => kind === 'cell' || kind === 'sheet');
  if (end < 0 || !isCell) return null;
  return { range: `${inside.map(({ text }) => text).join('')}#`, used: inside.length };
}

/** Whether a reference may end with a token. */
export function endsReference(token: FormulaToken | undefined): boolean {
  return (
    token !== undefined &&
    (['cell', 'columns', 'rows', 'bracket', 'name'].includes(token.kind) || token.text === ')')
  );
}

/** Whether a reference may begin with a token. */
export function beginsReference(token: FormulaToken | undefined): boolean {
  return (
    token !== undefined &&
    (['cell', 'columns', 'rows', 'sheet', 'name'].includes(token.kind) || token.text === '(')
  );
}

/** The tokens of a name, whose relative references are meant from A1, as they are meant at a place. */
export function moved(tokens: readonly FormulaToken[], { row, column }: Place): readonly FormulaToken[] {
  return tokens.map((token) => {
    if (token.kind !== 'cell') return token;
    const cell = cellOf(token.text);
    if (cell.fixedColumn && cell.fixedRow) return token;
    const at = {
      column: cell.fixedColumn ? cell.column : ((cell.column + column - 2) % sheetColumns) + 1,
      row: cell.fixedRow ? cell.row : ((cell.row + row - 2) % sheetRows) + 1,
    };
    const dollars = [cell.fixedColumn ? '$' : '', cell.fixedRow ? '$' : ''];
    return { kind: 'cell', text: dollars[0] + columnName(at.column - 1) + dollars[1] + at.row };
  });
}

/** The cells of a range as `rangeAt` gives it. */
export function cellsOf(range: string): LinkedRange {
  const [one, other = one] = range.replaceAll('$', '').split(':') as [string, string?];
  const lines = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const;
  if (/^\d/.test(one)) {
    const [top, bottom] = lines(Number(one), Number(other));
    return { ...everyColumn, top, bottom };
  }
  if (!/\d/.test(one)) {
    const [left, right] = lines(columnNumber(one), columnNumber(other));
    return { ...everyRow, left, right };
  }
  const [a, b] = [cellOf(one), cellOf(other)];
  const [[top, bottom], [left, right]] = [lines(a.row, b.row), lines(a.column, b.column)];
  return { top, bottom, left, right };
}
