import { type Area, lastColumn, lastRow } from '../../../../model/cell/area.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { type CellPosition, cornerOf, heightOf, widthOf } from '../../grid/cell-areas.ts';
import { type Drag, isInRect, isOnEdge } from '../../grid/pointer.ts';
import { cellDrag, type Gestured, type Place } from './gesture.ts';

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

  /** Nothing is moved where it is let go at once. */
  drag(start: CellPosition): Drag {
    const { editor, view, state } = this.#of;
    const from = editor.range;
    const sheet = editor.page.sheetId.peek();
    const grip = {
      row: Math.min(Math.max(start.row, from[0]), from[2]) - from[0],
      column: Math.min(Math.max(start.column, from[1]), from[3]) - from[1],
    };
    return {
      ...cellDrag(view, ({ row, column }) => {
        state.target.value = movedTo(from, { row: row - grip.row, column: column - grip.column });
      }),
      end() {
        const to = state.target.peek();
        state.target.value = null;
        if (to && (to[0] !== from[0] || to[1] !== from[1])) moveCells(editor, sheet, from, to);
      },
      cancel() {
        state.target.value = null;
      },
    };
  }
}

/** A range of the same size with another corner, which is moved so far that it lies in the sheet. */
function movedTo(range: Area, { row, column }: CellPosition): Area {
  const [height, width] = [heightOf(range), widthOf(range)];
  const top = Math.min(lastRow - height + 1, Math.max(0, row));
  const left = Math.min(lastColumn - width + 1, Math.max(0, column));
  return [top, left, top + height - 1, left + width - 1];
}

function moveCells(editor: CellEditor, sheet: string, from: Area, to: Area): void {
  const place = { toSheet: sheet, row: to[0], column: to[1] };
  if (!editor.change({ op: 'moveCells', sheet, area: from, ...place })) return;
  const first = cornerOf(to);
  editor.select({ ranges: [to], current: 0, active: first, head: first }, { reveals: false });
}
