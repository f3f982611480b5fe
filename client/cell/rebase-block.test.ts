import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyOperation } from '../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../model/cell/document.ts';
import type { BlockInput, CellOperation, OperationNamed } from '../../model/cell/operations.ts';
import { sameWorkbook } from '../../model/cell/same-workbook.ts';
import { RandomOperations, randomOf } from '../../model/cell/testing/random-operations.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { cellsOfBlock } from './block-cells.ts';
import { effectsOf } from './effects.ts';
import { Rebase } from './rebase.ts';

const sheet = 's1';
type Block = OperationNamed<'block'>;

/** A block over most of where random operations work, half of them with formulas, and with cells that are left as they are. */
function randomBlock(random: RandomOperations, workbook: Workbook): Block {
  const hasFormulas = random.below(2) === 0;
  const input = (): BlockInput =>
    random.pick<() => BlockInput>([
      () => random.marker(),
      () => random.below(99),
      () => null,
      () => ({ v: null }),
      () => (hasFormulas ? { f: random.formula(workbook), v: 1 } : 1),
    ])();
  const rows = Array.from({ length: 3 + random.below(9) }, () =>
    Array.from({ length: random.below(7) }, input),
  );
  return {
    ...{ op: 'block', sheet, row: random.below(4), column: random.below(3), rows },
    ...(random.below(2) ? { undo: true as const } : {}),
  };
}

const asSet = ({ op: _op, row, column, rows, ...rest }: Block): CellOperation => ({
  ...rest,
  op: 'set',
  cells: [...cellsOfBlock({ row, column, rows })],
});

/** What the operation has made of the workbook that others have changed meanwhile, and the operations that it became. */
function rebased(
  operation: CellOperation,
  before: Workbook,
  others: readonly CellOperation[],
  after: Workbook,
) {
  const rebase = new Rebase(others.flatMap(effectsOf), after);
  const { made, document } = rebase.made([{ operation, document: before }]);
  return { document, became: made[0]?.operation ?? null };
}

/** A workbook after operations, as far as they apply. */
function changed(workbook: Workbook, count: number, next: (now: Workbook) => CellOperation) {
  let now = workbook;
  const operations: CellOperation[] = [];
  for (let at = 0; at < count; at++) {
    const operation = next(now);
    const after = applyOperation(now, operation);
    if (typeof after === 'string') continue;
    operations.push(operation);
    now = after;
  }
  return { now, operations };
}

/** A workbook, and what others have made of it. */
function changedByOthers(random: RandomOperations, kind: 'lines' | 'all') {
  const before = changed(parseWorkbook(blankWorkbook()), 6, (now) => random.set(now)).now;
  const lines = (): CellOperation => ({
    ...{
      op: random.pick(['insert', 'delete'] as const),
      sheet,
      axis: random.pick(['row', 'column'] as const),
    },
    ...{ at: random.below(12), count: 1 + random.below(2) },
  });
  const { now, operations } = changed(before, 1 + random.below(4), (workbook) => {
    if (random.below(3) === 0) return random.set(workbook);
    return kind === 'lines' ? lines() : random.structure(workbook);
  });
  return { before, others: operations, after: now };
}

it('[XC49] behind what others have done a block is what its cells one by one would be', () => {
  let blocks = 0;
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom<'lines' | 'all'>('lines', 'all'), (seed, kind) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const { before, others, after } = changedByOthers(random, kind);
      const block = randomBlock(random, before);
      const one = rebased(block, before, others, after);
      const other = rebased(asSet(block), before, others, after);
      if (one.became?.op === 'block') blocks++;
      expect(sameWorkbook(one.document, other.document)).toBe(true);
    }),
    { numRuns: 400 },
  );
  expect(blocks).toBeGreaterThan(0);
});

it('[XC49] so are cells that are emptied again', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom<'lines' | 'all'>('lines', 'all'), (seed, kind) => {
      const random = new RandomOperations(randomOf(seed), 'a');
      const { before, others, after } = changedByOthers(random, kind);
      const area = random.area(9, 6);
      const [top, left, bottom, right] = area;
      const rows = Array.from({ length: bottom - top + 1 }, () =>
        new Array<BlockInput>(right - left + 1).fill({ v: null }),
      );
      const clear: CellOperation = { op: 'clear', sheet, areas: [area], part: 'content', undo: true };
      const one = rebased(clear, before, others, after);
      const set = asSet({ op: 'block', sheet, row: top, column: left, rows, undo: true });
      expect(sameWorkbook(one.document, rebased(set, before, others, after).document)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('[XC49] rows of others that come into a large block, and cells that they write, leave it a few blocks', () => {
  const blank = parseWorkbook(blankWorkbook());
  const rows = Array.from({ length: 150_000 }, (_, row) => [row, row / 2]);
  const block: CellOperation = { op: 'block', sheet, row: 0, column: 0, rows, undo: true };
  const others: CellOperation[] = [
    { op: 'insert', sheet, axis: 'row', at: 130_000, count: 2 },
    { op: 'set', sheet, cells: [[7, 1, { v: 'theirs' }]] },
  ];
  const after = others.reduce<Workbook>((now, one) => applyOperation(now, one) as Workbook, blank);
  const { became, document } = rebased(block, blank, others, after);
  const parts = became?.op === 'several' ? became.operations : [];
  expect(parts.map(({ op }) => op)).toEqual(['block', 'block']);
  const { grid } = document.sheets[0]!;
  const values = [7, 129_999, 130_000, 130_002].map((row) =>
    [0, 1].map((column) => grid.cell(row, column).value),
  );
  expect(values).toEqual([
    [7, 'theirs'],
    [129_999, 64_999.5],
    [null, null],
    [130_000, 65_000],
  ]);
});
