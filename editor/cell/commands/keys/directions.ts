import type { CellEditor } from '../../cell-editor.ts';
import type { Direction } from '../../grid/selection.ts';

/** The arrow keys, and where they lead. */
export const arrows: readonly (readonly [key: string, direction: Direction])[] = [
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
];

/** Left and right as they are seen: the next column is at the left in a sheet from right to left. */
export function seen(editor: CellEditor, direction: Direction): Direction {
  if (!editor.page.view.peek().isRightToLeft) return direction;
  return direction === 'left' ? 'right' : direction === 'right' ? 'left' : direction;
}
