import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { CommentState } from './comment-state.ts';

it('[XS190] [XS150] a comment that is being written stays with its cell when rows are put in, taken out or moved', () => {
  const comments = new CommentState();
  const after = changedWorkbook(
    parseWorkbook(blankWorkbook()),
    ...['s', 'other'].map((sheet): CellOperation => ({ op: 'addSheet', sheet, name: sheet, at: 1 })),
  );
  const cellAfter = (...operations: readonly CellOperation[]) => {
    comments.draft.value = { sheet: 's', cell: { row: 4, column: 1 } };
    comments.follow({ after, moves: { back: [], forward: operations.flatMap(structureMapsOf) } });
    return comments.draft.value?.cell;
  };
  expect(cellAfter({ op: 'insert', sheet: 's', axis: 'row', at: 0, count: 2 })).toEqual({
    row: 6,
    column: 1,
  });
  expect(cellAfter({ op: 'delete', sheet: 's', axis: 'row', at: 0, count: 1 })).toEqual({
    row: 3,
    column: 1,
  });
  expect(cellAfter({ op: 'insert', sheet: 'other', axis: 'row', at: 0, count: 2 })).toEqual({
    row: 4,
    column: 1,
  });
  expect(cellAfter({ op: 'delete', sheet: 's', axis: 'row', at: 3, count: 2 })).toBeUndefined();
  comments.draft.value = null;
  comments.follow({ after, moves: { back: [], forward: [] } });
  expect(comments.draft.value).toBeNull();
  for (const [sheet, stays] of [
    ['s', true],
    ['removed', false],
  ] as const) {
    comments.draft.value = { sheet, cell: { row: 4, column: 1 } };
    comments.follow({ after, moves: null });
    expect(comments.draft.value !== null).toBe(stays);
  }
});
