import { type Signal, signal } from '@preact/signals';
import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import { sheetOf } from '../../../model/cell/workbook.ts';
import { TypedAhead } from '../../shell/comments/typed-ahead.ts';
import { type CellPosition, cornerOf, rangeOf } from '../grid/cell-areas.ts';
import { movedRange } from '../together/moved-places.ts';

/** What the parts of the page share of comments. */
export class CommentState {
  /** The cell that a new comment is being written for; null while none is. */
  readonly draft: Signal<{ readonly sheet: string; readonly cell: CellPosition } | null> = signal(null);
  readonly active: Signal<string | null> = signal(null);
  readonly ahead = new TypedAhead();

  /** A comment that is being written stays with its cell when cells are moved, and goes with it. */
  follow({ after, moves }: Pick<ShownChange, 'after' | 'moves'>): void {
    const draft = this.draft.peek();
    if (!draft || (!moves && sheetOf(after, draft.sheet))) return;
    const area = moves && sheetOf(after, draft.sheet) && movedRange(moves, draft.sheet, rangeOf(draft.cell));
    this.draft.value = area ? { ...draft, cell: cornerOf(area) } : null;
  }
}
