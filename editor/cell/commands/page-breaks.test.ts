import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { readRange } from '../grid/cell-areas.ts';
import { breaksHere, canBreakHere, removeBreaks, toggleBreaks } from './page-breaks.ts';

it('[XS184] pages begin before the first row and column of what is selected, or no more where they do', () => {
  let workbook = parseWorkbook(blankWorkbook());
  let ids = 0;
  const editorAt = (name: string) =>
    ({
      range: readRange(name)!,
      page: { sheet: workbook.sheets[0]!, sheetId: { peek: () => 's1' } },
      newId: () => `b.${++ids}`,
      change: (...operations: CellOperation[]) => {
        workbook = changedWorkbook(workbook, operations);
        return true;
      },
    }) as unknown as CellEditor;
  const breaks = () =>
    [...itemsOf(workbook.sheets[0]!, 'pageBreak').values()].map(({ axis, cell }) => `${axis} ${cell}`);
  expect(['A1', 'A:C', '1:3', 'A2', 'C:D'].map((name) => canBreakHere(editorAt(name)))).toEqual([
    ...[false, false, false, true, true],
  ]);
  toggleBreaks(editorAt('3:4'));
  toggleBreaks(editorAt('B1'));
  expect(breaks()).toEqual(['row 2,0', 'column 0,1']);
  expect([breaksHere(editorAt('B3')), breaksHere(editorAt('B4'))]).toEqual([true, false]);
  toggleBreaks(editorAt('B4'));
  expect(breaks()).toEqual(['row 2,0', 'column 0,1', 'row 3,0']);
  toggleBreaks(editorAt('B3'));
  expect(breaks()).toEqual(['row 3,0']);
  removeBreaks(editorAt('A1'));
  expect(breaks()).toEqual([]);
});
