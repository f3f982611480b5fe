import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { LineRun } from '../../../model/cell/lines.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { groupAt, noOutline, outlineOf } from '../grid/outline.ts';
import { regrouped, turned } from './grouping.ts';

const blank = () => parseWorkbook(blankWorkbook());

/** A sheet whose rows 2 to 9 are grouped, and in them 3 to 5 and 7 to 8. */
function grouped(): Workbook {
  return made(
    made(blank(), (sheet) => regrouped(sheet, 'row', [[1, 8]], 1)),
    (sheet) =>
      regrouped(
        sheet,
        'row',
        [
          [2, 4],
          [6, 7],
        ],
        1,
      ),
  );
}

const sheetIn = (workbook: Workbook) => workbook.sheets[0]!;

function made(workbook: Workbook, make: (sheet: Workbook['sheets'][number]) => CellOperation[]): Workbook {
  return make(sheetIn(workbook)).reduce((now, operation) => {
    const after = applyOperation(now, operation);
    if (typeof after === 'string') throw new Error(after);
    return after;
  }, workbook);
}

const outlineIn = (workbook: Workbook, isBefore = false) =>
  outlineOf(
    [...sheetIn(workbook).grid.rows()].map(([row, { line }]): LineRun => [row, 1, line]),
    isBefore,
    1_048_576,
  );

const turn = (workbook: Workbook, isClosed: (group: { from: number; level: number }) => boolean) =>
  made(workbook, (sheet) =>
    turned({ sheet, rowOutline: outlineIn(workbook), columnOutline: noOutline }, 'row', isClosed),
  );

/** From, to, level and whether it is closed. */
const told = (workbook: Workbook, isBefore = false) =>
  outlineIn(workbook, isBefore).groups.map(({ from, to, level, isClosed }) => [from, to, level, isClosed]);

const hiddenRows = (workbook: Workbook) =>
  [...sheetIn(workbook).grid.rows()].filter(([, { line }]) => line.hidden).map(([row]) => row);

describe('groups of rows and columns', () => {
  it('[XS50] lie in each other, and have their button beside them on the side of sums', () => {
    const workbook = grouped();
    expect(told(workbook)).toEqual([
      [1, 8, 1, false],
      [2, 4, 2, false],
      [6, 7, 2, false],
    ]);
    const summaries = (isBefore: boolean) =>
      outlineIn(workbook, isBefore).groups.map(({ summary }) => summary);
    expect(summaries(false)).toEqual([9, 5, 8]);
    expect(summaries(true)).toEqual([0, 1, 5]);
    expect(groupAt(outlineIn(workbook), 3)).toMatchObject({ from: 2, level: 2 });
    expect(groupAt(outlineIn(workbook), 9)).toMatchObject({ from: 1, level: 1 });
    expect(groupAt(outlineIn(workbook), 20)).toBeNull();
    expect(outlineOf([[0, 3, { level: 1 }]], true, 100).groups[0]!.summary).toBe(3);
  });

  it('[XS50] are closed and opened; what is closed in one stays closed when that is opened', () => {
    const inner = turn(grouped(), ({ from }) => from === 2);
    expect(hiddenRows(inner)).toEqual([2, 3, 4]);
    const outer = turn(inner, ({ from }) => from <= 2);
    expect(hiddenRows(outer)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(told(outer).map(([, , , isClosed]) => isClosed)).toEqual([true, true, false]);
    const again = turn(outer, ({ from }) => from === 2);
    expect(hiddenRows(again)).toEqual([2, 3, 4]);
    expect(hiddenRows(turn(again, () => false))).toEqual([]);
    expect(hiddenRows(turn(grouped(), ({ level }) => level >= 2))).toEqual([2, 3, 4, 6, 7]);
  });

  it('[XS50] are not closed by rows that somebody hid by hand, as long as others of theirs are seen', () => {
    const byHand = made(grouped(), ({ id }) => [
      { op: 'lines', sheet: id, axis: 'row', spans: [[2, 3]], patch: { hidden: true } },
    ]);
    expect(told(byHand).every(([, , , isClosed]) => isClosed === false)).toBe(true);
    // A filter hides rows of a group without closing it.
    const filtered = made(grouped(), ({ id }) => [
      { op: 'lines', sheet: id, axis: 'row', spans: [[2, 4]], patch: { filtered: true } },
    ]);
    expect(told(filtered)[1]).toEqual([2, 4, 2, false]);
  });

  it('[XS50] are taken apart: what comes out of a closed one is shown', () => {
    const closed = turn(grouped(), ({ level }) => level === 1);
    const apart = made(closed, (sheet) => regrouped(sheet, 'row', [[0, 20]], -1));
    expect(told(apart).map(([from, to, level]) => [from, to, level])).toEqual([
      [2, 4, 1],
      [6, 7, 1],
    ]);
    expect(hiddenRows(apart)).toEqual([2, 3, 4, 6, 7]);
    const none = made(apart, (sheet) => regrouped(sheet, 'row', [[0, 20]], -1));
    expect([told(none), hiddenRows(none)]).toEqual([[], []]);
    let deep = blank();
    for (let level = 0; level < 9; level++)
      deep = made(deep, (sheet) => regrouped(sheet, 'column', [[1, 2]], 1));
    expect(sheetIn(deep).columns.at(1).level).toBe(7);
  });
});
