import type { Cell } from '../../../../../model/cell/cell.ts';
import { Grid } from '../../../../../model/cell/grid.ts';
import { type Line, noLine } from '../../../../../model/cell/lines.ts';
import type { Row } from '../../../../../model/cell/row.ts';
import type { CellValue } from '../../../../../model/cell/values.ts';
import { overLimit } from '../../../../errors.ts';
import type { SheetXml } from '../sheet-xml.ts';
import { isOn, numberOf } from '../styles/format-xml.ts';
import { FormulaReader, type SharedGroup, tagAttributes } from './cell-formulas.ts';
import { readValue, type ValueContext } from './cell-values.ts';

/** Where a row lies in the rows of a sheet, and what it became. */
export interface SourceRow {
  /** From 0. */
  readonly place: number;
  /** Where the row before it ends. */
  readonly gapStart: number;
  readonly start: number;
  readonly openEnd: number;
  readonly end: number;
  /** Undefined for one that says nothing. */
  readonly row: Row | undefined;
}

/** What reading the rows of a sheet needs to know of the workbook. */
export interface RowContext extends ValueContext {
  readonly formatCount: number;
  /** Numbers of the metadata of cells that spill. */
  readonly dynamic: ReadonlySet<number>;
  /** The format of a cell that is plain where its row or column has a format. */
  readonly plainFormat: () => number;
  /** Whether a column has a format of its own. */
  readonly isFormatted: (column: number) => boolean;
  /** Notes that so many cells more are kept, and how much text they hold together. @throws ConversionError limits */
  readonly take: (cells: number, chars: number) => void;
  /** Whether a hidden row is hidden by a filter. */
  readonly isFiltered: (place: number) => boolean;
}

/** The rows of a sheet as the file has them. */
export interface SheetRows {
  readonly grid: Grid;
  /** In the order of the file. */
  readonly source: readonly SourceRow[];
  /** Rows and cells that follow each other as they should, each with its reference. */
  readonly isOrderly: boolean;
  readonly groups: ReadonlyMap<string, SharedGroup>;
  readonly formulaCount: number;
}

/** @throws ConversionError corrupted or limits */
export function readRows(sheet: SheetXml, context: RowContext): SheetRows {
  const formulas = new FormulaReader(context.dynamic);
  const taken = { cells: 0, chars: 0 };
  const take = (cells: number, chars: number) => {
    taken.cells += cells;
    taken.chars += chars;
    context.take(cells, chars);
  };
  const rows = readWith(formulas, sheet, { ...context, take });
  const { groups, early } = formulas;
  if (![...early].some((number) => groups.has(number))) return rows;
  // Cells in disorder may share a formula whose text comes later: all is read, and counted, once more.
  context.take(-taken.cells, -taken.chars);
  return readWith(new FormulaReader(context.dynamic, groups), sheet, context);
}

function readWith(formulas: FormulaReader, sheet: SheetXml, context: RowContext): SheetRows {
  const cursor = sheet.cursor();
  const source: SourceRow[] = [];
  let isOrderly = true;
  let formulaCount = 0;
  let last = -1;
  let gapStart = 0;
  while (cursor.nextRow()) {
    const { rowStart: start, rowOpenEnd: openEnd } = cursor;
    const place = cursor.row - 1;
    const columns: number[] = [];
    const cells: Cell[] = [];
    if (place <= last) isOrderly = false;
    last = place;
    let chars = -formulas.chars;
    let lastColumn = 0;
    let isRowOrderly = true;
    const line = readLine(sheet.rows.slice(start, openEnd), place, context);
    while (cursor.nextCell()) {
      if (cursor.column <= lastColumn) isRowOrderly = false;
      lastColumn = cursor.column;
      const formula = cursor.formulaStart < 0 ? null : formulas.read(cursor);
      if (formula) formulaCount++;
      const column = cursor.column - 1;
      let format = cursor.style < context.formatCount ? cursor.style : 0;
      const value = readValue(cursor, context);
      if (format === 0 && value === null && formula === null) {
        if (line.format === undefined && !context.isFormatted(column)) continue;
        format = context.plainFormat();
      }
      chars += charsOf(value);
      columns.push(column);
      cells.push({ value, formula, format });
    }
    context.take(cells.length, chars + formulas.chars);
    const isSaid = cells.length > 0 || line !== noLine;
    let row: Row | undefined = isSaid ? { line, columns, cells } : undefined;
    if (!isRowOrderly) {
      isOrderly = false;
      row = row && orderly(row);
    }
    source.push({ place, gapStart, start, openEnd, end: cursor.rowEnd, row });
    gapStart = cursor.rowEnd;
  }
  const grid = gridOf(source, isOrderly);
  return { grid, source, isOrderly: isOrderly && cursor.areAllPlaced, groups: formulas.groups, formulaCount };
}

/** A row whose cells follow each other; of two in one place the last counts. */
function orderly({ line, columns, cells }: Row): Row {
  const byColumn = new Map(columns.map((column, index) => [column, cells[index]!]));
  const sorted = [...byColumn].sort(([one], [other]) => one - other);
  return { line, columns: sorted.map(([column]) => column), cells: sorted.map(([, cell]) => cell) };
}

function gridOf(source: readonly SourceRow[], isOrderly: boolean): Grid {
  if (isOrderly) return Grid.of(entriesOf(source));
  const byPlace = new Map<number, Row>();
  for (const { place, row } of source) {
    const before = byPlace.get(place);
    if (!row) continue;
    byPlace.set(
      place,
      before
        ? orderly({
            line: row.line === noLine ? before.line : row.line,
            columns: [...before.columns, ...row.columns],
            cells: [...before.cells, ...row.cells],
          })
        : row,
    );
  }
  return Grid.of([...byPlace].sort(([one], [other]) => one - other));
}

function* entriesOf(source: readonly SourceRow[]): Generator<readonly [number, Row]> {
  for (const { place, row } of source) if (row) yield [place, row];
}

const PLAIN_ROW = /^<[^\s]*row(?:\s+(?:r|spans|x14ac:dyDescent)="[^"]*")*\s*\/?>$/;
const MOST_LEVELS = 7;

function readLine(tag: string, place: number, { formatCount, isFiltered }: RowContext): Line {
  if (PLAIN_ROW.test(tag)) return noLine;
  const { ht, customHeight, hidden, outlineLevel, collapsed, s, customFormat } = tagAttributes(tag);
  const line: { -readonly [Name in keyof Line]: Line[Name] } = {};
  const size = numberOf(ht);
  const on = (value: string | undefined) => value !== undefined && isOn(value);
  if (size !== undefined) line.size = size;
  if (on(customHeight)) line.custom = true;
  if (on(hidden)) {
    if (isFiltered(place)) line.filtered = true;
    else line.hidden = true;
  }
  const level = Math.min(MOST_LEVELS, numberOf(outlineLevel) ?? 0);
  if (level > 0) line.level = level;
  if (on(collapsed)) line.collapsed = true;
  const format = numberOf(s) ?? 0;
  if (on(customFormat) && format > 0 && format < formatCount) line.format = format;
  return Object.keys(line).length > 0 ? line : noLine;
}

/** A piece of a text takes at least so much beside its letters when a workbook is written as JSON. */
const PIECE_CHARS = 8;

/** How much text a value is, at least. */
function charsOf(value: CellValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || !('r' in value)) return 0;
  return value.r.reduce((chars, { t }) => chars + PIECE_CHARS + t.length, 0);
}

/**
 * Counts cells and their texts while a workbook is opened, and ends that when they are too many: a small file can have one long
 * text or formula that very many cells share.
 */
export class CellBudget {
  #cells: number;
  #chars: number;

  constructor(most: { readonly cells: number; readonly chars: number }) {
    this.#cells = most.cells;
    this.#chars = most.chars;
  }

  /** Of a workbook that was opened before. */
  static unlimited(): CellBudget {
    return new CellBudget({ cells: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY });
  }

  /** @throws ConversionError limits */
  take(cells: number, chars: number): void {
    this.#cells -= cells;
    this.#chars -= chars;
    if (this.#cells < 0 || this.#chars < 0) throw overLimit('the workbook is too large to be edited');
  }
}
