import { expect, test } from 'vitest';
import { rangeCalls } from '../support/formulas/whole-columns.ts';
import { expectWholeColumns } from './whole-columns.ts';

test('[CE53] every function takes whole columns for all of its ranges', () => {
  const calls = rangeCalls.filter(({ takesAll }) => takesAll);
  expect(calls.length).toBeGreaterThan(160);
  expectWholeColumns(calls);
}, 300_000);
