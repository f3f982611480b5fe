import { type FormulaToken, formulaTokens, sheetNames } from '../../../model/calculation/formula-tokens.ts';
import type { Area } from '../../../model/cell/area.ts';
import { readRange } from '../grid/cell-areas.ts';

/** A piece of what is typed as a formula, by its place in the text. */
export interface TypedToken {
  readonly kind: 'function' | 'reference' | 'name' | 'number' | 'text' | 'error' | 'operator' | 'space';
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Of a reference to cells of one sheet of this workbook: which, and on which sheet if one is named. */
  readonly range?: Area;
  readonly sheet?: string;
}

/** The pieces of a formula as it is typed; the equals sign that begins it is the first. Takes any text. */
export function typedTokens(text: string): TypedToken[] {
  const pieces = formulaTokens(text);
  const tokens: TypedToken[] = [];
  let from = 0;
  for (let at = 0; at < pieces.length; ) {
    const [count, token] = tokenAt(pieces, at);
    const written = pieces.slice(at, at + count).reduce((whole, piece) => whole + piece.text, '');
    tokens.push({ ...token, from, to: from + written.length, text: written });
    from += written.length;
    at += count;
  }
  return tokens;
}

/** What begins at a piece, and how many pieces it is. */
function tokenAt(
  pieces: readonly FormulaToken[],
  at: number,
): readonly [count: number, token: Pick<TypedToken, 'kind' | 'range' | 'sheet'>] {
  const { kind, text } = pieces[at]!;
  switch (kind) {
    case 'space':
    case 'number':
    case 'text':
    case 'error':
      return [1, { kind }];
    case 'name':
      return [1, { kind: pieces[at + 1]?.text === '(' ? 'function' : 'name' }];
    case 'bracket':
      return [1, { kind: 'name' }];
    case 'sheet': {
      const [count, reference] = referenceFrom(pieces, at + 1);
      if (count === 0) return [pieces[at + 1]?.kind === 'name' ? 2 : 1, { kind: 'name' }];
      const { book, first, last } = sheetNames(text);
      const isElsewhere = book || last !== undefined || reference.kind === 'name';
      return [count + 1, isElsewhere ? { kind: reference.kind } : { ...reference, sheet: first }];
    }
    case 'cell':
    case 'columns':
    case 'rows':
      return referenceFrom(pieces, at);
    case 'other':
      // A text and an error that are not at their end yet.
      if (text === '"') return [pieces.length - at, { kind: 'text' }];
      if (text === '#' && pieces[at - 1]?.kind !== 'cell' && pieces[at + 1]?.kind === 'name')
        return [2, { kind: 'error' }];
      return [1, { kind: 'operator' }];
  }
}

/** The cells that are named from a piece on, without a sheet: of so many pieces, 0 for none. */
function referenceFrom(
  pieces: readonly FormulaToken[],
  at: number,
): readonly [count: number, reference: Pick<TypedToken, 'kind' | 'range'>] {
  const { kind, text } = pieces[at] ?? { kind: 'space', text: '' };
  if (kind !== 'cell' && kind !== 'columns' && kind !== 'rows') return [0, { kind: 'name' }];
  const isTo = kind === 'cell' && pieces[at + 1]?.text === ':' && pieces[at + 2]?.kind === 'cell';
  const range = readRange(isTo ? `${text}:${pieces[at + 2]!.text}` : text);
  return [isTo ? 3 : 1, range ? { kind: 'reference', range } : { kind: 'name' }];
}

export const isFormula = (text: string): boolean => text.startsWith('=') && text.length > 0;

/** Colours of references, so that each is known from the others in the text and in the grid. */
const referenceColors: readonly string[] = [
  '#1f5fd6',
  '#c0392b',
  '#7d3c98',
  '#1e8449',
  '#b9770e',
  '#117a65',
  '#a93226',
  '#5b2c6f',
];

export interface ColoredToken extends TypedToken {
  readonly color: string | null;
}

/** The pieces with the colours of their references: the same one for the same cells. */
export function coloredTokens(text: string): ColoredToken[] {
  const colors = new Map<string, string>();
  return typedTokens(text).map((token) => {
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
  let last: TypedToken | null = null;
  const tokens = typedTokens(text);
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
  const token = typedTokens(text).find(({ from, to }) => from < place && place <= to);
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
  const before = typedTokens(text.slice(0, place)).findLast(({ kind }) => kind !== 'space');
  return before?.kind === 'operator' && before.text !== ')' && before.text !== '}' && before.text !== '%';
}

/** The reference that a place is at the end or in the middle of. */
export const referenceAt = (text: string, place: number): TypedToken | null =>
  typedTokens(text).find(
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
