import type { CellPosition } from '../grid/cell-areas.ts';
import { isSameCell } from '../grid/cell-areas.ts';

/**
 * Where somebody began to fill in a row by Tab: Enter at its end goes to the same column of the next row. Anything else
 * that moves the active cell ends the run, without having to say so.
 */
export class EntryRun {
  #column = 0;
  #at: CellPosition | null = null;

  /** Tab, or Shift+Tab, has gone from one cell to another. */
  passed(from: CellPosition, to: CellPosition): void {
    const goesOn = this.#at !== null && isSameCell(this.#at, from) && to.row === from.row;
    if (!goesOn) this.#column = from.column;
    this.#at = to.row === from.row ? to : null;
  }

  /** The cell from which Enter goes down: the one where the run began, if one has led here. */
  startOf(active: CellPosition): CellPosition {
    const isHere = this.#at !== null && isSameCell(this.#at, active);
    this.#at = null;
    return isHere ? { row: active.row, column: Math.min(this.#column, active.column) } : active;
  }
}
