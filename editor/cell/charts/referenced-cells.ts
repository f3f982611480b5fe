import { type Area, lastColumn } from '../../../model/cell/area.ts';
import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import { isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import { type CellValue, isErrorValue, textOfValue } from '../../../model/cell/values.ts';
import { namesOf, type Sheet, sameName, sheetNamed, type Workbook } from '../../../model/cell/workbook.ts';
import { sheetRows } from '../../../model/cell-address.ts';

/** A workbook as it is shown: with what was calculated since the file was opened. */
export interface ChartSource {
  readonly workbook: Workbook;
  /** What was calculated for a cell; undefined where what it holds counts. */
  readonly valueOf: (sheet: string, row: number, column: number) => CellValue | undefined;
  readonly settings: FormatSettings;
}

/** What charts know of a cell. */
export interface ReferencedCell {
  /** Null for an empty cell and for an error. */
  readonly value: number | string | null;
  readonly isError: boolean;
  /** As the cell shows it. */
  readonly text: string;
  /** Its number format. */
  readonly pattern: string;
}

/** Cells are read up to so many for one reference. */
const mostCells = 20_000;
/** Names may stand for names. */
const mostNames = 4;

/**
 * The cells of a reference, row by row for each of its ranges, without those of hidden rows and columns unless they are asked for; null
 * for what is no reference to cells of this workbook (other workbooks, names of formulas, what is gone).
 */
export function cellsOfReference(
  formula: string,
  shown: ChartSource,
  { showsHidden = false } = {},
): ReferencedCell[][] | null {
  const ranges = rangesOf(formula, shown.workbook, mostNames);
  if (!ranges) return null;
  const read: ReferencedCell[][] = [];
  let left = mostCells;
  for (const { sheet, area } of ranges) {
    const [top, first, bottom, last] = area;
    const columns = columnsOf(sheet, first, last, showsHidden);
    // Whole columns end where the sheet does.
    const end = bottom - top > sheetRows / 2 ? Math.min(bottom, sheet.grid.height - 1) : bottom;
    for (let row = top; row <= end && left > 0; row++) {
      const line = sheet.grid.row(row)?.line;
      if (!showsHidden && (line?.hidden || line?.filtered)) continue;
      read.push(columns.map((column) => cellOf(shown, sheet, row, column)));
      left -= columns.length;
    }
  }
  return read;
}

interface SheetRange {
  readonly sheet: Sheet;
  readonly area: Area;
}

function rangesOf(formula: string, workbook: Workbook, names: number): SheetRange[] | null {
  if (formula.includes('[')) return null;
  const ranges: SheetRange[] = [];
  for (const part of partsOf(formula)) {
    if (typeof part === 'string') {
      if (!/^[\s(),;]*$/.test(part)) return null;
      continue;
    }
    if (isReference(part)) {
      const sheet = part.sheet === null ? undefined : sheetNamed(workbook, part.sheet);
      if (!sheet || part.toSheet !== null) return null;
      ranges.push({ sheet, area: part.area });
      continue;
    }
    const scope = part.sheet === null ? undefined : sheetNamed(workbook, part.sheet)?.id;
    const all = [...namesOf(workbook).values()].filter(({ name }) => sameName(name, part.word));
    const named = all.find((name) => name.scope === scope) ?? all.find((name) => !name.scope);
    const meant = named && names > 0 ? rangesOf(named.formula, workbook, names - 1) : null;
    if (!meant) return null;
    ranges.push(...meant);
  }
  return ranges.length > 0 ? ranges : null;
}

function columnsOf(sheet: Sheet, first: number, last: number, showsHidden: boolean): number[] {
  const hidden = new Set<number>();
  for (const [from, count, line] of sheet.columns.runs) {
    if (showsHidden || !line.hidden) continue;
    for (let column = Math.max(from, first); column <= Math.min(from + count - 1, last); column++)
      hidden.add(column);
  }
  const columns: number[] = [];
  for (let column = first; column <= Math.min(last, lastColumn) && columns.length < mostCells; column++)
    if (!hidden.has(column)) columns.push(column);
  return columns;
}

function cellOf(
  { workbook, valueOf: calculated, settings }: ChartSource,
  sheet: Sheet,
  row: number,
  column: number,
): ReferencedCell {
  const cell = sheet.grid.cell(row, column);
  const value = calculated(sheet.id, row, column) ?? cell.value;
  const pattern = workbook.formats.at(cell.format).number ?? 'General';
  if (value === null) return { value: null, isError: false, text: '', pattern };
  if (typeof value === 'number')
    return { value, isError: false, text: shownValue(value, pattern, settings).text, pattern };
  if (isErrorValue(value)) return { value: null, isError: true, text: value.e, pattern };
  const text = textOfValue(value);
  return { value: text, isError: false, text: shownValue(text, pattern, settings).text, pattern };
}
