import type { CellEditor } from '../../cell-editor.ts';
import { type CellPosition, isSameCell } from '../../grid/cell-areas.ts';
import type { GridView } from '../../grid/grid-view.ts';
import type { Drag } from '../../grid/pointer.ts';
import type { GestureState } from './gesture-state.ts';

/** A place in the grid, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** What every gesture on the cells works with. */
export interface Gestured {
  readonly editor: CellEditor;
  readonly view: GridView;
  readonly state: GestureState;
}

const isMac = (): boolean => /Mac/.test(navigator.platform);

/** Whether a press is one more beside what is selected, or does the other of two things. */
export const isFurther = (event: MouseEvent): boolean => (isMac() ? event.metaKey : event.ctrlKey);

/** A drag that does nothing more than following the pointer to another cell. */
export function cellDrag(view: GridView, move: (cell: CellPosition) => void, end = () => {}): Drag {
  let last: CellPosition | null = null;
  return {
    move({ x, y }) {
      const cell = view.layout.cellAt(x, y);
      if (last && isSameCell(last, cell)) return;
      last = cell;
      move(cell);
    },
    end,
    cancel: end,
  };
}
