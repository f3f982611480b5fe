import type { SkipReason } from '../log/change.ts';
import { type Area, contains, lastColumn, lastRow, sizeOf } from './area.ts';
import { filledCells, isInReach, roomIn } from './bounds.ts';
import { blankCell, type Cell, isBlank } from './cell.ts';
import { type CellFormat, type FormatTable, patchFormat } from './cell-format.ts';
import { clearedRow, type RowClearing } from './cleared-row.ts';
import { formattedRow, type RowFormatting } from './formatted-row.ts';
import { Formula } from './formula/formula.ts';
import type { GridEdit } from './grid.ts';
import { lockKept } from './kept-locks.ts';
import { CELL_LIMITS } from './limits.ts';
import { type Line, type Lines, patchLine } from './lines.ts';
import type { CellInput, Clear, ClearedPart, Fill, FormatCells, SetBlock, SetCells } from './operations.ts';
import { emptyRow, placeIn, type Row } from './row.ts';
import type { Sheet, Workbook } from './workbook.ts';
import { withSheet } from './workbook-change.ts';

/** Changes cells of one sheet: what they hold and how they look. */
class CellEdit {
  readonly #sheet: Sheet;
  readonly #edit: GridEdit;
  columns: Lines;
  formats: FormatTable;
  readonly #given: readonly CellFormat[];
  readonly #isProtected: boolean;
  readonly #places = new Map<number, number>();

  /** @param given the formats of the operation */
  constructor(workbook: Workbook, sheet: Sheet, given: readonly CellFormat[] = []) {
    this.#sheet = sheet;
    this.#edit = sheet.grid.edit();
    this.columns = sheet.columns;
    this.formats = workbook.formats;
    this.#given = given;
    this.#isProtected = sheet.properties.protection !== undefined;
  }

  /** The cell, or one that holds nothing and looks as its row or column does. */
  cell(row: number, column: number): Cell {
    const found = this.#edit.row(row);
    const at = found ? placeIn(found.columns, column) : -1;
    return at >= 0
      ? found!.cells[at]!
      : { value: null, formula: null, format: this.#defaultAt(found, column) };
  }

  row(place: number): Row {
    return this.#edit.row(place) ?? emptyRow;
  }

  setRow(place: number, row: Row): void {
    this.#edit.setRow(place, row);
  }

  set(row: number, column: number, given: Cell): void {
    const format = this.#isProtected
      ? this.keptLock(this.cell(row, column).format, given.format)
      : given.format;
    const cell = format === given.format ? given : { ...given, format };
    const keeps = isBlank(cell) && this.#defaultAt(this.#edit.row(row), column) !== 0;
    this.#edit.setCell(row, column, cell, keeps);
  }

  /** The place of a format for what has another one: while the sheet is protected, with the lock of that. */
  keptLock(before: number, after: number): number {
    if (!this.#isProtected || before === after) return after;
    const { formats, index } = lockKept(this.formats, before, after);
    this.formats = formats;
    return index;
  }

  /** Gives cells of a row other formats. */
  formatRow(place: number, formatting: Omit<RowFormatting, 'defaultAt'>): void {
    const row = this.row(place);
    const defaultAt = (column: number) => this.#defaultAt(row, column);
    const next = formattedRow(row, { ...formatting, defaultAt });
    if (next !== row) this.#edit.setRow(place, next);
  }

  /** Clears cells of a row. */
  clearRow(place: number, clearing: Omit<RowClearing, 'defaultAt'>): void {
    const row = this.row(place);
    const next = clearedRow(row, { ...clearing, defaultAt: (column) => this.#defaultAt(row, column) });
    if (next !== row) this.#edit.setRow(place, next);
  }

  write(row: number, column: number, { v, f, s }: CellInput): void {
    const before = this.cell(row, column);
    const hasContent = v !== undefined || f !== undefined;
    this.set(row, column, {
      value: hasContent ? (v ?? null) : before.value,
      formula: hasContent ? (f === undefined ? null : Formula.ofJson(f)) : before.formula,
      format: s === undefined ? before.format : this.#placeOf(s),
    });
  }

  get weight(): number {
    return this.#edit.weight;
  }

  /** The place of a format in the table. */
  placeOf(format: CellFormat): number {
    const { table, index } = this.formats.with(format);
    this.formats = table;
    return index;
  }

  done(workbook: Workbook): Workbook | SkipReason {
    const { count } = this.formats;
    if (count > CELL_LIMITS.formats && count > workbook.formats.count) return 'document-too-large';
    const sheet = { ...this.#sheet, grid: this.#edit.done(), columns: this.columns };
    return { ...withSheet(workbook, sheet), formats: this.formats };
  }

  #placeOf(given: number): number {
    let place = this.#places.get(given);
    if (place === undefined) {
      place = this.placeOf(this.#given[given]!);
      this.#places.set(given, place);
    }
    return place;
  }

  #defaultAt(row: Row | undefined, column: number): number {
    return row?.line.format ?? this.columns.at(column).format ?? 0;
  }
}

export function setCells(workbook: Workbook, sheet: Sheet, operation: SetCells): Workbook | SkipReason {
  if (filledCells(operation) > CELL_LIMITS.cellsPerOperation) return 'too-large';
  const edit = new CellEdit(workbook, sheet, operation.formats);
  for (const [row, column, input] of operation.cells) edit.write(row, column, input);
  return edit.done(workbook);
}

export function setBlock(workbook: Workbook, sheet: Sheet, operation: SetBlock): Workbook | SkipReason {
  if (filledCells(operation) > CELL_LIMITS.cellsPerOperation) return 'too-large';
  const edit = new CellEdit(workbook, sheet, operation.formats);
  for (const [down, inputs] of operation.rows.entries()) {
    for (const [right, input] of inputs.entries()) {
      if (input === null) continue;
      const given = typeof input === 'object' ? input : { v: input };
      edit.write(operation.row + down, operation.column + right, given);
    }
  }
  return edit.done(workbook);
}

const isWholeRows = ([, c1, , c2]: Area): boolean => c1 === 0 && c2 === lastColumn;
const isWholeColumns = ([r1, , r2]: Area): boolean => r1 === 0 && r2 === lastRow;

export function clearCells(workbook: Workbook, sheet: Sheet, { areas, part }: Clear): Workbook | SkipReason {
  if (!isInReach(sheet, areas)) return 'too-large';
  const edit = new CellEdit(workbook, sheet);
  const unformatted = (line: Line) => {
    const format = edit.keptLock(line.format ?? 0, 0);
    return patchLine(line, { format: format === 0 ? null : format });
  };
  const left = leftOf(part, (format) => edit.keptLock(format, 0));
  for (const area of areas) {
    const [r1, c1, r2, c2] = area;
    if (part !== 'content' && isWholeColumns(area)) edit.columns = edit.columns.change(c1, c2, unformatted);
    for (const [place, row] of sheet.grid.rows(r1, r2)) {
      if (part !== 'content' && isWholeRows(area)) {
        edit.setRow(place, { ...edit.row(place), line: unformatted(row.line) });
      }
      edit.clearRow(place, { span: [c1, c2], left });
    }
  }
  return edit.done(workbook);
}

/**
 * What is left of a cell without its content, its format or both.
 * @param unformatted the format of a cell in place of the one that it has
 */
function leftOf(part: ClearedPart, unformatted: (format: number) => number): (cell: Cell) => Cell {
  // Cells that hold nothing are few, however many there are of each.
  const empty = new Map<number, Cell>();
  const emptyOf = (format: number): Cell => {
    const known = empty.get(format) ?? { ...blankCell, format };
    empty.set(format, known);
    return known;
  };
  return (cell) => {
    const { value, formula, format } = cell;
    const after = part === 'content' ? format : unformatted(format);
    const keepsContent = part === 'format' || (value === null && formula === null);
    if (keepsContent) return after === format ? cell : { value, formula, format: after };
    return emptyOf(after);
  };
}

export function fillCells(workbook: Workbook, sheet: Sheet, { from, to, part }: Fill): Workbook | SkipReason {
  if (sizeOf(to) > CELL_LIMITS.cellsPerFill) return 'too-large';
  const edit = new CellEdit(workbook, sheet);
  const source = new CellEdit(workbook, sheet);
  const [height, width] = [from[2] - from[0] + 1, from[3] - from[1] + 1];
  const room = roomIn(workbook, sheet);
  let filled = 0;
  const turn = (offset: number, size: number) => ((offset % size) + size) % size;
  for (let row = to[0]; row <= to[2]; row++) {
    if (edit.weight > room) return 'document-too-large';
    if (filled > CELL_LIMITS.cellsPerOperation) return 'too-large';
    for (let column = to[1]; column <= to[3]; column++) {
      if (contains(from, [row, column, row, column])) continue;
      const fromRow = from[0] + turn(row - from[0], height);
      const fromColumn = from[1] + turn(column - from[1], width);
      const given = source.cell(fromRow, fromColumn);
      const before = edit.cell(row, column);
      const content = part === 'format' ? before : given;
      const copy = content === given ? given.formula : null;
      if (copy?.span) filled += copy.span.rows * copy.span.columns;
      edit.set(row, column, {
        value: content.value,
        formula: copy ? Formula.copied(copy, row - fromRow, column - fromColumn) : content.formula,
        format: part === 'content' ? before.format : given.format,
      });
    }
  }
  return edit.done(workbook);
}

export function formatCells(
  workbook: Workbook,
  sheet: Sheet,
  { areas, patch, format: whole }: FormatCells,
): Workbook | SkipReason {
  if (!isInReach(sheet, areas)) return 'too-large';
  const edit = new CellEdit(workbook, sheet);
  const patched = new Map<number, number>();
  const after = (format: number): number => {
    let next = patched.get(format);
    if (next === undefined) {
      const given = edit.placeOf(whole ?? patchFormat(edit.formats.at(format), patch, format));
      next = edit.keptLock(format, given);
      patched.set(format, next);
    }
    return next;
  };
  const formatted = sheet.columns.runs.reduce(
    (sum, [, length, { format }]) => sum + (format ? length : 0),
    0,
  );
  let count = 0;
  // Areas beside each other are written row by row.
  const byRows = new Map<string, { r1: number; r2: number; spans: [from: number, to: number][] }>();
  for (const area of areas) {
    const [r1, c1, r2, c2] = area;
    const [isOfColumns, isOfRows] = whole ? [false, false] : [isWholeColumns(area), isWholeRows(area)];
    if (!isOfColumns) count += isOfRows ? (r2 - r1 + 1) * (1 + formatted) : sizeOf(area);
    if (count > CELL_LIMITS.cellsPerOperation + sheet.grid.weight) return 'too-large';
    if (isOfColumns) {
      if (!formatColumns(edit, sheet, c1, c2, after)) return 'too-large';
    } else if (isOfRows) {
      formatRows(edit, sheet, [r1, r2], after);
    } else {
      const key = `${r1}:${r2}`;
      const same = byRows.get(key) ?? { r1, r2, spans: [] };
      byRows.set(key, same);
      same.spans.push([c1, c2]);
    }
  }
  for (const { r1: top, r2: bottom, spans } of byRows.values()) {
    for (let row = top; row <= bottom; row++) edit.formatRow(row, { spans, after, fills: true });
  }
  return edit.done(workbook);
}

/** Whole rows, and the cells in them. */
function formatRows(
  edit: CellEdit,
  { columns }: Sheet,
  [from, to]: readonly [number, number],
  after: (format: number) => number,
): void {
  for (let place = from; place <= to; place++) {
    const row = edit.row(place);
    const cells = row.cells.map((cell) => ({ ...cell, format: after(cell.format) }));
    const line = patchLine(row.line, { format: after(row.line.format ?? 0) });
    edit.setRow(place, { line, columns: row.columns, cells });
    // Where a column has a format of its own, the row's does not hold.
    for (const [first, length, { format }] of columns.runs) {
      if (format === undefined || row.line.format !== undefined) continue;
      for (let column = first; column < first + length; column++) {
        if (placeIn(row.columns, column) < 0) {
          edit.set(place, column, { value: null, formula: null, format: after(format) });
        }
      }
    }
  }
}

/** @returns false: too many cells would have to be made where rows that have a format cross the columns */
function formatColumns(
  edit: CellEdit,
  sheet: Sheet,
  c1: number,
  c2: number,
  after: (format: number) => number,
): boolean {
  let crossings = 0;
  for (const [place] of sheet.grid.rows()) {
    const before = edit.row(place);
    edit.formatRow(place, { spans: [[c1, c2]], after, fills: false });
    // A row's own format hides that of the column.
    const { format } = before.line;
    if (format === undefined) continue;
    if (c1 === 0 && c2 === lastColumn) {
      const row = edit.row(place);
      edit.setRow(place, { ...row, line: patchLine(row.line, { format: after(row.line.format ?? 0) }) });
      continue;
    }
    crossings += c2 - c1 + 1;
    if (crossings > CELL_LIMITS.cellsPerOperation) return false;
    // The cells where they cross get it themselves.
    for (let column = c1; column <= c2; column++) {
      if (placeIn(before.columns, column) < 0) {
        edit.set(place, column, { value: null, formula: null, format: after(format) });
      }
    }
  }
  edit.columns = edit.columns.change(c1, c2, (line) => patchLine(line, { format: after(line.format ?? 0) }));
  return true;
}
