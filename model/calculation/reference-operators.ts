import { columnName, columnNumber, sheetColumns, sheetRows } from '../cell-address.ts';
import { cellOf, type FormulaToken, formulaTokens, sheetNames } from './formula-tokens.ts';
import { takesAreas, takesList } from './functions.ts';

/** Stands between two references for the space that means the cells that they have in common. */
export const IN_COMMON = '\u0001';

/** A range with its sheet's prefix, and the rows and columns from one to the other. */
interface Area {
  readonly sheet: string;
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** Tokens that are put in the place of others: from the first of these to before the last. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A call of a function: its name, its opening parenthesis, and where each of its arguments begins. */
interface Call {
  readonly name: string;
  readonly at: number;
  readonly begins: number[];
}

/**
 * A formula without the two operators that the engine lacks: references with `IN_COMMON` between them become the cells of both, and
 * several references in parentheses what the function takes that they are given to.
 *
 * @param sheet the name of the one that references without a sheet mean
 * @returns null where that cannot be said beforehand, or the function takes no such thing
 */
export function withoutReferenceOperators(formula: string, sheet: string): string | null {
  let tokens = formulaTokens(formula);
  for (;;) {
    const next = replacementFor(tokens, sheet);
    if (next === undefined) return tokens.map(({ text }) => text).join('');
    if (next === null) return null;
    tokens = [...tokens.slice(0, next.from), ...formulaTokens(next.text), ...tokens.slice(next.to)];
  }
}

/** Undefined where nothing is left to replace, null where it cannot be. */
function replacementFor(tokens: readonly FormulaToken[], sheet: string): Replacement | null | undefined {
  const common = tokens.findIndex(({ text }) => text === IN_COMMON);
  return common >= 0 ? inCommon(tokens, common, sheet) : unionIn(tokens);
}

function inCommon(tokens: readonly FormulaToken[], at: number, sheet: string): Replacement | null {
  const from = beginOfArea(tokens, at);
  const to = endOfArea(tokens, at + 1);
  const [one, other] = [areaOf(tokens.slice(from, at)), areaOf(tokens.slice(at + 1, to))];
  if (!one || !other) return null;
  const nameOf = (area: Area) => (area.sheet ? sheetNames(area.sheet).first : sheet).toLowerCase();
  return { from, to, text: nameOf(one) === nameOf(other) ? overlap(one, other) : '#VALUE!' };
}

function overlap(one: Area, other: Area): string {
  const within = (a: readonly [number, number], b: readonly [number, number]) =>
    [Math.max(a[0], b[0]), Math.min(a[1], b[1])] as const;
  const [top, bottom] = within(one.rows, other.rows);
  const [left, right] = within(one.columns, other.columns);
  if (top > bottom || left > right) return '#NULL!';
  const cell = (column: number, row: number) => `$${columnName(column - 1)}$${row}`;
  const first = one.sheet + cell(left, top);
  return top === bottom && left === right ? first : `${first}:${cell(right, bottom)}`;
}

const isLine = (token: FormulaToken | undefined): boolean =>
  token?.kind === 'columns' || token?.kind === 'rows';

/** Where the range begins that ends before a token. */
function beginOfArea(tokens: readonly FormulaToken[], end: number): number {
  let at = end - 1;
  if (!isLine(tokens[at]) && tokens[at - 1]?.text === ':' && tokens[at - 2]?.kind === 'cell') at -= 2;
  return tokens[at - 1]?.kind === 'sheet' ? at - 1 : at;
}

/** Behind the range that begins at a token. */
function endOfArea(tokens: readonly FormulaToken[], begin: number): number {
  const at = tokens[begin]?.kind === 'sheet' ? begin + 1 : begin;
  const isRange = tokens[at]?.kind === 'cell' && tokens[at + 1]?.text === ':';
  return isRange && tokens[at + 2]?.kind === 'cell' ? at + 3 : at + 1;
}

/** Null where tokens are no plain reference. */
function areaOf(tokens: readonly FormulaToken[]): Area | null {
  const sheet = tokens[0]?.kind === 'sheet' ? tokens[0].text : '';
  const [first, colon, last] = sheet ? tokens.slice(1) : tokens;
  const ordered = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const;
  if (first && isLine(first) && !colon) {
    const [one, other] = first.text.replaceAll('$', '').split(':') as [string, string];
    return first.kind === 'rows'
      ? { sheet, rows: ordered(Number(one), Number(other)), columns: [1, sheetColumns] }
      : { sheet, rows: [1, sheetRows], columns: ordered(columnNumber(one), columnNumber(other)) };
  }
  if (first?.kind !== 'cell' || (colon && (colon.text !== ':' || last?.kind !== 'cell'))) return null;
  const [one, other] = [cellOf(first.text), cellOf((last ?? first).text)];
  return { sheet, rows: ordered(one.row, other.row), columns: ordered(one.column, other.column) };
}

/** The first references in parentheses that have no function before them, and what is written for them. */
function unionIn(tokens: readonly FormulaToken[]): Replacement | null | undefined {
  const calls: Call[] = [];
  let inList = false;
  for (const [at, { text }] of tokens.entries()) {
    if (text === '{' || text === '}') inList = text === '{';
    else if (inList) continue;
    else if (text === '(') calls.push({ name: nameBefore(tokens, at), at, begins: [at + 1] });
    else if (text === ',') calls.at(-1)?.begins.push(at + 1);
    else if (text === ')') {
      const closed = calls.pop();
      if (closed?.name !== '' || closed.begins.length === 1) continue;
      const areas = argumentsOf(tokens, closed, at);
      return areas.every((area) => areaOf(formulaTokens(area)))
        ? unionFor(tokens, calls.at(-1), { from: closed.at, to: at + 1 }, areas)
        : null;
    }
  }
  return undefined;
}

/** What is called by a parenthesis; empty for one that only groups. */
function nameBefore(tokens: readonly FormulaToken[], at: number): string {
  const before = tokens[at - 1];
  return before?.kind === 'name' || before?.text === ')' ? before.text.toUpperCase() : '';
}

const argumentsOf = (tokens: readonly FormulaToken[], { begins }: Call, end: number): string[] =>
  begins.map((begin, index) =>
    tokens
      .slice(begin, (begins[index + 1] ?? end + 1) - 1)
      .map(({ text }) => text)
      .join('')
      .trim(),
  );

function unionFor(
  tokens: readonly FormulaToken[],
  call: Call | undefined,
  place: { readonly from: number; readonly to: number },
  areas: readonly string[],
): Replacement | null {
  const several = areas.join(',');
  if (!call) return null;
  if (takesAreas.has(call.name)) return { ...place, text: several };
  if (takesList.has(call.name)) {
    return { ...place, text: `VSTACK(${areas.map((area) => `TOCOL(${area})`).join(',')})` };
  }
  const end = closing(tokens, call.at);
  const whole = { from: call.at - 1, to: end + 1 };
  if (call.name === 'AREAS') return { ...whole, text: String(areas.length) };
  if (call.name !== 'INDEX' || call.begins.length > 1) return null;
  const begins = beginsOf(tokens, call.at, end);
  const [, row, column, area] = argumentsOf(tokens, { ...call, begins }, end);
  const cell = [row || '0', ...(column ? [column] : [])].join(',');
  return { ...whole, text: `INDEX(CHOOSE(${area || '1'},${several}),${cell})` };
}

function closing(tokens: readonly FormulaToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]!.text === '(') depth += 1;
    else if (tokens[at]!.text === ')' && --depth === 0) return at;
  }
  return tokens.length;
}

/** Where each argument of a call begins. */
function beginsOf(tokens: readonly FormulaToken[], open: number, end: number): number[] {
  const begins = [open + 1];
  let depth = 0;
  for (let at = open + 1; at < end; at++) {
    const { text } = tokens[at]!;
    if (text === '(' || text === '{') depth += 1;
    else if (text === ')' || text === '}') depth -= 1;
    else if (text === ',' && depth === 0) begins.push(at + 1);
  }
  return begins;
}
