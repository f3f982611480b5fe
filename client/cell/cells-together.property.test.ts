import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ItemKind, sheetItemKinds, workbookItemKinds } from '../../model/cell/items.ts';
import type { OperationName } from '../../model/cell/operations.ts';
import { CellTrial } from '../testing/cell-trial.ts';

const seedCount = Number(process.env.CELL_SEEDS ?? 20);

/** Every operation there is, and for those that page or program makes of items, rows and sheets what they are about. */
const operations = {
  ...{
    set: true,
    block: true,
    clear: true,
    fill: true,
    format: true,
    insert: true,
    delete: true,
    move: true,
  },
  ...{ moveCells: true, sort: true, lines: true, addSheet: true, removeSheet: true, restoreSheet: true },
  ...{ moveSheet: true, sheet: true, put: true, patch: true, drop: true, chart: true, workbook: true },
  ...{ recalculate: true, several: true, nothing: false },
} satisfies Record<OperationName, boolean>;
/** Pivot tables, and references that only a part of the file has, come from files alone: they follow. */
const ofFilesAlone: readonly ItemKind[] = ['pivot', 'held'];
const kinds = [...sheetItemKinds, ...workbookItemKinds].filter((kind) => !ofFilesAlone.includes(kind));

describe('spreadsheets edited together', () => {
  it('[SV40] the people make every operation, on items of every kind, with filters, pivot tables and the set-up of pages among them', () => {
    const deeds = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      const one = new CellTrial(seed);
      one.run(160);
      one.finish();
      expect(one.failures).toEqual([]);
      for (const deed of one.deeds) deeds.add(deed);
    }
    const wanted = [
      ...Object.entries(operations).flatMap(([op, isMade]) => (isMade ? [op] : [])),
      ...kinds.map((kind) => `put ${kind}`),
      ...['lines filtered', 'sheet page', 'sheet protection', 'workbook protected'],
    ];
    expect(wanted.filter((deed) => !deeds.has(deed))).toEqual([]);
    expect(ofFilesAlone.filter((kind) => !new CellTrial(1).kinds.has(kind))).toEqual([]);
  });

  it('[XC20] [XC21] [XC22] five people come to the same, every set lands on its cell, and undo takes back only what is one’s own', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const trial = new CellTrial(seed);
        trial.run(80);
        trial.finish();
        expect(trial.failures).toEqual([]);
      }),
      // Somebody's cells move to rows of which others take some out, or to columns that others sort; what was written beside is not covered.
      // Rows come and go again before somebody looks at a formula whose reference is written backwards: it is written anew for all.
      { numRuns: seedCount, examples: [[122443942], [91644875], [932674319], [730576777]] },
    );
  }, 3_600_000);
});
