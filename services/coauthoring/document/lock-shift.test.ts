import { expect, test } from 'vitest';
import type { Block, ExcelInfo } from '../../../client/protocol/index.ts';
import { shiftLocks } from './lock-shift.ts';

const range = (r1: number, r2: number, more: object = {}): Block =>
  ({
    sheetId: 's1',
    type: 1,
    subType: null,
    guid: `g${r1}`,
    rangeOrObjectId: { c1: 0, r1, c2: 2, r2 },
    ...more,
  }) as Block;

const after = (block: Block, info: ExcelInfo, user = 'bob2') =>
  shiftLocks({ locks: { g: { time: 1, user, block } }, refusals: [] }, info, 'ann1').locks.g!.block;

const rows = (...elements: [type: 1 | 2, position: number, saved?: boolean][]): ExcelInfo => ({
  indexCols: null,
  indexRows: {
    s1: {
      _arrElements: elements.map(([_recalcType, _position, m_bIsSaveIndex]) => ({
        _recalcType,
        _position,
        _count: 1,
        m_bIsSaveIndex,
      })),
    },
  },
});

test('[LS1] an inserted row moves what is at and below it, a removed row draws it back, the last change first', () => {
  expect(after(range(0, 5), rows([1, 2]))).toEqual({
    ...(range(0, 5) as object),
    rangeOrObjectId: { c1: 0, r1: 0, c2: 2, r2: 6 },
  });
  expect(after(range(3, 5), rows([2, 1]))).toMatchObject({ rangeOrObjectId: { r1: 2, r2: 4 } });
  expect(after(range(3, 3), rows([2, 3], [1, 4]))).toMatchObject({ rangeOrObjectId: { r1: 2, r2: 2 } });
  expect(after(range(3, 3), rows([1, 4], [1, 3]))).toMatchObject({ rangeOrObjectId: { r1: 5, r2: 5 } });
});

test('[LS2] the saver’s own locks, other sheets, insertions, objects and changes saved before stay as they are', () => {
  const info = rows([1, 0]);
  for (const [block, user] of [
    [range(3, 5), 'ann1'],
    [range(3, 5, { sheetId: 's2' }), 'bob2'],
    [range(3, 5, { subType: 4 }), 'bob2'],
    [range(3, 5, { type: 2, rangeOrObjectId: 'chart' }), 'bob2'],
  ] as const) {
    expect(after(block, info, user)).toEqual(block);
  }
  expect(after(range(3, 5), rows([1, 0, true]))).toEqual(range(3, 5));
});
