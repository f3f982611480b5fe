import { type FormulaFunction, functions } from '../../../editor/cell/editing/functions.ts';
import { randomFrom } from '../fault-random.ts';
import { strangeValues, valuesFor } from './argument-values.ts';

export interface RandomFormula {
  /** The function that it calls; of operators, `operators`. */
  readonly about: string;
  /** As a file has it, without `=`. */
  readonly formula: string;
  /** An array formula of one cell, or a plain one. */
  readonly kind: 'array' | 'single';
}

/** Depend on the moment, on chance, on the place or on the host, or take functions as arguments. */
const leftOut = new Set(
  'NOW TODAY RAND RANDBETWEEN RANDARRAY CELL INFO INDIRECT OFFSET FORMULATEXT SHEET SHEETS HYPERLINK ISFORMULA LAMBDA LET MAP REDUCE SCAN BYROW BYCOL MAKEARRAY ISOMITTED'.split(
    ' ',
  ),
);

/** Those that are asked. */
export const askedFunctions = functions.filter(({ name }) => !leftOut.has(name));

/** One argument in so many is something for which the function is not meant. */
const oneStrangeIn = 7;
const operators = ['+', '-', '*', '/', '^', '&', '=', '<', '>', '<=', '>=', '<>'];

/** Formulas of all functions, one after the other, that are the same for the same seed. */
export function* randomFormulas(seed: number): Generator<RandomFormula, never> {
  const random = randomFrom(seed);
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)]!;
  const value = (name: string, argument: string) =>
    random() * oneStrangeIn < 1 ? pick(strangeValues) : pick(valuesFor(name, argument));
  const kind = () => (random() < 0.3 ? 'array' : 'single');
  const operation = (): RandomFormula => {
    const sides = [value('', 'value'), value('', 'value')];
    return { about: 'operators', formula: `(${sides[0]})${pick(operators)}(${sides[1]})`, kind: kind() };
  };
  const call = (one: FormulaFunction): RandomFormula => {
    const given = argumentsOf(one, random).map((argument) =>
      argument === '' ? '' : value(one.name, argument),
    );
    const text = `${one.prefix}${one.name}(${given.join(',')})`;
    // Of several values the last of the first two rows and columns is asked for.
    if (!one.givesSeveral || random() < 0.3) return { about: one.name, formula: text, kind: kind() };
    const place = pick(['1,1', '2,1', '1,2']);
    return { about: one.name, formula: `INDEX(${text},${place})`, kind: 'array' };
  };
  while (true) {
    for (const one of askedFunctions) yield call(one);
    for (let count = 0; count < 20; count++) yield operation();
  }
}

/** Names of the arguments of a call, with a colon where a range is taken; an empty one is left out between commas. */
function argumentsOf({ takes, repeated }: FormulaFunction, random: () => number): string[] {
  const dots = takes.findIndex(({ text }) => text === '…');
  const named = takes
    .map(({ text, isRange }) => ({
      name: `${text.replace(/[[\]\d]/g, '')}${isRange ? ':' : ''}`,
      optional: text.startsWith('['),
    }))
    .filter(({ name }) => name !== '…');
  const least = named.filter(({ optional }) => !optional).length;
  const count = least + Math.floor(random() * (named.length - least + 1));
  const names = named
    .slice(0, count)
    .map(({ name, optional }, index) => (optional && index < count - 1 && random() < 0.1 ? '' : name));
  if (dots < 0 || count < named.length) return names;
  for (let more = Math.floor(random() * 3); more > 0; more--)
    names.push(...named.slice(dots - repeated, dots).map(({ name }) => name));
  return names;
}
