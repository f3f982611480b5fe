import { quotedText } from '../../../model/cell/formula/quoted-text.ts';
import { shownText } from '../editing/typed-formula.ts';

/** Comparisons with two values. */
export const takesTwo = (operator: string | null): boolean =>
  operator === 'between' || operator === 'notBetween';

/** What a rule compares with as it is typed: words without their quotes, numbers, a formula with its equals sign. */
export const shownOperand = (formula: string, locale: string): string =>
  plainOperand(formula) ?? `=${shownText(formula, locale)}`;

/** The words or the number that an operand is; undefined for a formula. */
export const plainOperand = (formula: string): string | undefined =>
  quotedText(formula) ?? (/^-?\d+(?:\.\d+)?$/.test(formula) ? formula : undefined);
