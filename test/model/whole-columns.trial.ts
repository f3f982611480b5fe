// Each range of each function by itself; all of them at once are asked by `whole-columns.test.ts`.
import { expect, test } from 'vitest';
import { rangeCalls } from '../support/formulas/whole-columns.ts';
import { expectWholeColumns } from './whole-columns.ts';

test('[CE53] every function takes a whole column for each of its ranges', () => {
  expect(rangeCalls.length).toBeGreaterThan(350);
  expectWholeColumns(rangeCalls);
}, 600_000);
