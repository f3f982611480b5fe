import type { Area } from '../../../model/cell/area.ts';
import { type Sheet, visibleSheets } from '../../../model/cell/workbook.ts';
import type { SearchQuery } from '../../shell/bars/find-bar.tsx';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { searchPattern } from './search-pattern.ts';

/** So many matches are kept; who has more looks for less. */
const mostFound = 10_000;

/** A cell that was found, and where. */
export interface FoundCell extends CellPosition {
  readonly sheet: string;
}

/** Where and in what is looked for something. */
export interface SearchScope {
  /** In all sheets that people see, not only in the one that is shown. */
  readonly isInWorkbook: boolean;
  /** In formulas alone. */
  readonly isInFormulas: boolean;
  /** In these cells of a sheet alone; null for no such bounds. */
  readonly within: { readonly sheet: string; readonly areas: readonly Area[] } | null;
}

/** Finds the cells of a workbook that show or have something. */
export class CellSearch {
  readonly #editor: CellEditor;
  readonly #scope: SearchScope;
  /** Null where nothing is looked for. */
  readonly pattern: RegExp | null;

  constructor(editor: CellEditor, query: SearchQuery | null, scope: SearchScope) {
    this.#editor = editor;
    this.#scope = scope;
    this.pattern = query && searchPattern(query);
  }

  get sheets(): readonly Sheet[] {
    const { page } = this.#editor;
    const { isInWorkbook, within } = this.#scope;
    const all = visibleSheets(page.workbook.peek());
    if (within) return all.filter(({ id }) => id === within.sheet);
    return isInWorkbook ? all : [page.view.peek().sheet];
  }

  /** By sheets and rows. */
  find(): readonly FoundCell[] {
    const found: FoundCell[] = [];
    if (!this.pattern) return found;
    for (const sheet of this.sheets) {
      for (const cell of this.#findIn(sheet)) {
        if (found.push({ sheet: sheet.id, ...cell }) >= mostFound) return found;
      }
    }
    return found;
  }

  *#findIn(sheet: Sheet): Iterable<CellPosition> {
    const scene = this.#editor.page.viewOf(sheet);
    for (const [row, { columns, cells }] of sheet.grid.rows()) {
      for (const [place, column] of columns.entries()) {
        const { value, formula } = cells[place]!;
        if (value === null && formula === null) continue;
        if (this.#scope.isInFormulas && formula === null) continue;
        const cell = { row, column };
        if (this.#isWithin(cell) && this.#isMatch(scene, cell)) yield cell;
      }
    }
  }

  #isWithin(cell: CellPosition): boolean {
    return this.#scope.within?.areas.some((area) => isIn(cell, area)) ?? true;
  }

  #isMatch(scene: SheetScene, cell: CellPosition): boolean {
    const isShown =
      !this.#scope.isInFormulas && this.#matches(scene.cellAt(cell.row, cell.column)?.text ?? '');
    return isShown || this.#matches(this.#editor.page.textOf(cell, scene));
  }

  #matches(text: string): boolean {
    this.pattern!.lastIndex = 0;
    return this.pattern!.test(text);
  }
}
