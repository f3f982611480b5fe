import { signal } from '@preact/signals';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CellEditor } from '../cell-editor.ts';
import { entriesOf } from './entries.ts';

// Shortcuts are named as the machine of the browser does.
beforeAll(() => vi.stubGlobal('navigator', { platform: '' }));
afterAll(() => vi.unstubAllGlobals());

test('[XS124] who may not filter is offered no filter', () => {
  const offered = (canFilter: boolean) => {
    const sheet = { items: new Map() };
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
    const editor = { canEdit: true, role: { canProtect } } as unknown as CellEditor;
    const entries = entriesOf(editor, ['protectSheet', 'protectBook', 'names']);
    return entries.map((entry) => entry !== 'separator' && entry.disabled !== true);
  };
  expect(offered(true)).toEqual([true, true, true]);
  expect(offered(false)).toEqual([false, false, true]);
});
