import { type CellRange, readRange } from '../grid/cell-range.ts';

/** A piece of what is typed as a formula, by its place in the text. */
export interface FormulaToken {
  readonly kind: 'function' | 'reference' | 'name' | 'number' | 'text' | 'error' | 'operator' | 'space';
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Of a reference to cells: which, and on which sheet if one is named. */
  readonly range?: CellRange;
  readonly sheet?: string;
}

/** Sheet before an exclamation mark; cells, whole columns or whole rows. */
const sheetPart = String.raw`(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!`;
const cellPart = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}`;
const rangePart = String.raw`${cellPart}(?::${cellPart})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}`;

const patterns: readonly (readonly [FormulaToken['kind'], RegExp])[] = [
  ['space', /\s+/uy],
  ['text', /"(?:[^"]|"")*"?/uy],
  ['error', /#(?:N\/A|[A-Z0-9/]+[!?]?)/iuy],
  ['reference', new RegExp(`(?:${sheetPart})?(?:${rangePart})(?![\\p{L}\\p{N}_.(!])`, 'uy')],
  ['function', /[\p{L}_][\p{L}\p{N}_.]*(?=\()/uy],
  ['number', /\d+(?:[.]\d*)?(?:e[+-]?\d+)?|\.\d+/iuy],
  ['name', /(?:'(?:[^']|'')+'|[\p{L}_\\])[\p{L}\p{N}_.\\!]*/uy],
  ['operator', /<>|<=|>=|[\s\S]/uy],
];

/** The pieces of a formula as it is typed; the equals sign that begins it is the first. Takes any text. */
export function formulaTokens(text: string): FormulaToken[] {
  const tokens: FormulaToken[] = [];
  let at = 0;
  while (at < text.length) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      if (!found) continue;
      const token = { kind, from: at, to: at + found.length, text: found };
      const reference = kind === 'reference' ? readReference(found) : null;
      tokens.push(
        kind === 'reference' && !reference ? { ...token, kind: 'name' } : { ...token, ...reference },
      );
      at += found.length;
      break;
    }
  }
  return tokens;
}

function readReference(text: string): Pick<FormulaToken, 'range' | 'sheet'> | null {
  const mark = text.lastIndexOf('!');
  const range = readRange(text.slice(mark + 1));
  if (!range) return null;
  if (mark < 0) return { range };
  const name = text.slice(0, mark);
  return { range, sheet: name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name };
}

export const isFormula = (text: string): boolean => text.startsWith('=') && text.length > 0;

/** Colours of references, so that each is known from the others in the text and in the grid. */
export const referenceColors: readonly string[] = [
  '#1f5fd6',
  '#c0392b',
  '#7d3c98',
  '#1e8449',
  '#b9770e',
  '#117a65',
  '#a93226',
  '#5b2c6f',
];

export interface ColoredToken extends FormulaToken {
  readonly color: string | null;
}

/** The pieces with the colours of their references: the same one for the same cells. */
export function coloredTokens(text: string): ColoredToken[] {
  const colors = new Map<string, string>();
  return formulaTokens(text).map((token) => {
    if (token.kind !== 'reference') return { ...token, color: null };
    const key = token.text.replaceAll('$', '').toUpperCase();
    const color = colors.get(key) ?? referenceColors[colors.size % referenceColors.length]!;
    colors.set(key, color);
    return { ...token, color };
  });
}

/**
 * The function in whose brackets a place is, and which of its arguments that is; null outside of all.
 * @param hasDecimalComma a comma between digits is one of a number
 */
export function argumentAt(
  text: string,
  place: number,
  hasDecimalComma = false,
): { readonly name: string; readonly index: number } | null {
  const open: { name: string; index: number }[] = [];
  let last: FormulaToken | null = null;
  const tokens = formulaTokens(text);
  for (const [at, token] of tokens.entries()) {
    if (token.from >= place) break;
    const isInNumber = token.text === ',' && last?.kind === 'number' && tokens[at + 1]?.kind === 'number';
    if (hasDecimalComma && isInNumber) continue;
    if (token.kind === 'operator' && token.text === '(') {
      open.push({ name: last?.kind === 'function' ? last.text.toUpperCase() : '', index: 0 });
    } else if (token.kind === 'operator' && token.text === ')') open.pop();
    else if (token.kind === 'operator' && /[,;]/.test(token.text) && open.length > 0) open.at(-1)!.index++;
    last = token;
  }
  const inner = open.findLast(({ name }) => name !== '');
  return inner ? { ...inner } : null;
}

/** The beginning of a function's or other name that ends at a place; null where none is typed. */
export function wordBefore(
  text: string,
  place: number,
): { readonly from: number; readonly word: string } | null {
  if (!isFormula(text)) return null;
  const token = formulaTokens(text).find(({ from, to }) => from < place && place <= to);
  if (!token || token.to !== place) return null;
  const isWord =
    token.kind === 'name' ||
    token.kind === 'function' ||
    (token.kind === 'reference' && /^[a-z]+\d*$/i.test(token.text));
  return isWord ? { from: token.from, word: token.text } : null;
}

/** Whether a reference may be put in at a place: behind an operator or an opening bracket. */
export function takesReference(text: string, place: number): boolean {
  if (!isFormula(text) || place < 1) return false;
  const before = formulaTokens(text.slice(0, place)).findLast(({ kind }) => kind !== 'space');
  return before?.kind === 'operator' && before.text !== ')' && before.text !== '}' && before.text !== '%';
}

/** The reference that a place is at the end or in the middle of. */
export const referenceAt = (text: string, place: number): FormulaToken | null =>
  formulaTokens(text).find(
    ({ kind, from, to }) => kind === 'reference' && from <= place && place <= to && isFormula(text),
  ) ?? null;

/** Goes through the ways in which a reference can be absolute: `A1`, `$A$1`, `A$1`, `$A1`. */
export function turnAbsolute(reference: string): string {
  const mark = reference.lastIndexOf('!') + 1;
  const next = (cell: string) => {
    const found = /^(\$?)([A-Za-z]+)?(\$?)(\d+)?$/.exec(cell);
    if (!found) return cell;
    const [, first, letters = '', second, digits = ''] = found;
    if (letters === '' || digits === '') {
      return cell.startsWith('$') ? cell.slice(1) : `$${cell}`;
    }
    const [column, row] =
      first === '' && second === ''
        ? ['$', '$']
        : first === '$' && second === '$'
          ? ['', '$']
          : first === ''
            ? ['$', '']
            : ['', ''];
    return `${column}${letters}${row}${digits}`;
  };
  return reference.slice(0, mark) + reference.slice(mark).split(':').map(next).join(':');
}
