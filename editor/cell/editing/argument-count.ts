import type { FormulaToken } from '../../../model/calculation/formula-tokens.ts';
import { functionNamed } from './functions.ts';

/** A function that is given fewer arguments than it needs, or more than it takes. */
export interface CountFault {
  readonly kind: 'few' | 'many';
  /** The function. */
  readonly sign: string;
}

interface Call {
  /** Empty where brackets only hold together what is in them. */
  readonly name: string;
  separators: number;
  isEmpty: boolean;
}

/** The first call of a known function with a wrong number of arguments; null for none. An argument that is left empty counts. */
export function countFault(tokens: readonly FormulaToken[]): CountFault | null {
  const open: Call[] = [];
  const pieces = tokens.filter(({ kind }) => kind !== 'space');
  let braces = 0;
  for (const [index, { kind, text }] of pieces.entries()) {
    const isSign = kind === 'other';
    const call = open.at(-1);
    if (isSign && text === ')') {
      open.pop();
      const fault = call && faultOf(call);
      if (fault) return fault;
      continue;
    }
    if (call) call.isEmpty = false;
    if (isSign && text === '{') braces++;
    if (isSign && text === '}') braces--;
    if (isSign && /^[,;]$/.test(text) && call && braces === 0) call.separators++;
    const before = pieces[index - 1];
    if (isSign && text === '(')
      open.push({ name: before?.kind === 'name' ? before.text : '', separators: 0, isEmpty: true });
  }
  return null;
}

function faultOf({ name, separators, isEmpty }: Call): CountFault | null {
  const called = functionNamed(name.replace(/^(?:_xlfn\.|_xlws\.)+/i, ''));
  if (!called) return null;
  const count = isEmpty ? 0 : separators + 1;
  const needed = called.takes.filter(({ text }) => text !== '…' && !text.startsWith('[')).length;
  if (count < needed) return { kind: 'few', sign: called.name };
  return called.repeated === 0 && count > called.takes.length ? { kind: 'many', sign: called.name } : null;
}
