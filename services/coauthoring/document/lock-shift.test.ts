import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Block,
  EditorType,
  type ExcelInfo,
  type RecalcElement,
} from '../../../client/protocol/index.ts';
import { shiftLocks } from './element-locks.ts';
import { conflicts } from './lock-rules.ts';

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

const anyElements = fc.array(
  fc.record({
    _recalcType: fc.constantFrom(1 as const, 2 as const),
    _position: fc.nat(12),
    _count: fc.constant(1),
    m_bIsSaveIndex: fc.boolean(),
  }),
  { maxLength: 6 },
);
const anyRange = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12), fc.nat(12)).map(([c1, c2, r1, r2]) => ({
  c1: Math.min(c1, c2),
  c2: Math.max(c1, c2),
  r1: Math.min(r1, r2),
  r2: Math.max(r1, r2),
}));

/** Each row or column as clients count it: one element after the other, the last first. */
function counted(position: number, elements: readonly RecalcElement[]): number {
  let at = position;
  for (let index = elements.length - 1; index >= 0; index -= 1) {
    const { m_bIsSaveIndex, _position, _recalcType } = elements[index]!;
    if (!m_bIsSaveIndex && at >= _position) at += _recalcType === 1 ? 1 : -1;
  }
  return at;
}

test('[LS3] whatever is inserted and removed, every corner of a range of somebody else moves as clients move it', () => {
  fc.assert(
    fc.property(anyRange, anyElements, anyElements, (rangeOrObjectId, columns, rows) => {
      const block = { sheetId: 's1', type: 1, subType: null, guid: 'g', rangeOrObjectId } as Block;
      const info: ExcelInfo = {
        indexCols: { s1: { _arrElements: columns } },
        indexRows: { s1: { _arrElements: rows }, s2: { _arrElements: columns } },
      };
      const { c1, c2, r1, r2 } = rangeOrObjectId;
      expect(after(block, info)).toEqual({
        ...(block as object),
        rangeOrObjectId: {
          c1: counted(c1, columns),
          c2: counted(c2, columns),
          r1: counted(r1, rows),
          r2: counted(r2, rows),
        },
      });
      expect(after(block, info, 'ann1')).toEqual(block);
    }),
  );
});

test('[LS4] insertions keep ranges of different people apart, and ranges as large as they were or larger', () => {
  const insertions = anyElements.map((elements) =>
    elements.map((one) => ({ ...one, _recalcType: 1 as const })),
  );
  fc.assert(
    fc.property(anyRange, anyRange, insertions, insertions, (a, b, columns, rows) => {
      const info: ExcelInfo = {
        indexCols: { s1: { _arrElements: columns } },
        indexRows: { s1: { _arrElements: rows } },
      };
      const block = (guid: string, rangeOrObjectId: typeof a) =>
        ({ sheetId: 's1', type: 1, subType: null, guid, rangeOrObjectId }) as Block;
      const apart = !conflicts(EditorType.spreadsheet, block('a', a), block('b', b));
      const [movedA, movedB] = [after(block('a', a), info), after(block('b', b), info)];
      if (apart) expect(conflicts(EditorType.spreadsheet, movedA, movedB)).toBe(false);
      const { rangeOrObjectId: moved } = movedA as { rangeOrObjectId: typeof a };
      expect(moved.r2 - moved.r1).toBeGreaterThanOrEqual(a.r2 - a.r1);
      expect(moved.c2 - moved.c1).toBeGreaterThanOrEqual(a.c2 - a.c1);
    }),
  );
});
