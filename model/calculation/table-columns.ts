import { type FormulaToken, formulaTokens } from './formula-tokens.ts';

/** Behind what no name of a table ends. */
const endsNoName = /(?:^|[-+*/^&=<>(,;:@{%\s\u00a0])$/;

const isUnnamed = (tokens: readonly FormulaToken[], index: number): boolean =>
  tokens[index]!.kind === 'bracket' && endsNoName.test(tokens[index - 1]?.text ?? '');

/** The first columns that stand without the name of their table (`[@Price]`), which only cells of that may; undefined for none. */
export const unnamedColumns = (tokens: readonly FormulaToken[]): FormulaToken | undefined =>
  tokens.find((_, index) => isUnnamed(tokens, index));

/** A formula in which all columns have the name of their table; null where some have none. @param table whose cell has the formula */
export function withTableNamed(formula: string, table: string | null): string | null {
  if (!formula.includes('[')) return formula;
  const tokens = formulaTokens(formula);
  if (!unnamedColumns(tokens)) return formula;
  if (table === null) return null;
  return tokens.map(({ text }, index) => (isUnnamed(tokens, index) ? table + text : text)).join('');
}
