import type { CellPosition } from '../../grid/cell-areas.ts';
import type { Gestured, Place } from './gesture.ts';

const buttonPx = 18;

/** The button of a filter or a list that a cell has at a place; null where there is none. */
export function buttonAt(
  { editor, view }: Gestured,
  cell: CellPosition,
  place: Place,
): 'filter' | 'list' | null {
  const shown = editor.page.view.peek();
  const marks = shown.cellAt(cell.row, cell.column)?.marks;
  if (!marks?.filter && !marks?.list) return null;
  const rect = view.rectOfCell(cell);
  if (!rect) return null;
  const size = buttonPx * shown.zoom;
  const isAtEnd = shown.isRightToLeft ? place.x < rect.x + size : place.x > rect.x + rect.width - size;
  if (!isAtEnd || place.y < rect.y + rect.height - size) return null;
  return marks.filter ? 'filter' : 'list';
}
