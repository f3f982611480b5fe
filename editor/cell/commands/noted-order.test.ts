import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { readRange } from '../grid/cell-areas.ts';
import { sortBy } from './rows-of-data.ts';
import { sortRange } from './sorting.ts';

const begun = parseWorkbook(blankWorkbook());
const { id: sheet } = begun.sheets[0]!;
const values = ['Price', 3, 1, 2];

/** A list of three rows with the buttons of a filter, which somebody sorts. */
function editing(canFilter = true, sorted?: { column: number }[]) {
  let now = changedWorkbook(
    begun,
    { op: 'set', sheet, cells: values.map((v, row) => [row, 1, { v }] as const) },
    { op: 'put', sheet, kind: 'filter', id: 'f', item: { area: readRange('A1:C4')!, columns: [], sorted } },
  );
  const view = () => ({
    ...{ sheet: now.sheets[0]!, used: readRange('A1:C4')!, rows: { isHidden: () => false } },
    mergesIn: () => [],
    valueAt: (row: number, column: number) => now.sheets[0]!.grid.cell(row, column).value,
  });
  const editor = {
    role: { canFilter },
    page: {
      ...{ sheetId: { peek: () => sheet }, view: { peek: view }, settings: { locale: 'en' } },
      get sheet() {
        return now.sheets[0]!;
      },
    },
    change(...operations: CellOperation[]) {
      now = changedWorkbook(now, operations);
      return true;
    },
  } as unknown as CellEditor;
  return { editor, sorted: () => itemsOf(now.sheets[0]!, 'filter').get('f')!.sorted };
}

const body = readRange('A2:C4')!;

it('[XS251] a filter says by which columns its rows were sorted last', () => {
  const { editor, sorted } = editing();
  sortRange(editor, body, 1, -1);
  expect(sorted()).toEqual([{ column: 1, falling: true }]);
  sortRange(editor, body, 1, 1);
  expect(sorted()).toEqual([{ column: 1 }]);
  const keys = [
    { column: 1, direction: 1 },
    { column: 2, direction: -1 },
  ] as const;
  sortBy(editor, body, keys);
  expect(sorted()).toEqual([{ column: 1 }, { column: 2, falling: true }]);
});

it('[XS251] it says so of none where a part of its rows was sorted, and nothing where one may not filter', () => {
  const { editor, sorted } = editing();
  sortRange(editor, body, 1, 1);
  sortRange(editor, readRange('A3:C4')!, 1, -1);
  expect(sorted()).toBeUndefined();
  const other = editing(false);
  sortRange(other.editor, body, 1, 1);
  expect(other.sorted()).toBeUndefined();
});

it('[XS257] what it has said ends where rows are sorted by somebody who may not say it, or on a protected sheet', () => {
  const { editor, sorted } = editing(false, [{ column: 2 }]);
  expect(sorted()).toEqual([{ column: 2 }]);
  sortRange(editor, body, 1, 1);
  expect(sorted()).toBeUndefined();
});

it('[XS257] it says the same again where rows are sorted by the same column again', () => {
  const { editor, sorted } = editing(true, [{ column: 1 }]);
  sortRange(editor, body, 1, 1);
  expect(sorted()).toEqual([{ column: 1 }]);
});
