import { describe, expect, it } from 'vitest';
import { lastColumn, lastRow } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { readRange } from '../grid/cell-areas.ts';
import { mergeOf } from './merging.ts';
import { hiddenSpans } from './structure.ts';

const blank = parseWorkbook(blankWorkbook());
const sheet = blank.sheets[0]!.id;

describe('hidden rows and columns', () => {
  const hide = (axis: 'row' | 'column', ...spans: readonly (readonly [number, number])[]): CellOperation => ({
    ...{ op: 'lines', sheet, axis, spans },
    patch: { hidden: true },
  });
  const hidden = changedWorkbook(
    blank,
    hide('column', [0, 1], [lastColumn, lastColumn]),
    hide('row', [0, 0], [4, 5], [lastRow, lastRow]),
  ).sheets[0]!;

  it('[XH22] are found among what is selected and beside it, to the ends of the sheet', () => {
    expect(hiddenSpans(hidden, 'column', [[0, lastColumn]])).toEqual([
      [0, 1],
      [lastColumn, lastColumn],
    ]);
    expect(hiddenSpans(hidden, 'column', [[2, 2]])).toEqual([[1, 1]]);
    expect(hiddenSpans(hidden, 'row', [[0, lastRow]])).toEqual([
      [0, 0],
      [4, 5],
      [lastRow, lastRow],
    ]);
    expect(hiddenSpans(hidden, 'row', [[1, 3]])).toEqual([
      [0, 0],
      [4, 4],
    ]);
    expect(hiddenSpans(hidden, 'row', [[8, 9]])).toEqual([]);
  });
});

describe('merged cells', () => {
  const merged = (cells: Readonly<Record<string, number>>) => {
    const set: CellOperation = {
      ...{ op: 'set', sheet },
      cells: Object.entries(cells).map(([name, v]) => {
        const [top, left] = readRange(name)!;
        return [top, left, { v }];
      }),
    };
    const workbook = changedWorkbook(blank, set);
    const { operations, isLossy } = mergeOf(workbook.sheets[0]!, readRange('B2:D4')!, 'm1');
    const { grid, items } = changedWorkbook(workbook, ...operations).sheets[0]!;
    const values = [...grid.rows()].flatMap(([, row]) => row.cells.flatMap(({ value }) => value ?? []));
    return { first: grid.cell(1, 1).value, values, isLossy, count: items.merge?.size };
  };

  it('[XH23] have the first value that there is; the others are told of', () => {
    expect(merged({ B2: 1 })).toEqual({ first: 1, values: [1], isLossy: false, count: 1 });
    expect(merged({ C3: 2 })).toEqual({ first: 2, values: [2], isLossy: false, count: 1 });
    expect(merged({ C3: 2, B4: 3 })).toEqual({ first: 2, values: [2], isLossy: true, count: 1 });
    expect(merged({ A1: 9 })).toEqual({ first: null, values: [9], isLossy: false, count: 1 });
  });
});
