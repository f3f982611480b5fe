import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { Formula, type FormulaJson } from '../../../model/cell/formula/formula.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import {
  type CellRange,
  cornerOf,
  heightOf,
  intersectionOf,
  isSameCell,
  rangeOf,
  unionOf,
  widthOf,
} from '../grid/cell-range.ts';
import type { SheetView } from '../shown/sheet-view.ts';
import type { CellTable, TableCell } from './cell-table.ts';
import { type WrittenCell, writeHtml } from './html-table.ts';
import { writeSeparated } from './separated-text.ts';

/** What the clipboard gets of cells. */
export interface CopiedCells {
  readonly text: string;
  readonly html: string;
  /** All that a spreadsheet of ours needs to paste the same. */
  readonly own: string;
}

/** As many cells as are copied at once. */
export const mostCopied = 300_000;
const formatVersion = 1;

/** Text, value, formula, place of the format; 0 for nothing. */
type OwnCell = readonly [text: string, value: CellValue, formula: FormulaJson | null, format: number] | 0;

/** How cells are written for spreadsheets of ours. */
interface OwnJson {
  readonly version: number;
  readonly id: string;
  readonly row: number;
  readonly column: number;
  readonly formats: readonly CellFormat[];
  readonly rows: readonly (readonly OwnCell[])[];
  readonly merges: readonly CellRange[];
}

/** What of a range is copied: whole rows and columns end where nothing more is. */
export function copiedRange({ used }: SheetView, range: CellRange): CellRange {
  if (heightOf(range) * widthOf(range) <= 10_000) return range;
  const all = used ? unionOf(used, rangeOf(cornerOf(range))) : rangeOf(cornerOf(range));
  return intersectionOf(range, all) ?? rangeOf(cornerOf(range));
}

/**
 * Writes the cells of a range for the clipboard; rows that a filter hides are left out.
 * @param id tells this copy from others
 */
export function copyCells({ formats }: Workbook, view: SheetView, range: CellRange, id: string): CopiedCells {
  const texts: string[][] = [];
  const written: (WrittenCell | null)[][] = [];
  const own: OwnJson['rows'][number][] = [];
  const places = new Map<number, number>();
  const used: CellFormat[] = [];
  const placeOf = (format: number) => {
    let place = places.get(format);
    if (place === undefined) {
      place = used.length;
      places.set(format, place);
      used.push(formats.at(format));
    }
    return place;
  };
  for (let row = range.top; row <= range.bottom; row++) {
    if (view.sheet.grid.row(row)?.line.filtered) continue;
    const [rowTexts, rowWritten]: [string[], (WrittenCell | null)[]] = [[], []];
    const rowOwn: OwnJson['rows'][number][number][] = [];
    for (let column = range.left; column <= range.right; column++) {
      const shown = view.cellAt(row, column) ?? view.plain;
      const cell = view.sheet.grid.cell(row, column);
      const value = view.valueAt(row, column);
      const merge = view.mergeAt(row, column);
      rowTexts.push(shown.text);
      if (merge && !isSameCell(cornerOf(merge), { row, column })) rowWritten.push(null);
      else {
        const pattern = formats.at(view.formatAt(row, column)).number;
        rowWritten.push({
          text: shown.text,
          look: shown.look,
          ...(typeof value === 'number' && { number: value }),
          ...(pattern !== undefined && { pattern }),
          ...(merge && { rowSpan: heightOf(merge), colSpan: widthOf(merge) }),
        });
      }
      const format = view.formatAt(row, column);
      const isEmpty = value === null && cell.formula === null && format === 0;
      rowOwn.push(isEmpty ? 0 : [shown.text, value, cell.formula?.toJSON() ?? null, placeOf(format)]);
    }
    texts.push(rowTexts);
    written.push(rowWritten);
    own.push(rowOwn);
  }
  const json: OwnJson = {
    version: formatVersion,
    id,
    ...cornerOf(range),
    formats: used,
    rows: own,
    merges: view
      .mergesIn(range)
      .filter((merge) => intersectionOf(merge, range) !== null)
      .map(({ top, left, bottom, right }) => ({
        top: top - range.top,
        left: left - range.left,
        bottom: bottom - range.top,
        right: right - range.left,
      })),
  };
  return { text: writeSeparated(texts), html: writeHtml(written), own: JSON.stringify(json) };
}

/** Reads what {@link copyCells} wrote as `own`; null for anything else. */
export function readOwn(text: string): { readonly id: string; readonly table: CellTable } | null {
  try {
    const json = JSON.parse(text) as OwnJson;
    if (json.version !== formatVersion || !Array.isArray(json.rows)) return null;
    const rows = json.rows.map((row) =>
      row.map((cell: OwnCell): TableCell => {
        if (cell === 0) return { text: '', value: null, format: {} };
        const [shown, value, formula, format] = cell;
        return {
          text: shown,
          value,
          ...(formula !== null && { formula: Formula.ofJson(formula) }),
          format: json.formats[format] ?? {},
        };
      }),
    );
    return {
      id: json.id,
      table: { rows, merges: json.merges, origin: { row: json.row, column: json.column } },
    };
  } catch {
    return null;
  }
}
