import { signal } from '@preact/signals';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SheetAct } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { entriesOf } from './entries.ts';

// Shortcuts are named as the machine of the browser does.
beforeAll(() => vi.stubGlobal('navigator', { platform: '' }));
afterAll(() => vi.unstubAllGlobals());

test('[XS124] who may not filter is offered no filter', () => {
  const offered = (canFilter: boolean) => {
    const sheet = { items: new Map(), properties: {} };
    const selection = signal({ active: { row: 0, column: 0 } });
    const editor = {
      ...{ canEdit: true, page: { sheet }, selection, role: { canFilter } },
    } as unknown as CellEditor;
    return entriesOf(editor, ['filter', 'sortRising']).map(
      (entry) => entry !== 'separator' && entry.disabled !== true,
    );
  };
  expect(offered(true)).toEqual([true, true]);
  expect(offered(false)).toEqual([false, true]);
});

test('[XS60] who may not protect is offered nothing that protects or lifts a protection', () => {
  const offered = (canProtect: boolean) => {
    const page = { sheet: { properties: {} } };
    const editor = { canEdit: true, page, role: { canProtect } } as unknown as CellEditor;
    const entries = entriesOf(editor, ['protectSheet', 'protectBook', 'names']);
    return entries.map((entry) => entry !== 'separator' && entry.disabled !== true);
  };
  expect(offered(true)).toEqual([true, true, true]);
  expect(offered(false)).toEqual([false, false, true]);
});

test('[XS213] what a protection does not leave is offered to nobody', () => {
  const offered = (allows: readonly SheetAct[] | null, isBookProtected: boolean) => {
    const sheet = { items: {}, properties: allows && { protection: { allows } } };
    const workbook = signal({ properties: { protected: isBookProtected } });
    const selection = signal({ active: { row: 0, column: 0 } });
    const editor = {
      ...{ canEdit: true, page: { sheet: { ...sheet, properties: sheet.properties ?? {} }, workbook } },
      ...{ selection, role: { canProtect: true, canComment: true } },
    } as unknown as CellEditor;
    const names = [
      'indent',
      'numberFormat',
      'deleteRows',
      'sortRising',
      'insertCellsDown',
      'addSheet',
    ] as const;
    const entries = entriesOf(editor, [...names, 'fillDown', 'protectSheet', 'comment']);
    return entries.map((entry) => entry !== 'separator' && entry.disabled !== true);
  };
  const always = [true, true, true];
  expect(offered(null, false)).toEqual([true, true, true, true, true, true, ...always]);
  expect(offered(null, true)).toEqual([true, true, true, true, true, false, ...always]);
  expect(offered([], false)).toEqual([false, false, false, false, false, true, ...always]);
  expect(offered(['formatCells'], false)).toEqual([true, true, false, false, false, true, ...always]);
  expect(offered(['deleteRows', 'sort'], false)).toEqual([false, false, true, true, false, true, ...always]);
});
