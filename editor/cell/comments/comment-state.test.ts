import { expect, it } from 'vitest';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import { CommentState } from './comment-state.ts';

it('[XS190] a comment that is being written stays with its cell when rows are put in, taken out or moved', () => {
  const comments = new CommentState();
  const cellAfter = (...operations: readonly CellOperation[]) => {
    comments.draft.value = { sheet: 's', cell: { row: 4, column: 1 } };
    comments.follow({ back: [], forward: operations.flatMap(structureMapsOf) });
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
  comments.draft.value = null;
  comments.follow({ back: [], forward: [] });
  expect(comments.draft.value).toBeNull();
});
