import { expect, it, vi } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { notify } from '../../kit/notices.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { colorSheet, copySheet } from './sheets.ts';

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
