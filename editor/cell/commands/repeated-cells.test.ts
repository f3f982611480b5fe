import { expect, it } from 'vitest';
import type { Area } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { MergeIndex } from '../shown/merge-index.ts';
import { fillSelection } from './repeated-cells.ts';
import { areasName } from './ruled-areas.ts';

const blank = parseWorkbook(blankWorkbook());
const { id } = blank.sheets[0]!;

/** A workbook once what is selected was filled from the cells above it. */
function filledDown(workbook: Workbook, selected: string): Workbook {
  const sheet = workbook.sheets[0]!;
  const merges = new MergeIndex([...itemsOf(sheet, 'merge').values()].map(({ area }) => area));
  const view = {
    sheet,
    mergeAt: (row: number, column: number) => merges.at(row, column),
    mergesIn: (area: Area) => merges.in(area),
  };
  let after = workbook;
  let ids = 0;
  const editor = {
    range: readRange(selected)!,
    page: { view: { peek: () => view }, sheet },
    newId: () => `new${ids++}`,
    change(...operations: CellOperation[]) {
      after = changedWorkbook(after, operations);
      return true;
    },
  };
  fillSelection(editor as unknown as CellEditor, 'row');
  return after;
}

it('[XS139] keys that fill cells take conditional formats and validations along', () => {
  const begun = changedWorkbook(blank, [
    { op: 'set', sheet: id, cells: [[0, 0, { v: 1 }]] },
    {
      ...{ op: 'put', sheet: id, kind: 'validation', id: 'v' },
      item: { areas: [readRange('A1')!], type: 'list', formulas: ['"a,b"'] },
    },
  ]);
  const filled = filledDown(begun, 'A1:B3').sheets[0]!;
  expect(filled.grid.cell(2, 0).value).toBe(1);
  expect(areasName(itemsOf(filled, 'validation').get('v')!.areas)).toBe('A1, A2:A3');
});

it('[XS139] merged cells count as one: keys fill them from the cell before, and they stay merged', () => {
  const begun = changedWorkbook(blank, [
    { op: 'set', sheet: id, cells: [[0, 0, { v: 7 }]] },
    { op: 'put', sheet: id, kind: 'merge', id: 'm', item: { area: readRange('A2:B3')! } },
  ]);
  const after = filledDown(begun, 'A2:B3').sheets[0]!;
  expect([after.grid.cell(1, 0).value, after.grid.cell(2, 0).value]).toEqual([7, null]);
  expect([...itemsOf(after, 'merge').values()].map(({ area }) => rangeName(area))).toEqual(['A2:B3']);
});
