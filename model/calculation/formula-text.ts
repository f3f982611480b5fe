import type { CellFormula } from './calculation.ts';
import { type FormulaToken, formulaTokens } from './formula-tokens.ts';

/** What files write before names. */
const prefixes = /^(?:_xlfn\.|_xlws\.|_xlpm\.|_xlop\.|_xleta\.)+/i;

/** A formula as people read it in English, with its equals sign; that of an array stands in braces. */
export function formulaText({ formula, kind }: CellFormula): string {
  const tokens = withOptional(withSigns(formulaTokens(formula.replace(/^=/, ''))), shownOptional);
  const text = `=${tokens.map(shownPiece).join('')}`;
  return kind === 'array' ? `{${text}}` : text;
}

/** Whether a formula asks for the formulas of cells. */
export const asksForFormulas = (formula: string): boolean => /FORMULATEXT|ISFORMULA/i.test(formula);

/** A token of a file as people read it. */
export function shownPiece({ kind, text }: FormulaToken): string {
  if (kind === 'name') return text.replace(prefixes, '');
  return kind === 'bracket' ? shownBracket(text) : text;
}

/** `SINGLE(…)` and `ANCHORARRAY(…)` of files as the signs that stand for them. */
export function withSigns(tokens: readonly FormulaToken[]): FormulaToken[] {
  const written: FormulaToken[] = [];
  /** What closes each bracket that is open. */
  const open: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const name = token.kind === 'name' && tokens[index + 1]?.text === '(' ? token.text.toUpperCase() : '';
    if (name === '_XLFN.SINGLE' || name === '_XLFN.ANCHORARRAY') {
      if (name === '_XLFN.SINGLE') written.push(sign('@'));
      open.push(name === '_XLFN.SINGLE' ? '' : '#');
      index++;
    } else if (token.kind === 'other' && token.text === '(') {
      open.push(')');
      written.push(token);
    } else if (token.kind === 'other' && token.text === ')') {
      const closing = open.pop() ?? ')';
      if (closing !== '') written.push(sign(closing));
    } else written.push(token);
  }
  return written;
}

export const sign = (text: string): FormulaToken => ({ kind: 'other', text });

/** Parameters of LAMBDA that may be left out, as people write them (`[rate]`) and as files have them. */
export const shownOptional = /^_xlop\.(.+)$/i;
export const typedOptional = /^\[\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\]$/u;

/** Such parameters, which one way of writing them finds, in the other. */
export function withOptional(tokens: readonly FormulaToken[], written: RegExp): FormulaToken[] {
  const open: string[] = [];
  const besides = (from: number, step: number) => {
    let at = from + step;
    while (tokens[at]?.kind === 'space') at += step;
    return tokens[at];
  };
  return tokens.map((token, index): FormulaToken => {
    const before = besides(index, -1);
    if (token.text === '(') open.push(before?.kind === 'name' ? before.text.replace(prefixes, '') : '');
    else if (token.text === ')') open.pop();
    const [, name] =
      token.kind === 'name' || token.kind === 'bracket' ? (written.exec(token.text) ?? []) : [];
    const isParameter = open.at(-1)?.toUpperCase() === 'LAMBDA' && besides(index, 1)?.text === ',';
    if (name === undefined || !isParameter || !/^[(,]$/.test(before?.text ?? '')) return token;
    return written === typedOptional
      ? { kind: 'name', text: `_xlop.${name}` }
      : { kind: 'bracket', text: `[${name}]` };
  });
}

/** `[[#This Row],[Price]]` as people write it. */
function shownBracket(text: string): string {
  const [, columns] = /^\[\[#This Row\],(\[[\s\S]*\])\]$/i.exec(text) ?? [];
  if (columns === undefined) return text;
  const [, plain] = /^\[([\p{L}\p{N}_]+)\]$/u.exec(columns) ?? [];
  return `[@${plain ?? columns}]`;
}
