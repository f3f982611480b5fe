import { type FormulaFunction, functions } from '../../../editor/cell/editing/functions.ts';
import { notCalculated } from '../../../model/calculation/functions.ts';
import { valuesFor } from './argument-values.ts';

/** A call in which one argument is to be a single value. */
export interface SingleCall {
  readonly name: string;
  /** Whether it may come to several values even if each argument is one. */
  readonly givesSeveral: boolean;
  /** The value by itself. */
  readonly value: string;
  /** The formula with something in place of that value, as a file has it. */
  with(value: string): string;
}

/** These take names, functions or references where no range is taken, or give another value each time. */
const leftOut = new Set(
  'FORMULATEXT ISFORMULA ISOMITTED LAMBDA LET MAKEARRAY RAND RANDARRAY RANDBETWEEN'.split(' '),
);
const lambdas: Readonly<Record<string, string>> = {
  BYCOL: '_xlfn.LAMBDA(_xlpm.c,SUM(_xlpm.c))',
  BYROW: '_xlfn.LAMBDA(_xlpm.r,SUM(_xlpm.r))',
  MAP: '_xlfn.LAMBDA(_xlpm.x,N(_xlpm.x)+1)',
  REDUCE: '_xlfn.LAMBDA(_xlpm.a,_xlpm.x,_xlpm.a+N(_xlpm.x))',
  SCAN: '_xlfn.LAMBDA(_xlpm.a,_xlpm.x,_xlpm.a+N(_xlpm.x))',
};

function callsOf(one: FormulaFunction): SingleCall[] {
  const takes = one.takes.filter(({ text }) => text !== '…');
  const plain = takes.map(({ text }) => text.replace(/[[\]\d]/g, ''));
  const values = takes.map(({ isRange }, place) =>
    plain[place] === 'function' && lambdas[one.name]
      ? [lambdas[one.name]!]
      : valuesFor(one.name, `${plain[place]}${isRange ? ':' : ''}`),
  );
  const last = takes.findLastIndex(({ text }) => !text.startsWith('['));
  return takes.flatMap(({ isRange }, place) => {
    if (isRange || (plain[place] === 'function' && lambdas[one.name])) return [];
    const count = Math.max(last, place) + 1;
    return [0, 1].map((round): SingleCall => {
      const given = values.slice(0, count).map((from) => from[round % from.length]!);
      return {
        name: one.name,
        givesSeveral: one.givesSeveral,
        value: given[place]!,
        with: (value) => `${one.prefix}${one.name}(${given.with(place, value).join(',')})`,
      };
    });
  });
}

/** Of all functions that are calculated, each place in which one value is taken, with two values. */
export const singleCalls: readonly SingleCall[] = functions
  .filter(({ name }) => !(name in notCalculated) && !leftOut.has(name))
  .flatMap(callsOf);
