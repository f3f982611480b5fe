import { expect, it, vi } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { notify } from '../../kit/notices.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { neighbourOf } from '../shown/neighbour-sheet.ts';
import { colorSheet, copySheet, moveSheet } from './sheets.ts';

vi.mock('../../kit/notices.tsx', () => ({ notify: vi.fn() }));

/** What copying asks of an editor whose sheet has these items. */
function editorOf(items: object): CellEditor {
  const json = blankWorkbook();
  const workbook = parseWorkbook({ ...json, sheets: json.sheets.map((sheet) => ({ ...sheet, items })) });
  const editor = {
    page: { workbook: { peek: () => workbook }, sheet: workbook.sheets[0] },
    newId: () => 'a.1',
  };
  return {
    ...editor,
    change: () => true,
    sheets: { showWhenThere: () => undefined },
  } as unknown as CellEditor;
}

it('[XC35] who copies a sheet with pivot tables is told that the copy has none', () => {
  expect(copySheet(editorOf({}))).toBe(true);
  expect(notify).not.toHaveBeenCalled();
  expect(copySheet(editorOf({ pivot: { p1: { area: [0, 0, 1, 1], name: 'Pivot' } } }))).toBe(true);
  expect(notify).toHaveBeenCalledOnce();
});

it('[XU15] a tab gets a colour and loses it', () => {
  const change = vi.fn(() => true);
  const editor = { ...editorOf({}), change } as unknown as CellEditor;
  colorSheet(editor, 's1', { rgb: '0070C0' });
  colorSheet(editor, 's1', null);
  expect(change.mock.calls).toEqual([
    [{ op: 'sheet', sheet: 's1', patch: { color: { rgb: '0070C0' } } }],
    [{ op: 'sheet', sheet: 's1', patch: { color: null } }],
  ]);
});

it('[XS133] a sheet is moved past the next one that is seen, and where one goes its neighbour is shown', () => {
  const json = blankWorkbook();
  const sheets = [...'abcd'].map((id) => ({
    ...{ id, rows: [] },
    properties: { name: id, ...(id === 'c' && { state: 'hidden' as const }) },
  }));
  const workbook = parseWorkbook({ ...json, sheets });
  const places = (id: string): unknown[] => {
    const changes: { to?: number }[] = [];
    const page = { workbook: { peek: () => workbook }, sheetId: { peek: () => id } };
    const editor = { page, change: (one: object) => changes.push(one) > 0 } as unknown as CellEditor;
    moveSheet(editor, 1);
    moveSheet(editor, -1);
    return changes.map(({ to }) => to);
  };
  expect([...'abd'].map(places)).toEqual([[1], [3, 0], [1]]);
  expect([...'abd'].map((id) => neighbourOf(workbook, id)?.id)).toEqual(['b', 'd', 'b']);
});
