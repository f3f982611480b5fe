import { expect, it, vi } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../model/cell/document.ts';
import type { Item } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { WORKBOOK_VERSION } from '../../../model/cell/version.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { tellFiltered } from './filter-notice.ts';

vi.mock('../../kit/notices.tsx', () => ({ notify: vi.fn() }));

const sheet = (id: string) => ({ id, properties: { name: id }, rows: [[0, 0, 0, 0, 1]] });
const plain = parseWorkbook({
  ...{ format: WORKBOOK_FORMAT, version: WORKBOOK_VERSION, formats: [{}] },
  sheets: [sheet('s1'), sheet('s2')],
});
const made = (workbook: Workbook, operation: CellOperation): Workbook =>
  applyOperation(workbook, operation) as Workbook;

it('[XS53] a filter of the sheet that is looked at is told of when it is another, and no other change is', () => {
  const item: Item = { area: [0, 0, 5, 2], columns: [{ column: 0, values: ['1'] }] };
  const filtered = made(plain, { op: 'put', sheet: 's1', kind: 'filter', id: 'f1', item });
  const typed = made(filtered, { op: 'set', sheet: 's1', cells: [[0, 0, { v: 2 }]] });
  tellFiltered(plain, filtered, 's2');
  tellFiltered(filtered, typed, 's1');
  expect(notify).not.toHaveBeenCalled();
  tellFiltered(plain, filtered, 's1');
  expect(notify).toHaveBeenCalledOnce();
  tellFiltered(typed, plain, 's1');
  expect(notify).toHaveBeenCalledTimes(2);
});
