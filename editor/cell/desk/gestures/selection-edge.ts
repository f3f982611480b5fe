import { type Area, lastColumn, lastRow } from '../../../../model/cell/area.ts';
import type { Sheet } from '../../../../model/cell/workbook.ts';
import { notify } from '../../../kit/notices.tsx';
import { t } from '../../../strings/strings.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { type CellPosition, cornerOf, heightOf, isIn, widthOf } from '../../grid/cell-areas.ts';
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

  /** With Shift whole rows and columns come between others, with Ctrl cells are copied. Nothing is done where it is let go at once. */
  drag(start: CellPosition, { shiftKey }: PointerEvent): Drag {
    const { editor, view, state } = this.#of;
    const lines = shiftKey ? lineMoving(this.#of) : null;
    if (lines) return lines;
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
      end(event) {
        const to = state.target.peek();
        state.target.value = null;
        if (!to || (to[0] === from[0] && to[1] === from[1])) return;
        const place = { toSheet: sheet, row: to[0], column: to[1] };
        const isOver = isFilled(editor.page.sheet, to, from);
        const isDone = isFurther(event)
          ? editor.change({ op: 'fill', sheet, from, to, part: 'all' })
          : editor.change({ op: 'moveCells', sheet, area: from, ...place });
        if (!isDone) return;
        selectMoved(editor, to);
        if (isOver) tellReplaced(editor);
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

function selectMoved(editor: CellEditor, range: Area): void {
  const first = cornerOf(range);
  editor.select({ ranges: [range], current: 0, active: first, head: first }, { reveals: false });
}

/** Whether an area has content, besides that of cells which are taken out of it. */
function isFilled({ grid }: Sheet, area: Area, except: Area): boolean {
  for (const [row, { columns, cells }] of grid.rows(area[0], area[2])) {
    for (const [at, column] of columns.entries()) {
      const cell = { row, column };
      if (!isIn(cell, area) || isIn(cell, except)) continue;
      if (cells[at]!.value !== null || cells[at]!.formula !== null) return true;
    }
  }
  return false;
}

function tellReplaced(editor: CellEditor): void {
  const action = { label: t('actions.undo'), run: () => editor.undo() };
  notify({ text: t('sheet.movedOver'), kind: 'info', topic: 'sheet-moved', action });
}
