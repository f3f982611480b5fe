import { expect, it } from 'vitest';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';

const json = blankWorkbook();
const [cells] = json.sheets;
const workbook = parseWorkbook({
  ...json,
  sheets: [
    cells!,
    { id: 'chart', rows: [], properties: { name: 'Chart', type: 'chart' } },
    { id: 'macros', rows: [], properties: { name: 'Macros', type: 'other' } },
  ],
});

it('[XA13] a sheet without cells takes nothing, by whatever way, and can be named, coloured, hidden, moved and removed', () => {
  for (const sheet of ['chart', 'macros']) {
    const merged = { op: 'put', sheet, kind: 'merge', id: 'a.1', item: { area: [0, 0, 1, 1] } };
    const refused = [
      { op: 'set', sheet, cells: [[0, 0, { v: 'lost' }]] },
      { op: 'insert', sheet, axis: 'row', at: 0, count: 1 },
      { op: 'sheet', sheet, patch: { name: 'Other', frozen: { rows: 1, columns: 0 } } },
      { op: 'moveCells', sheet: 's1', area: [0, 0, 0, 0], toSheet: sheet, to: [3, 3] },
      merged,
    ] as unknown as CellOperation[];
    for (const operation of refused) expect(applyOperation(workbook, operation)).toBe('not-allowed');
    const free = [
      { op: 'sheet', sheet, patch: { name: 'Other', color: { rgb: '0070C0' } } },
      { op: 'sheet', sheet, patch: { state: 'hidden' } },
      { op: 'moveSheet', sheet, to: 0 },
      { op: 'removeSheet', sheet },
    ] as unknown as CellOperation[];
    for (const operation of free) expect(applyOperation(workbook, operation)).toBeTypeOf('object');
  }
});
