import { type Signal, signal } from '@preact/signals';
import { TypedAhead } from '../../shell/comments/typed-ahead.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

/** What the parts of the page share of comments. */
export class CommentState {
  /** The cell that a new comment is being written for; null while none is. */
  readonly draft: Signal<{ readonly sheet: string; readonly cell: CellPosition } | null> = signal(null);
  readonly active: Signal<string | null> = signal(null);
  readonly ahead = new TypedAhead();
}
