import { type FormulaToken, formulaTokens } from '../../../model/calculation/formula-tokens.ts';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';

/** Number formats of days and times, as a language writes them. */
export interface DayPatterns {
  readonly day: string;
  readonly moment: string;
  readonly time: string;
}

export interface FormulaFormats {
  /** The number format of the first cell of a reference, which may name its sheet; null for General, and where it is not known. */
  readonly formatOf: (reference: string) => string | null;
  readonly patterns: DayPatterns;
}

const dayFunctions: Readonly<Record<string, keyof DayPatterns>> = {
  ...{ TODAY: 'day', DATE: 'day', EDATE: 'day', EOMONTH: 'day', WORKDAY: 'day', 'WORKDAY.INTL': 'day' },
  ...{ NOW: 'moment', TIME: 'time' },
};
/** What such functions come to is of the kind of what they are given. */
const likeTheirCells = new Set(
  'SUM AVERAGE MIN MAX MEDIAN ABS ROUND ROUNDUP ROUNDDOWN LARGE SMALL SUMIF SUMIFS AVERAGEIF'.split(' '),
);

/** One of what is added, subtracted, multiplied or divided; `sign` stands before it. */
interface Term {
  readonly sign: string;
  readonly tokens: readonly FormulaToken[];
}

/**
 * The number format that a formula gives to a cell that has none, as other spreadsheets do: days stay days, amounts stay
 * amounts. Null where it gives none.
 * @param formula without its equals sign, as the model has it
 */
export function formatOfFormula(formula: string, formats: FormulaFormats): string | null {
  const terms = termsOf(formulaTokens(formula).filter(({ kind }) => kind !== 'space'));
  if (!terms) return null;
  const patterns = terms.map((term) => patternOf(term.tokens, formats));
  if (patterns.includes(undefined)) return null;
  const known = patterns as (string | null)[];
  const isProduct = terms.some(({ sign }) => sign === '*' || sign === '/');
  if (isProduct) return ofProduct(terms, known);
  const days = known.flatMap((pattern, at) =>
    pattern !== null && showsDate(pattern) ? [terms[at]!.sign === '-' ? -1 : 1] : [],
  );
  // A day less another one is a number of days.
  if (days.length > 0 && days.reduce((sum, sign) => sum + sign, 0) !== 1) return null;
  return known.find((pattern) => pattern !== null && (days.length === 0 || showsDate(pattern))) ?? null;
}

/** A price times a count is a price; a part of it, too. Days and percents say nothing of the product. */
function ofProduct(terms: readonly Term[], patterns: readonly (string | null)[]): string | null {
  const amounts = patterns.flatMap((pattern, at) =>
    pattern === null || pattern.includes('%') ? [] : [{ pattern, sign: terms[at]!.sign }],
  );
  const [amount] = amounts;
  const isOne = amounts.length === 1 && amount!.sign !== '/' && !showsDate(amount!.pattern);
  return isOne && terms.every(({ sign }) => sign === '*' || sign === '/' || sign === '')
    ? amount!.pattern
    : null;
}

/** Null for what is no sum and no product. */
function termsOf(tokens: readonly FormulaToken[]): Term[] | null {
  const terms: Term[] = [];
  let depth = 0;
  let sign = '';
  let own: FormulaToken[] = [];
  for (const token of tokens) {
    const { kind, text } = token;
    if (kind === 'other' && text === '(') depth++;
    if (kind === 'other' && text === ')') depth--;
    if (depth === 0 && kind === 'other' && /[+\-*/]/.test(text)) {
      if (own.length > 0) terms.push({ sign, tokens: own });
      else if (sign !== '') return null;
      [sign, own] = [text, []];
    } else own.push(token);
  }
  return own.length === 0 ? null : [...terms, { sign, tokens: own }];
}

/** Null for what has no format, undefined for what nothing is known of. */
function patternOf(tokens: readonly FormulaToken[], formats: FormulaFormats): string | null | undefined {
  const [first, second] = tokens;
  if (first?.kind === 'number' && tokens.length === 1) return null;
  if (first?.kind === 'name' && second?.text === '(' && isClosedAtEnd(tokens)) {
    const name = first.text.toUpperCase();
    const day = dayFunctions[name];
    if (day) return formats.patterns[day];
    if (!likeTheirCells.has(name)) return undefined;
    // Of the functions with conditions, the last range is what is summed, and the first one of those with several.
    const inside = tokens.slice(2, -1);
    return referencePattern(
      name === 'SUMIF' || name === 'AVERAGEIF' ? lastArgument(inside) : inside,
      formats,
    );
  }
  const isReference = tokens.every(
    ({ kind, text }) => kind === 'cell' || kind === 'sheet' || (kind === 'other' && text === ':'),
  );
  return isReference && tokens.some(({ kind }) => kind === 'cell')
    ? referencePattern(tokens, formats)
    : undefined;
}

function isClosedAtEnd(tokens: readonly FormulaToken[]): boolean {
  let depth = 0;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'other') continue;
    if (text === '(') depth++;
    if (text === ')' && --depth === 0) return at === tokens.length - 1;
  }
  return false;
}

function lastArgument(tokens: readonly FormulaToken[]): readonly FormulaToken[] {
  const at = tokens.findLastIndex(({ kind, text }) => kind === 'other' && text === ',');
  return tokens.slice(at + 1);
}

/** Of the first cell that is referred to. */
function referencePattern(tokens: readonly FormulaToken[], { formatOf }: FormulaFormats): string | null {
  const at = tokens.findIndex(({ kind }) => kind === 'cell');
  if (at < 0) return null;
  const sheet = tokens[at - 1]?.kind === 'sheet' ? tokens[at - 1]!.text : '';
  return formatOf(`${sheet}${tokens[at]!.text}`);
}
