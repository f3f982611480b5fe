import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type SheetAct, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellAt, readRange } from '../grid/cell-areas.ts';
import { setLink } from './links.ts';

const s1 = { sheet: 's1' };
const day = changedWorkbook(parseWorkbook(blankWorkbook()), {
  ...{ op: 'set', ...s1, cells: [[0, 0, { v: 46_000, s: 0 }]] },
  formats: [{ number: 'yyyy-mm-dd', protection: { locked: false } }],
});
const guarded = (...allows: SheetAct[]): Workbook =>
  changedWorkbook(day, { op: 'sheet', ...s1, patch: { protection: { allows } } });

/** A1 after it was given a link: what it holds, where it leads to, and its colour. */
function linked(before: Workbook, text: string | null) {
  let workbook = before;
  const editor = {
    range: readRange('A1')!,
    selection: { peek: () => ({ active: cellAt(0, 0) }) },
    page: { sheet: before.sheets[0]!, sheetId: { peek: () => 's1' }, workbook: { peek: () => before } },
    newId: () => 'l.1',
    change: (...operations: CellOperation[]) => {
      workbook = changedWorkbook(before, operations);
      return true;
    },
  } as unknown as CellEditor;
  setLink(editor, 'https://example.org', text);
  const sheet = workbook.sheets[0]!;
  const { value, format } = sheet.grid.cell(0, 0);
  const [link] = itemsOf(sheet, 'link').values();
  return [value, link?.address, workbook.formats.at(format).font?.color?.rgb ?? null];
}

it('[XS212] a cell keeps what it holds when it gets a link, unless another text is typed for it', () => {
  expect(linked(day, null)).toEqual([46_000, 'https://example.org', '0563C1']);
  expect(linked(day, 'Home')).toEqual(['Home', 'https://example.org', '0563C1']);
  expect(linked(day, '')).toEqual(['https://example.org', 'https://example.org', '0563C1']);
});

it('[XS212] on a protected sheet that leaves links it comes, and looks so where formats are left', () => {
  expect(linked(guarded('insertLinks'), null)).toEqual([46_000, 'https://example.org', null]);
  expect(linked(guarded('insertLinks', 'formatCells'), null)).toEqual([
    46_000,
    'https://example.org',
    '0563C1',
  ]);
});
