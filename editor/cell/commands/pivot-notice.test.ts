import { expect, it, vi } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { notify } from '../../kit/notices.tsx';
import { tellOfPivot } from './pivot-notice.ts';

vi.mock('../../kit/notices.tsx', () => ({ notify: vi.fn() }));

it('[XS226] who types into a pivot table, and nowhere else, is told that it is filled anew', () => {
  const json = blankWorkbook();
  const items = { pivot: { p1: { area: [2, 1, 5, 3], name: 'Pivot' } } };
  const { sheets } = parseWorkbook({ ...json, sheets: json.sheets.map((sheet) => ({ ...sheet, items })) });
  for (const [row, column] of [
    [1, 1],
    [6, 3],
    [2, 4],
  ] as const)
    tellOfPivot(sheets[0]!, { row, column });
  expect(notify).not.toHaveBeenCalled();
  tellOfPivot(sheets[0]!, { row: 2, column: 1 });
  tellOfPivot(sheets[0]!, { row: 5, column: 3 });
  expect(notify).toHaveBeenCalledTimes(2);
});
