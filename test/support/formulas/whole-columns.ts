import { type FormulaFunction, functions } from '../../../editor/cell/editing/functions.ts';
import { notCalculated } from '../../../model/calculation/functions.ts';
import { valuesFor } from './argument-values.ts';

/** A call that takes a range in one of its places, or in all of them that take one. */
export interface RangeCall {
  readonly name: string;
  /** Whether the range is in all places that take one. */
  readonly takesAll: boolean;
  /** The formula with that range, as a file has it. */
  with(range: string): string;
}

/** What stands for functions as arguments; of others it is the first value that random formulas give. */
const lambdas: Readonly<Record<string, string>> = {
  BYCOL: '_xlfn.LAMBDA(_xlpm.c,SUM(_xlpm.c))',
  BYROW: '_xlfn.LAMBDA(_xlpm.r,SUM(_xlpm.r))',
  MAP: '_xlfn.LAMBDA(_xlpm.x,N(_xlpm.x)+1)',
  REDUCE: '_xlfn.LAMBDA(_xlpm.a,_xlpm.x,_xlpm.a+N(_xlpm.x))',
  SCAN: '_xlfn.LAMBDA(_xlpm.a,_xlpm.x,_xlpm.a+N(_xlpm.x))',
};

/** These say themselves what they take, or take no values. */
const leftOut = new Set(['LAMBDA', 'LET', 'MAKEARRAY']);

function argumentFor({ name, takes }: FormulaFunction, place: number): string {
  const argument = takes[place]!;
  const plain = argument.text.replace(/[[\]\d]/g, '');
  if (plain === 'function' && lambdas[name]) return lambdas[name];
  if (argument.isRange) return 'B1:B12';
  return valuesFor(name, plain)[0]!;
}

function call(one: FormulaFunction, places: readonly number[], count: number, takesAll: boolean): RangeCall {
  const given = Array.from({ length: count }, (_, place) =>
    places.includes(place) ? null : argumentFor(one, place),
  );
  return {
    name: one.name,
    takesAll,
    with: (range) => `${one.prefix}${one.name}(${given.map((text) => text ?? range).join(',')})`,
  };
}

/** Of all functions that are calculated, each place in which a range is taken, and all of them at once. */
export const rangeCalls: readonly RangeCall[] = functions
  .filter(({ name }) => !(name in notCalculated) && !leftOut.has(name))
  .flatMap((one) => {
    const isOptional = ({ text }: { text: string }) => text.startsWith('[');
    // What may come again and again does once, and not before what has to come.
    const needed = one.takes.findLastIndex((argument) => argument.text !== '…' && !isOptional(argument));
    const takes = one.takes.filter(
      (argument, place) => argument.text !== '…' && !(isOptional(argument) && place < needed),
    );
    const required = takes.filter((argument) => !isOptional(argument)).length;
    const named = { ...one, takes };
    const places = takes.flatMap(({ isRange }, place) => (isRange ? [place] : []));
    const last = places.at(-1);
    if (last === undefined) return [];
    return [
      ...places.map((place) => call(named, [place], Math.max(required, place + 1), places.length === 1)),
      ...(places.length > 1 ? [call(named, places, Math.max(required, last + 1), true)] : []),
    ];
  });
