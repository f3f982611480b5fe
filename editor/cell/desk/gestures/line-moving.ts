import type { Axis } from '../../../../model/cell/area.ts';
import { linesSelected, moveLines, selectedSpans } from '../../commands/structure.ts';
import { wholeColumns, wholeRows } from '../../grid/cell-areas.ts';
import type { Drag } from '../../grid/pointer.ts';
import type { Gestured, Place } from './gesture.ts';

/** Rows or columns that are selected, dragged between others; null where cells are selected. */
export function lineMoving(gestured: Gestured): Drag | null {
  const { editor, state } = gestured;
  const axis = linesSelected(editor);
  const [span] = selectedSpans(editor, axis ?? 'row');
  if (!axis || !span) return null;
  let before = span[0];
  return {
    move(place) {
      const gap = gapAt(gestured, axis, place);
      before = gap.before;
      state.sizing.value = { axis, at: gap.at };
    },
    end() {
      state.sizing.value = null;
      // Others may have moved what is selected.
      const [now] = selectedSpans(editor, axis);
      if (now) moveLines(editor, axis, now, before);
    },
    cancel() {
      state.sizing.value = null;
    },
  };
}

/** The gap between two lines that is nearest: the line behind it, and where it is in the grid. */
function gapAt(
  { editor, view }: Gestured,
  axis: Axis,
  { x, y }: Place,
): { readonly before: number; readonly at: number } {
  const cell = view.layout.cellAt(x, y);
  const line = axis === 'row' ? cell.row : cell.column;
  const rect = view.rectOf(axis === 'row' ? wholeRows(line, line) : wholeColumns(line, line))!;
  const isBackwards = axis === 'column' && editor.page.view.peek().isRightToLeft;
  const [start, size, at] = axis === 'row' ? [rect.y, rect.height, y] : [rect.x, rect.width, x];
  const isAtEnd = at > start + size / 2;
  return { before: isAtEnd !== isBackwards ? line + 1 : line, at: isAtEnd ? start + size : start };
}
