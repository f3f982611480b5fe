import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clearCells, setCells } from './apply-cells.ts';
import type { Area } from './area.ts';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellInput, ClearedPart, SetCells } from './operations.ts';
import { sameWorkbook } from './same-workbook.ts';
import { RandomOperations, randomOf } from './testing/random-operations.ts';
import type { Sheet, Workbook } from './workbook.ts';

const nothing: Readonly<Record<ClearedPart, CellInput>> = {
  content: { v: null },
  format: { s: 0 },
  all: { v: null, s: 0 },
};

/** A workbook that random operations have led to; rows, columns and cells of it have formats. */
function randomWorkbook(random: RandomOperations): Workbook {
  let workbook = parseWorkbook(blankWorkbook());
  for (let step = 0; step < 40; step++) {
    const operation = step % 3 === 0 ? random.set(workbook) : random.other(workbook);
    const after = applyOperation(workbook, operation);
    if (typeof after !== 'string') workbook = after;
  }
  return workbook;
}

/** The same as clearing, for each cell that there is. */
const setToNothing = ({ id, grid }: Sheet, areas: readonly Area[], part: ClearedPart): SetCells => ({
  ...{ op: 'set', sheet: id, formats: [{}] },
  cells: areas.flatMap(([r1, c1, r2, c2]) =>
    [...grid.rows(r1, r2)].flatMap(([row, { columns }]) =>
      columns
        .filter((column) => column >= c1 && column <= c2)
        .map((column) => [row, column, nothing[part]] as const),
    ),
  ),
});

it('[XE92] clearing is what setting each of the cells to nothing is', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom<ClearedPart>('content', 'format', 'all'), (seed, part) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const workbook = randomWorkbook(random);
      const sheet = random.pick(workbook.sheets);
      // They may lie over each other.
      const areas = [random.area(9, 6), random.area(9, 6)];
      const cleared = clearCells(workbook, sheet, { op: 'clear', sheet: sheet.id, areas, part });
      const set = setCells(workbook, sheet, setToNothing(sheet, areas, part));
      if (typeof cleared === 'string' || typeof set === 'string') throw new Error(`${cleared}`);
      expect(sameWorkbook(cleared, set)).toBe(true);
      const weights = [cleared, set].map(({ sheets }) => sheets.map(({ grid }) => grid.weight));
      expect(weights[0]).toEqual(weights[1]);
    }),
    { numRuns: 200 },
  );
});

it('[XE92] a cell without content stays where its column looks otherwise', () => {
  const sheet = 's1';
  const bold = { font: { bold: true } };
  const done = [
    { op: 'format', sheet, areas: [[0, 1, 1_048_575, 1]], patch: bold },
    { op: 'set', sheet, cells: [0, 1, 2].map((column) => [0, column, { v: 1, s: 0 }]), formats: [{}] },
    { op: 'clear', sheet, areas: [[0, 0, 1_048_575, 2]], part: 'content' },
  ].reduce<Workbook>(
    (now, operation) => applyOperation(now, operation as never) as Workbook,
    parseWorkbook(blankWorkbook()),
  );
  expect(done.sheets[0]!.grid.row(0)?.columns).toEqual([1]);
  const plain = applyOperation(done, {
    op: 'clear',
    sheet,
    areas: [[0, 0, 1_048_575, 16_383]],
    part: 'all',
  }) as Workbook;
  expect(plain.sheets[0]!.grid.lastRow).toBe(-1);
  expect(plain.sheets[0]!.columns.runs).toEqual([]);
});
