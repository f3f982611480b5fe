import { getLocale } from 'numfmt';
import type { FormulaToken } from '../../../model/calculation/formula-tokens.ts';

/** Whether a language writes 1,5 for one and a half: then semicolons stand between arguments, and `\` between columns of a constant. */
export const hasDecimalComma = (locale: string): boolean => getLocale(locale)?.decimal === ',';

/** What keeps its signs (texts, sheets, brackets of tables), numbers with a comma, and signs of constants. */
const pieces =
  /"(?:[^"]|"")*"?|'(?:[^']|'')*'?|\[(?:'[\s\S]|[^[\]']|\[(?:'[\s\S]|[^\]'])*\])*\]|(?<![\p{L}\p{N}_.$\\:])\d+,\d+|[{}\\]/gu;

/** A formula that was typed in a language with a decimal comma, with the numbers and constants of files. Semicolons stay. */
export function withDecimalPoints(typed: string): string {
  let isConstant = false;
  return typed.replaceAll(pieces, (piece) => {
    if (piece === '{' || piece === '}') isConstant = piece === '{';
    else if (piece === '\\') return isConstant ? ',' : piece;
    else if (/^\d/.test(piece)) return piece.replace(',', '.');
    return piece;
  });
}

/** The pieces of a formula of a file as a language with a decimal comma writes them. */
export function withDecimalCommas(tokens: readonly FormulaToken[]): FormulaToken[] {
  let isConstant = false;
  return tokens.map((token) => {
    if (token.kind === 'number') return { ...token, text: token.text.replace('.', ',') };
    if (token.kind !== 'other') return token;
    if (token.text === '{' || token.text === '}') isConstant = token.text === '{';
    return token.text === ',' ? { ...token, text: isConstant ? '\\' : ';' } : token;
  });
}
