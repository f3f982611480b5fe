import { moveSelected, rangeAt, replacesContent } from '../../commands/cell-moving.ts';
import type { CellPosition } from '../../grid/cell-areas.ts';
import { type Drag, isInRect, isOnEdge } from '../../grid/pointer.ts';
import { cellDrag, type Gestured, isFurther, type Place } from './gesture.ts';
import { lineMoving } from './line-moving.ts';

/** The line around what is selected, by which that is dragged to another place. */
export class SelectionEdge {
  readonly #of: Gestured;

  constructor(gestured: Gestured) {
    this.#of = gestured;
  }

  isAt(place: Place): boolean {
    const { editor, view } = this.#of;
    return (
      editor.selection.peek().ranges.length === 1 &&
      view.layout
        .rectsOf(editor.range)
        .some(({ rect, pane }) => isOnEdge(place, rect) && isInRect(place, pane.rect))
    );
  }

  /**
   * With Shift whole rows and columns come between others, with Ctrl cells are copied. Nothing is done where it is let go at once, and
   * where there is content already the person is asked before.
   */
  drag(start: CellPosition, { shiftKey }: PointerEvent): Drag {
    const { editor, view, state } = this.#of;
    const lines = shiftKey ? lineMoving(this.#of) : null;
    if (lines) return lines;
    const from = editor.range;
    const grip = {
      row: Math.min(Math.max(start.row, from[0]), from[2]) - from[0],
      column: Math.min(Math.max(start.column, from[1]), from[3]) - from[1],
    };
    return {
      ...cellDrag(view, ({ row, column }) => {
        state.target.value = rangeAt(editor.range, { row: row - grip.row, column: column - grip.column });
      }),
      end(event) {
        const to = state.target.peek();
        state.target.value = null;
        // Others may have moved what is selected.
        const [top, left] = editor.range;
        if (!to || (to[0] === top && to[1] === left)) return;
        const [rows, columns] = [to[0] - top, to[1] - left];
        const move = { sheet: editor.page.sheetId.peek(), rows, columns, isCopy: isFurther(event) };
        if (replacesContent(editor, move)) state.replacing.value = move;
        else moveSelected(editor, move);
      },
      cancel() {
        state.target.value = null;
      },
    };
  }
}
