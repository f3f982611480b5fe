import type { FormulaToken } from './formula-tokens.ts';
import { functionName } from './functions.ts';

/** Before what LET and LAMBDA name: the engine takes it for nothing else then, whatever names the workbook has. */
export const VARIABLE = '_xlpm.';

/** With how many values each function calls the LAMBDA that it is given; MAP with as many as it has arrays. */
const calledWith: Readonly<Record<string, number>> = {
  BYCOL: 1,
  BYROW: 1,
  GROUPBY: 1,
  MAKEARRAY: 2,
  MAP: 0,
  PIVOTBY: 1,
  REDUCE: 2,
  SCAN: 2,
};

/** Whether a name is that of a function which is not called where it stands: files mark it. */
export const isFunctionAlone = (name: string): boolean => /^_xleta\./i.test(name);

/** Whether a function calls a LAMBDA that it is given. */
export const callsLambda = (name: string): boolean => name in calledWith;

/** Behind how many others these take a LAMBDA; all other functions take it last. */
const lambdaPlaces: Readonly<Record<string, number>> = { GROUPBY: 2, PIVOTBY: 3 };

/** Whether an argument, behind so many others, is the one where a function takes a LAMBDA. */
export const isLambdaPlace = (name: string, before: number, isLast: boolean): boolean =>
  name in lambdaPlaces ? before === lambdaPlaces[name] : callsLambda(name) && isLast;

/**
 * The LAMBDA that a function's name stands for where one is called.
 * @param caller what calls it, with so many arguments before it
 */
export function asLambda(name: string, caller: string, before: number): string {
  // It is given the values of all groups as well.
  const isPart = caller in lambdaPlaces && name === 'PERCENTOF';
  const count = isPart ? 2 : calledWith[caller] || before;
  const values = Array.from({ length: count }, (_, at) => `${VARIABLE}value${at}`);
  return `LAMBDA(${[...values, `${name}(${values.join(',')})`].join(',')})`;
}

/** The names that stand for something within a formula, in whatever case: those that LET and LAMBDA give. */
export function variablesOf(tokens: readonly FormulaToken[]): ReadonlySet<string> {
  const found = new Set<string>();
  /** What each parenthesis that is open belongs to, and whether a name may be given at this place. */
  const open: { readonly function: string; place: number }[] = [];
  const solid = tokens.filter(({ kind }) => kind !== 'space');
  for (const [index, { kind, text }] of solid.entries()) {
    const before = solid[index - 1];
    const inside = open.at(-1);
    if (text === '(')
      open.push({ function: before?.kind === 'name' ? functionName(before.text) : '', place: 0 });
    else if (text === ')') open.pop();
    else if (text === ',' && inside) inside.place += 1;
    else if (kind === 'name' && inside && (before?.text === ',' || before?.text === '(')) {
      const gives = inside.function === 'LAMBDA' || (inside.function === 'LET' && inside.place % 2 === 0);
      if (gives && solid[index + 1]?.text === ',') found.add(variableName(text));
    }
  }
  return found;
}

/** Without the prefixes by which files mark what LET and LAMBDA name: `_xlop.` where it may be left out. */
export function variableName(text: string): string {
  return text.replace(/^_xl(?:pm|op)\./i, '').toLowerCase();
}

/** Whether a name is given, by LAMBDA, to what may be left out. */
export function isOptional(text: string, next: FormulaToken | undefined, inside: string): boolean {
  return /^_xlop\./i.test(text) && next?.text === ',' && inside === 'LAMBDA';
}
