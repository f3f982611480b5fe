import { type Area, intersection } from '../../../model/cell/area.ts';
import { sheetColumns, sheetRows } from '../../../model/cell-address.ts';
import { Axis, type AxisRun } from '../grid/axis.ts';
import { cellName, isIn } from '../grid/cell-areas.ts';
import type { CellLook, DrawnCell, DrawnSheet, TextLook } from '../grid/drawn-sheet.ts';
import { noOutline, type Outline } from '../grid/outline.ts';

export const plainText: TextLook = {
  family: 'Carlito',
  sizePx: 14,
  bold: false,
  italic: false,
  underline: 'none',
  strike: false,
  script: 'normal',
  color: null,
  lineFactor: 1.22,
};

const plainLook: CellLook = {
  text: plainText,
  fill: null,
  borders: null,
  horizontal: 'general',
  vertical: 'bottom',
  wrap: false,
  shrink: false,
  indent: 0,
  rotation: 0,
};

export interface PlainSheetOptions {
  /** Values by cell names; a number is a number, everything else is text. */
  readonly cells?: Readonly<Record<string, string | number>>;
  readonly merges?: readonly Area[];
  readonly rowRuns?: readonly AxisRun[];
  readonly columnRuns?: readonly AxisRun[];
  readonly frozenRows?: number;
  readonly frozenColumns?: number;
  readonly isRightToLeft?: boolean;
  readonly hidesHeadings?: boolean;
  readonly used?: Area | null;
  readonly rowOutline?: Outline;
  readonly columnOutline?: Outline;
}

/** A sheet that is made of what a test says. Rows are 20 pixels high, columns 64 wide. */
export function plainSheet(options: PlainSheetOptions = {}): DrawnSheet {
  const { cells = {}, merges = [], rowRuns = [], columnRuns = [] } = options;
  return {
    conditionPainters: null,
    rows: new Axis({ count: sheetRows, defaultSize: 20, runs: rowRuns }),
    columns: new Axis({ count: sheetColumns, defaultSize: 64, runs: columnRuns }),
    rowOutline: options.rowOutline ?? noOutline,
    columnOutline: options.columnOutline ?? noOutline,
    frozenRows: options.frozenRows ?? 0,
    frozenColumns: options.frozenColumns ?? 0,
    isRightToLeft: options.isRightToLeft ?? false,
    showsGridlines: true,
    pageBreaks: { rows: [], columns: [] },
    showsHeadings: options.hidesHeadings !== true,
    zoom: 1,
    used: options.used ?? null,
    cellAt(row, column): DrawnCell | null {
      const value = cells[cellName({ row, column })];
      // As a sheet of the editor, it has to be asked as a method.
      if (value === undefined || row >= this.rows.count) return null;
      const kind = typeof value === 'number' ? 'number' : 'text';
      return { kind, text: String(value), look: plainLook, runs: null, color: null, general: null };
    },
    mergeAt: (row, column) => merges.find((range) => isIn({ row, column }, range)) ?? null,
    mergesIn: (range) => merges.filter((merge) => intersection(merge, range)),
  };
}
