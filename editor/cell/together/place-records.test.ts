import { expect, it } from 'vitest';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { PlaceRecords } from './place-records.ts';

it('[XS182] cells that somebody has begun to do something with are found where others have moved them', () => {
  const records = new PlaceRecords();
  const rows = (op: 'insert' | 'delete', at: number, count: number, sheet = 's'): CellOperation => ({
    ...{ op, sheet, axis: 'row', at, count },
  });
  const move = (...operations: CellOperation[]) =>
    records.note({ back: [], forward: operations.flatMap(structureMapsOf) });
  const record = records.begin('s');
  const now = (name: string) => {
    const area = record.now(readRange(name)!);
    return area && rangeName(area);
  };
  expect(now('B2:C9')).toBe('B2:C9');
  move(rows('insert', 0, 2));
  move(rows('delete', 5, 3), rows('insert', 0, 7, 'other'));
  expect(now('B2:C9')).toBe('B4:C8');
  expect(now('A4:Z6')).toBe(null);
  const later = records.begin('s');
  move(rows('insert', 0, 1));
  expect(now('B2:C9')).toBe('B5:C9');
  expect(later.now([0, 0, 0, 0])).toEqual([1, 0, 1, 0]);
  record.end();
  move(rows('insert', 0, 1));
  expect(now('B2:C9')).toBe('B5:C9');
});
