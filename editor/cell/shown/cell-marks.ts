import { type Signal, signal } from '@preact/signals';
import type { Area } from '../../../model/cell/area.ts';

import type { SheetDifference } from '../history/compared-sheets.ts';

/** What is marked in the cells, beside what is selected. */
export class CellMarks {
  /** Ranges that are found by a search, the one that is shown first. */
  readonly found: Signal<readonly Area[]> = signal([]);
  /** Cells that hold what their validation does not let in, where somebody has asked for them. */
  readonly wrong: Signal<readonly Area[]> = signal([]);
  /** What a version that is shown has that the one before had not. */
  readonly differences: Signal<readonly SheetDifference[]> = signal([]);

  /** Takes away what somebody has asked for on the sheet that is shown. */
  clear(): void {
    this.found.value = [];
    this.wrong.value = [];
  }
}
