import {
  shownOptional,
  shownPiece,
  sign,
  typedOptional,
  withOptional,
  withSigns,
} from '../../../model/calculation/formula-text.ts';
import { type FormulaToken, formulaTokens } from '../../../model/calculation/formula-tokens.ts';
import { isLambdaPlace } from '../../../model/calculation/lambda-names.ts';
import type { FormulaJson } from '../../../model/cell/formula/formula.ts';
import { arrayPlaces, type IsSeveral, isWithin } from './array-places.ts';
import { closedFormula } from './formula-syntax.ts';
import { functionNamed, prefixOf } from './functions.ts';
import { hasDecimalComma, withDecimalCommas, withDecimalPoints } from './local-formula.ts';

/** How somebody writes formulas, and where. */
export interface FormulaWriting {
  /** Numbers have a comma, and semicolons stand between arguments. */
  readonly hasDecimalComma?: boolean;
  /** The table that the cell is in, which needs no name there. */
  readonly table?: string | null;
  /** Of the names that count there. */
  readonly isSeveral?: IsSeveral;
}

/**
 * A formula as people read and type it, without the equals sign: names of functions without the prefixes of files, `A1#` for what
 * a formula spills, and `@` where a formula of the time before dynamic arrays takes one value of several, or a cell of the same row
 * of a table.
 */
export function shownFormula(
  formula: FormulaJson,
  { hasDecimalComma: hasComma = false, isSeveral }: FormulaWriting = {},
): string {
  const text = typeof formula === 'string' ? formula : formula.t;
  const signs = withSigns(formulaTokens(text));
  const tokens = withOptional(signs, shownOptional);
  const local = hasComma ? withDecimalCommas(tokens) : tokens;
  const shown = local.map(shownPiece);
  if (typeof formula === 'string') {
    const plain = signs.map((token, index) =>
      token.kind === 'name' ? { ...token, text: shown[index]! } : token,
    );
    const { places, arrays } = arrayPlaces(plain, isSeveral);
    for (const { from } of places) if (!isWithin(from, arrays)) shown[from] = `@${shown[from]}`;
  }
  return shown.join('');
}

/**
 * A formula that somebody has typed, without the equals sign, as the model and files have it. It spills where it may have several
 * values; an array formula (`array`) stays one.
 */
export function modelFormula(
  typed: string,
  array: Exclude<FormulaJson, string>['a'] | null = null,
  { hasDecimalComma: hasComma = false, table = null, isSeveral }: FormulaWriting = {},
): FormulaJson {
  const plain = withSeparators(formulaTokens(hasComma ? withDecimalPoints(typed) : typed));
  const tokens = withoutRepeatedSigns(withTables(withOptional(plain, typedOptional), table));
  const parameters = parametersOf(tokens);
  const called = calledAlone(tokens, parameters);
  const written = tokens.map((token, index) =>
    called.has(token)
      ? `_xleta.${token.text.toUpperCase()}`
      : writtenToken(token, tokens[index + 1], parameters),
  );
  const { places, singles, arrays } = arrayPlaces(tokens, isSeveral);
  const isDynamic = places.length > 0;
  for (const { at, operand, isOfSeveral, isAlone } of singles) {
    const isNeeded = isOfSeveral && (isDynamic || isAlone || array !== null || isWithin(at, arrays));
    written[at] = isNeeded ? '_xlfn.SINGLE(' : '';
    if (isNeeded) written[operand.to - 1] += ')';
  }
  for (const [index, { text }] of tokens.entries()) {
    if (text !== '#' || tokens[index - 1]?.kind !== 'cell') continue;
    const start = tokens[index - 2]?.kind === 'sheet' ? index - 2 : index - 1;
    written[start] = `_xlfn.ANCHORARRAY(${written[start]}`;
    written[index] = written[index]!.replace('#', ')');
  }
  const text = written.join('');
  if (array) return { t: text, a: array };
  return isDynamic ? { t: text, a: ['dynamic', 1, 1] } : text;
}

/** A column of the same row, as files name it: `[@Price]` is `[[#This Row],[Price]]`, behind the name of its table. */
function withTables(tokens: readonly FormulaToken[], table: string | null): FormulaToken[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'bracket') return [token];
    const [, row, rest = ''] = /^\[\s*(@?)\s*([\s\S]*)\]$/.exec(token.text) ?? [];
    const column = rest.startsWith('[') ? rest : `[${rest}]`;
    const text = !row ? token.text : rest === '' ? '[#This Row]' : `[[#This Row],${column}]`;
    const isNamed = tokens[index - 1]?.kind === 'name' || table === null;
    return isNamed
      ? [{ ...token, text }]
      : [
          { kind: 'name' as const, text: table },
          { ...token, text },
        ];
  });
}

function withoutRepeatedSigns(tokens: readonly FormulaToken[]): readonly FormulaToken[] {
  return tokens.filter(
    ({ text }, index) =>
      text !== '@' || tokens.slice(index + 1).find(({ kind }) => kind !== 'space')?.text !== '@',
  );
}

/** In many languages a semicolon stands between arguments; between braces it goes to the next row. */
function withSeparators(tokens: readonly FormulaToken[]): FormulaToken[] {
  let isConstant = false;
  return tokens.map((token) => {
    if (token.kind !== 'other') return token;
    if (token.text === '{') isConstant = true;
    if (token.text === '}') isConstant = false;
    return token.text === ';' && !isConstant ? sign(',') : token;
  });
}

function writtenToken(
  { kind, text }: FormulaToken,
  next: FormulaToken | undefined,
  parameters: ReadonlyMap<string, string>,
): string {
  if (kind === 'cell' || kind === 'columns' || kind === 'error') return text.toUpperCase();
  if (kind !== 'name') return text;
  const plain = text.replace(/^_xlop\./i, '');
  const prefix = parameters.get(plain.toLowerCase());
  if (prefix !== undefined) return prefix + plain;
  if (next?.text === '(')
    return functionNamed(text) ? prefixOf(text) + text.toUpperCase() : prefixOf(text) + text;
  return /^(?:true|false)$/i.test(text) ? text.toUpperCase() : text;
}

/** The names of functions that MAP and its kin are given in place of a LAMBDA. */
function calledAlone(
  tokens: readonly FormulaToken[],
  parameters: ReadonlyMap<string, string>,
): ReadonlySet<FormulaToken> {
  const found = new Set<FormulaToken>();
  const open: { readonly name: string; place: number }[] = [];
  const pieces = tokens.filter(({ kind }) => kind !== 'space');
  for (const [index, token] of pieces.entries()) {
    const before = pieces[index - 1];
    const next = pieces[index + 1]?.text ?? '';
    const call = open.at(-1);
    if (token.text === '(')
      open.push({ name: before?.kind === 'name' ? before.text.toUpperCase() : '', place: 0 });
    else if (token.text === ')') open.pop();
    else if (token.text === ',' && call) call.place++;
    else if (token.kind === 'name' && call && before?.text === ',' && /^[,)]$/.test(next)) {
      const isFunction = functionNamed(token.text) && !parameters.has(token.text.toLowerCase());
      if (isFunction && isLambdaPlace(call.name, call.place, next === ')')) found.add(token);
    }
  }
  return found;
}

/** The names, in small letters, that LET and LAMBDA give to values, with what files write before them. */
function parametersOf(tokens: readonly FormulaToken[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const open: { readonly name: string; place: number }[] = [];
  const pieces = tokens.filter(({ kind }) => kind !== 'space');
  for (const [index, { kind, text }] of pieces.entries()) {
    const before = pieces[index - 1];
    const call = open.at(-1);
    if (text === '(') open.push({ name: before?.kind === 'name' ? before.text.toUpperCase() : '', place: 0 });
    else if (text === ')') open.pop();
    else if (text === ',' && call) call.place++;
    else if (kind === 'name' && pieces[index + 1]?.text === ',' && /^[(,]$/.test(before?.text ?? '')) {
      const isGiven = call?.name === 'LAMBDA' || (call?.name === 'LET' && call.place % 2 === 0);
      const [, optional] = shownOptional.exec(text) ?? [];
      if (isGiven) parameters.set((optional ?? text).toLowerCase(), optional ? '_xlop.' : '_xlpm.');
    }
  }
  return parameters;
}

/** The formula of a rule or a name, which may have several values wherever it stands, closed and as files have it. */
export function modelText(typed: string, locale: string): string {
  const closed = closedFormula(`=${typed}`).slice(1);
  const formula = modelFormula(closed, null, { hasDecimalComma: hasDecimalComma(locale) });
  return typeof formula === 'string' ? formula : formula.t;
}

/** The formula of a rule or a name as people read and type it. */
export const shownText = (formula: string, locale: string): string =>
  shownFormula({ t: formula, a: ['dynamic', 1, 1] }, { hasDecimalComma: hasDecimalComma(locale) });

/** Whether the formula of a name stands for several values. */
export const standsForSeveral = (formula: string): boolean =>
  arrayPlaces(formulaTokens(formula.replace(/^=/, ''))).places.length > 0;
