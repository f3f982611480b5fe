import { readFileSync } from 'node:fs';
import type { CellValue } from '../calculation.ts';

/** A formula with the value that Excel documents. */
export interface DocumentedValue {
  readonly formula: string;
  readonly value: CellValue;
  /** One of the last digit that is given: some are cut off there, and not rounded. */
  readonly tolerance: number;
}

function read(line: string): DocumentedValue {
  const [formula, text] = line.split(' → ') as [string, string];
  if (text.startsWith('"')) return { formula, value: text.slice(1, -1).replaceAll('""', '"'), tolerance: 0 };
  if (text === 'TRUE' || text === 'FALSE') return { formula, value: text === 'TRUE', tolerance: 0 };
  if (text.startsWith('#')) return { formula, value: { error: text }, tolerance: 0 };
  const [, decimals = '', exponent = '0'] = /(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(text)!;
  return { formula, value: Number(text), tolerance: 1.01 * 10 ** (Number(exponent) - decimals.length) };
}

const table = readFileSync(new URL('./documented-values.txt', import.meta.url), 'utf8');

/**
 * Mostly of the examples on the pages of Excel's functions, and what follows from what these say; the cells that they read are
 * `documentedCells`. A number is meant to as many digits as it has.
 */
export const documentedValues: readonly DocumentedValue[] = table.trim().split('\n').map(read);
