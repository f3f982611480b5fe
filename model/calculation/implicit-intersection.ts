import { columnName, columnNumber, sheetColumns, sheetRows } from '../cell-address.ts';
import { cellOf, type FormulaToken, formulaTokens } from './formula-tokens.ts';
import { takesArrays } from './functions.ts';
import type { Place } from './structured-reference.ts';

const OPERATORS = '+-*/^&=<>%';

/**
 * A formula of the time before dynamic arrays in which each range beside an operator is the cell of the formula's own row or column,
 * or `#VALUE!` where there is none: also within a function that takes ranges, but not within one that takes arrays. Outside of
 * functions, and where a function takes one value, the engine does so itself.
 * @param isEverywhere whether those outside of functions are meant, too
 */
export function withIntersections(formula: string, { row, column }: Place, isEverywhere = false): string {
  const tokens = formulaTokens(formula);
  const calls: string[] = [];
  const written: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.text === '(')
      calls.push(tokens[at - 1]?.kind === 'name' ? tokens[at - 1]!.text.toUpperCase() : '');
    else if (token.text === ')') calls.pop();
    const isMeant = isEverywhere || calls.some((name) => name !== '');
    const length = isMeant ? rangeLength(tokens, at) : 0;
    if (length > 0 && isOperand(tokens, at, at + length) && !isAmongArrays(calls)) {
      const cell = cellInRange(tokens.slice(at, at + length), row, column);
      // An error is on no sheet.
      if (cell === null && tokens[at - 1]?.kind === 'sheet') written.pop();
      written.push(cell ?? '#VALUE!');
    } else written.push(...tokens.slice(at, at + (length || 1)).map(({ text }) => text));
    at += Math.max(length, 1) - 1;
  }
  return written.join('');
}

/** Whether the innermost call that decides about it calculates with whole ranges: IF does not, also within one that does. */
const isAmongArrays = (calls: readonly string[]): boolean =>
  takesArrays.has(calls.findLast((name) => name === 'IF' || takesArrays.has(name)) ?? '');

/** Of how many tokens the range of several cells is that begins at one; its sheet stands before it. */
function rangeLength(tokens: readonly FormulaToken[], at: number): number {
  const first = tokens[at];
  if (first?.kind === 'columns' || first?.kind === 'rows') return 1;
  const isRange = first?.kind === 'cell' && tokens[at + 1]?.text === ':' && tokens[at + 2]?.kind === 'cell';
  return isRange && tokens[at - 1]?.text !== ':' && tokens[at + 3]?.text !== ':' ? 3 : 0;
}

/** Whether what stands from one token to before another is beside an operator, also in parentheses of its own. */
function isOperand(tokens: readonly FormulaToken[], from: number, to: number): boolean {
  let before = from - 1;
  let behind = to;
  for (;;) {
    while (tokens[before]?.kind === 'space' || tokens[before]?.kind === 'sheet') before -= 1;
    while (tokens[behind]?.kind === 'space') behind += 1;
    const [left, right] = [tokens[before], tokens[behind]];
    if (isOperator(left) || isOperator(right)) return true;
    if (left?.text !== '(' || right?.text !== ')' || tokens[before - 1]?.kind === 'name') return false;
    before -= 1;
    behind += 1;
  }
}

const isOperator = (token: FormulaToken | undefined): boolean =>
  token?.kind === 'other' && OPERATORS.includes(token.text);

/** Null where the range has no cell of this row or column. */
function cellInRange(range: readonly FormulaToken[], row: number, column: number): string | null {
  const [one, other] = (
    range.length === 1 ? range[0]!.text.split(':') : [range[0]!.text, range[2]!.text]
  ).map((text) => text.replaceAll('$', '')) as [string, string];
  const kind = range[0]!.kind;
  const [top, bottom] = kind === 'columns' ? [1, sheetRows] : ordered(rowOf(one), rowOf(other));
  const [left, right] = kind === 'rows' ? [1, sheetColumns] : ordered(columnOf(one), columnOf(other));
  const cell = (atColumn: number, atRow: number) => `$${columnName(atColumn - 1)}$${atRow}`;
  if (left === right && row >= top && row <= bottom) return cell(left, row);
  if (top === bottom && column >= left && column <= right) return cell(column, top);
  return null;
}

const rowOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : cellOf(text).row);
const columnOf = (text: string): number =>
  /^[A-Z]+$/i.test(text) ? columnNumber(text) : cellOf(text).column;
const ordered = (a: number, b: number): readonly [number, number] => [Math.min(a, b), Math.max(a, b)];
