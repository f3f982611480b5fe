import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Area, type Axis, areaOf, lastOf } from '../area.ts';
import { applyOperation } from '../change.ts';
import { blankWorkbook, parseWorkbook } from '../document.ts';
import type { CellOperation } from '../operations.ts';
import type { Workbook } from '../workbook.ts';
import { Formula } from './formula.ts';
import { LineShifts } from './line-shifts.ts';

/** Lines at the beginning of a sheet, and at its end. */
const lineOf = (axis: Axis) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(24) },
    { weight: 1, arbitrary: fc.nat(12).map((back) => lastOf(axis) - back) },
  );

const runs = fc.constantFrom<Axis>('row', 'column').chain((axis) =>
  fc.record({
    axis: fc.constant(axis),
    changes: fc.array(
      fc.record({
        op: fc.constantFrom('insert' as const, 'delete' as const),
        axis: fc.constant(axis),
        at: lineOf(axis),
        count: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    lines: fc.array(fc.tuple(lineOf(axis), lineOf(axis)), { minLength: 1, maxLength: 12 }),
  }),
);

describe('rows and columns put in and taken out one after the other', () => {
  it('[XE86] a reference leads to where it leads when it follows each of them', () => {
    fc.assert(
      fc.property(runs, ({ axis, changes, lines }) => {
        const shifts = changes
          .map((change) => ({ ...change, count: Math.min(change.count, lastOf(axis) - change.at + 1) }))
          .map((change) => LineShifts.of(change));
        const atOnce = LineShifts.joined(shifts);
        for (const [one, other] of [...lines, [0, lastOf(axis)] as const]) {
          const area = areaOf(axis, Math.min(one, other), Math.max(one, other), 2, 3);
          const inTurn = shifts.reduce<Area | null>((next, shift) => next && shift.shift(next), area);
          expect(atOnce.shift(area)).toEqual(inTurn);
          expect(atOnce.shift(area) === area).toBe(inTurn === area);
        }
      }),
      { numRuns: Number(process.env.CELL_SEEDS ?? 300) },
    );
  });

  const formulas = (workbook: Workbook): string[] =>
    workbook.sheets.flatMap(({ grid }) => [...grid.formulas()].map(([{ text }, row]) => `${row} ${text}`));

  const rowCount = 40;
  const workbookOf = (): Workbook => {
    const rows = Array.from({ length: rowCount }, (_, row) => [
      ...[0, 0, 0, 0, row, 1, 0],
      { f: `SUM(A${row + 6}:A${row + 1})+$A$${rowCount - row}+Other!B${row + 1}` },
    ]);
    return parseWorkbook({
      ...blankWorkbook(),
      sheets: [
        { id: 's1', properties: { name: 'Data' }, rows },
        { id: 's2', properties: { name: 'Other' }, rows },
      ],
    });
  };
  const changes = fc.array(
    fc.record({
      sheet: fc.constantFrom('s1', 's2'),
      isInserted: fc.boolean(),
      at: fc.nat(45),
      count: fc.integer({ min: 1, max: 3 }),
      kind: fc.nat(12),
    }),
    { maxLength: 60 },
  );
  const operationOf = (
    { sheet, isInserted, at, count, kind }: { sheet: string; isInserted: boolean } & Record<string, unknown>,
    step: number,
  ): CellOperation => {
    if (kind === 0) return { op: 'sheet', sheet, patch: { name: `Named ${step}` } };
    if (kind === 1) return { op: 'moveCells', sheet, area: [3, 0, 5, 0], toSheet: sheet, row: 8, column: 0 };
    const lines = { sheet, axis: kind === 2 ? 'column' : 'row', at: kind === 2 ? 0 : at, count };
    return { op: isInserted ? 'insert' : 'delete', ...lines } as CellOperation;
  };

  it('[XE86] formulas are the same whether they were looked at in between or not', () => {
    fc.assert(
      fc.property(changes, (list) => {
        let [seen, unseen] = [workbookOf(), workbookOf()];
        for (const [step, change] of list.entries()) {
          const operation = operationOf(change, step);
          const [one, other] = [applyOperation(seen, operation), applyOperation(unseen, operation)];
          if (typeof one === 'string' || typeof other === 'string') {
            expect(one).toBe(other);
            continue;
          }
          [seen, unseen] = [one, other];
          formulas(seen);
        }
        expect(formulas(unseen)).toEqual(formulas(seen));
      }),
      { numRuns: Number(process.env.CELL_SEEDS ?? 40) },
    );
  });

  it('[XE86] each formula is made anew a few times, however many rows were put in', () => {
    const made = vi.spyOn(Formula, 'ofParts');
    let workbook = workbookOf();
    for (let step = 0; step < 3_000; step++) {
      const lines = { sheet: 's1', axis: 'row', at: 2 + (step % 30), count: 1 } as const;
      const op = step % 3 === 2 ? 'delete' : 'insert';
      workbook = applyOperation(workbook, { op, ...lines }) as Workbook;
    }
    formulas(workbook);
    expect(made.mock.calls.length).toBeLessThan(2 * rowCount * 4);
    made.mockRestore();
  });
});
