import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellTrial } from '../testing/cell-trial.ts';

const seedCount = Number(process.env.CELL_SEEDS ?? 6);

describe('spreadsheets edited together', () => {
  it('[XC20] [XC21] [XC22] five people come to the same, every set lands on its cell, and undo takes back only what is one’s own', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const trial = new CellTrial(seed);
        trial.run(80);
        trial.finish();
        expect(trial.failures).toEqual([]);
      }),
      { numRuns: seedCount },
    );
  }, 3_600_000);
});
