import { type Signal, signal } from '@preact/signals';
import type { CellMoves } from '../../../client/cell/cell-replica.ts';
import { TypedAhead } from '../../shell/comments/typed-ahead.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { movedCell } from '../together/moved-places.ts';

/** What the parts of the page share of comments. */
export class CommentState {
  /** The cell that a new comment is being written for; null while none is. */
  readonly draft: Signal<{ readonly sheet: string; readonly cell: CellPosition } | null> = signal(null);
  readonly active: Signal<string | null> = signal(null);
  readonly ahead = new TypedAhead();

  /** A comment that is being written stays with its cell when cells are moved. */
  follow(moves: CellMoves): void {
    const draft = this.draft.peek();
    if (draft) this.draft.value = { ...draft, cell: movedCell(moves, draft.sheet, draft.cell) };
  }
}
