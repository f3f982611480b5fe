import type { CellEditor } from '../cell-editor.ts';
import { fieldSpan } from '../grid/field-place.ts';
import type { GridView } from '../grid/grid-view.ts';
import type { Rect } from '../grid/rect.ts';

/** Puts the field that is typed in to where its cell is. */
export function placeField(editor: CellEditor, input: HTMLTextAreaElement): void {
  const { grid } = editor;
  if (!grid) return;
  const editing = editor.editing.peek();
  const rect = grid.rectOfCell(editing?.cell ?? editor.selection.peek().active);
  const isElsewhere = editing !== null && editing.sheet !== editor.page.view.peek().sheet.id;
  input.hidden = false;
  if (!rect || isElsewhere) {
    // It keeps the focus where it cannot be seen.
    Object.assign(input.style, { left: '0px', top: '0px', width: '1px', height: '1px' });
    return;
  }
  Object.assign(input.style, {
    left: `${rect.x - 1}px`,
    top: `${rect.y - 1}px`,
    width: `${rect.width + 1}px`,
    height: `${rect.height + 1}px`,
  });
  if (editing) grow(editor, grid, input, rect);
}

/**
 * The field grows with its text: first to the side up to the edge of the grid, then down. Where text is broken, only down.
 * @param rect where the cell is
 */
function grow(editor: CellEditor, grid: GridView, input: HTMLTextAreaElement, rect: Rect): void {
  const view = editor.page.view.peek();
  const { row, column } = editor.editing.peek()!.cell;
  const { look } = view.cellAt(row, column) ?? view.plain;
  const width = look.wrap ? rect.width : textWidth(input, rect.width + 1);
  const span = fieldSpan(rect, width, grid.layout, look.horizontal);
  input.style.left = `${span.x - 1}px`;
  input.style.width = `${span.width + 1}px`;
  const deep = Math.max(rect.height + 1, input.scrollHeight + 4);
  const room = Math.max(rect.height + 1, grid.layout.height - rect.y);
  input.style.height = `${Math.min(deep, room)}px`;
}

/** As wide as the text is that is typed, if it is wider than a cell. */
function textWidth(input: HTMLTextAreaElement, cellWidth: number): number {
  input.style.whiteSpace = 'pre';
  const width = Math.max(input.scrollWidth + 6, cellWidth);
  input.style.whiteSpace = '';
  return width;
}
