import type { Signal } from '@preact/signals';
import type { CellMoves } from '../../../client/cell/cell-replica.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import type { GridView } from '../grid/grid-view.ts';
import { firstSelection, type Selection } from '../grid/selection.ts';
import { movedSelection } from '../together/moved-places.ts';
import type { CellMarks } from './cell-marks.ts';
import type { PageWorkbook } from './page-workbook.ts';

/** Where a sheet was when it was left. */
interface LeftSheet {
  readonly selection: Selection;
  readonly place: { readonly x: number; readonly y: number };
}

export interface ShownSheetsOptions {
  readonly page: PageWorkbook;
  readonly selection: Signal<Selection>;
  readonly drawing: Signal<string | null>;
  readonly marks: CellMarks;
  /** Null until it is on the page. */
  readonly grid: () => GridView | null;
  /** The workbook with everything that was done, also what is not shown yet. */
  readonly latest: () => Workbook;
}

/** Goes from sheet to sheet: each is shown again as it was left. */
export class ShownSheets {
  readonly #options: ShownSheetsOptions;
  readonly #left = new Map<string, LeftSheet>();

  constructor(options: ShownSheetsOptions) {
    this.#options = options;
  }

  show(id: string): void {
    const { page, selection, drawing, marks } = this.#options;
    const { workbook, sheetId, view } = page;
    if (id === sheetId.peek() || !sheetOf(workbook.peek(), id)) return;
    const grid = this.#options.grid();
    const place = grid?.place ?? { x: 0, y: 0 };
    this.#left.set(sheetId.peek(), { selection: selection.peek(), place });
    const left = this.#left.get(id);
    sheetId.value = id;
    selection.value = left?.selection ?? firstSelection;
    marks.clear();
    drawing.value = null;
    grid?.show(view.peek());
    grid?.scrollTo(left?.place ?? { x: 0, y: 0 });
  }

  /** What was selected on the sheets that are not shown stays with its cells. */
  follow(moves: CellMoves): void {
    const shown = this.#options.page.sheetId.peek();
    for (const [id, { selection, place }] of this.#left) {
      if (id !== shown) this.#left.set(id, { selection: movedSelection(moves, id, selection), place });
    }
  }

  /** Shows a sheet that is being made, as soon as it is there. */
  showWhenThere(id: string): void {
    const latest = this.#options.latest();
    if (!sheetOf(latest, id)) return;
    this.#options.page.workbook.value = latest;
    this.show(id);
  }
}
