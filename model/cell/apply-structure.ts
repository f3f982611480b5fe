import { sheetRows } from '../cell-address.ts';
import type { SkipReason } from '../log/change.ts';
import { type Area, areaOf, lastOf, touches } from './area.ts';
import { carriedItems } from './carried-items.ts';
import type { Cell } from './cell.ts';
import { followReferences } from './follow.ts';
import { Formula } from './formula/formula.ts';
import { isReference } from './formula/formula-parts.ts';
import { ReferenceFollower, referenceShiftsOf } from './formula/reference-shift.ts';
import type { Grid, GridEdit } from './grid.ts';
import { changePlaces } from './item-places.ts';
import type { ItemOf } from './items.ts';
import { lockKept } from './kept-locks.ts';
import { CELL_LIMITS } from './limits.ts';
import { type Line, noLine, patchLine } from './lines.ts';
import { withoutMovedOver } from './moved-over.ts';
import type {
  CellOperation,
  ChangeLines,
  DeleteLines,
  InsertLines,
  MoveCells,
  MoveLines,
  Sort,
} from './operations.ts';
import { emptyRow, type Row, withColumns } from './row.ts';
import { regionOf, type StructureMap, structureMapOf, targetOf } from './structure-map.ts';
import { type Sheet, sheetOf, type Workbook } from './workbook.ts';
import { mapItems, noteRemovedComments, withSheet } from './workbook-change.ts';

/** Formulas, items and names after an operation on the structure; the cells themselves still stand where they were. */
export function followed(workbook: Workbook, operation: CellOperation): Workbook {
  const names = new Map(workbook.sheets.map(({ id, properties }) => [id, properties.name]));
  const follower = new ReferenceFollower(referenceShiftsOf(operation), names);
  if (follower.isIdle) return workbook;
  let after = followReferences(workbook, follower);
  for (const sheet of workbook.sheets) after = noteRemovedComments(after, sheet, sheetOf(after, sheet.id)!);
  return after;
}

export function insertLines(workbook: Workbook, sheet: Sheet, operation: InsertLines): Workbook | SkipReason {
  const { axis, at, count, band, like } = operation;
  const end = lastOf(axis);
  const pushed = areaOf(axis, end - count + 1, end, ...(band ?? []));
  // Also a cell with a look alone would be lost, and nothing would bring it back.
  if (!cellsIn(sheet.grid, pushed).next().done) return 'out-of-range';
  const after = followed(workbook, operation);
  const moved = sheetOf(after, sheet.id)!;
  let next: Sheet;
  if (band) {
    next = { ...moved, grid: movedCells(moved.grid, structureMapOf(operation)!, sheet.id) };
  } else if (axis === 'row') {
    // What is pushed off the sheet has a size at most.
    const from = Math.max(at, end - count + 1);
    const left = moved.grid.deleteRows(from, end - from + 1);
    next = { ...moved, grid: left.insertRows(at, count) };
  } else {
    const shift = (column: number) => (column < at ? column : column + count > end ? null : column + count);
    next = {
      ...moved,
      grid: moved.grid.mapRows((row) => shiftedRow(row, at, shift)),
      columns: moved.columns.insert(at, count, end),
    };
  }
  next = frozenAfter(next, operation, (edge) => (at < edge ? edge + count : edge));
  const settled = band ? withoutMovedOver(sheet, next) : next;
  if (!settled) return 'invalid-content';
  next = settled;
  const model = like === 'before' ? at - 1 : at + count;
  if (like && model >= 0 && model <= end) {
    const alike = likeLine(next, operation, model);
    if (!alike) return 'too-large';
    next = alike;
  }
  return withSheet(after, next);
}

export function deleteLines(workbook: Workbook, sheet: Sheet, operation: DeleteLines): Workbook | SkipReason {
  const { axis, at, count, band } = operation;
  const after = followed(workbook, operation);
  const moved = sheetOf(after, sheet.id)!;
  let next: Sheet;
  if (band) {
    next = { ...moved, grid: movedCells(moved.grid, structureMapOf(operation)!, sheet.id) };
  } else if (axis === 'row') {
    next = { ...moved, grid: moved.grid.deleteRows(at, count) };
  } else {
    const shift = (column: number) => (column < at ? column : column < at + count ? null : column - count);
    next = {
      ...moved,
      grid: moved.grid.mapRows((row) => shiftedRow(row, at, shift)),
      columns: moved.columns.delete(at, count),
    };
  }
  const edgeAfter = (edge: number) => (edge <= at ? edge : Math.max(at, edge - count));
  const settled = band ? withoutMovedOver(sheet, next) : next;
  return settled ? withSheet(after, frozenAfter(settled, operation, edgeAfter)) : 'invalid-content';
}

export function moveLines(workbook: Workbook, sheet: Sheet, operation: MoveLines): Workbook {
  const { axis, at, count, to } = operation;
  const map = structureMapOf(operation);
  if (!map) return workbook;
  const after = followed(workbook, operation);
  const moved = sheetOf(after, sheet.id)!;
  if (axis === 'row') return withSheet(after, { ...moved, grid: moved.grid.moveRows(at, count, to) });
  const first = Math.min(at, to);
  const target = to > at ? to - count : to;
  const shift = (column: number) => {
    if (column >= at && column < at + count) return column - at + target;
    const rest = column < at ? column : column - count;
    return rest < target ? rest : rest + count;
  };
  return withSheet(after, {
    ...moved,
    grid: moved.grid.mapRows((row) => shiftedRow(row, first, shift)),
    columns: moved.columns.move(at, count, to, lastOf('column')),
  });
}

/** A row whose columns lie before a place stays as it is. */
function shiftedRow(row: Row, from: number, shift: (column: number) => number | null): Row {
  const last = row.columns.at(-1);
  return last === undefined || last < from ? row : withColumns(row, shift);
}

export function moveCells(workbook: Workbook, sheet: Sheet, operation: MoveCells): Workbook | SkipReason {
  const { area, toSheet, row, column } = operation;
  const target = sheetOf(workbook, toSheet);
  if (!target) return 'out-of-range';
  if (sheet.id === toSheet) {
    if (row === area[0] && column === area[1]) return workbook;
    const after = followed(workbook, operation);
    const moved = sheetOf(after, sheet.id)!;
    const grid = movedCells(moved.grid, structureMapOf(operation)!, sheet.id);
    const settled = withoutMovedOver(sheet, { ...moved, grid });
    return settled ? withSheet(after, settled) : 'invalid-content';
  }
  const after = followed(workbook, operation);
  const source = sheetOf(after, sheet.id)!;
  const place = sheetOf(after, toSheet)!;
  const own = source.properties.name;
  const taken = [...cellsIn(source.grid, area)];
  const left = source.grid.edit();
  for (const [r, c] of taken) left.setCell(r, c, { value: null, formula: null, format: 0 });
  const put = place.grid.edit();
  for (const [r, c] of cellsIn(place.grid, targetOf(operation))) {
    put.setCell(r, c, { value: null, formula: null, format: 0 });
  }
  for (const [r, c, cell] of taken) {
    const formula = cell.formula && qualified(cell.formula, own, place.properties.name);
    put.setCell(r - area[0] + row, c - area[1] + column, { ...cell, formula });
  }
  const carried = carriedItems(sheetOf(workbook, sheet.id)!, operation, place.items);
  const settled = withoutMovedOver(target, { ...place, grid: put.done(), items: carried });
  if (!settled) return 'invalid-content';
  const result = withSheet(withSheet(after, { ...source, grid: left.done() }), settled);
  return noteRemovedComments(result, place, sheetOf(result, toSheet)!);
}

/** References without a sheet still lead to where the formula was; those to its new sheet need not name it. */
function qualified(formula: Formula, from: string, to: string): Formula {
  const parts = formula.parts.map((part) => {
    if (!isReference(part) || part.toSheet !== null) return part;
    if (part.sheet === null) return { ...part, sheet: from };
    return part.sheet.toLowerCase() === to.toLowerCase() ? { ...part, sheet: null } : part;
  });
  return Formula.ofParts(parts, formula.span);
}

export function sortLines(workbook: Workbook, sheet: Sheet, operation: Sort): Workbook {
  const { axis, band, order } = operation;
  const places = [...order].sort((one, other) => one - other);
  const grid =
    axis === 'row'
      ? sortedRows(sheet.grid, band, order, places)
      : sortedColumns(sheet.grid, operation, places);
  const area = sortedArea(operation, places);
  const across = [places[0]!, places.at(-1)!] as const;
  const sorted = axis === 'row' ? areaOf(axis, ...across, ...band) : null;
  const items = mapItems(sheet.items, (kind, item) => {
    // Comments and links of single lines go with them.
    if (kind === 'comment' || kind === 'link')
      return changePlaces(kind, item, { area, formula: (text) => text });
    // By which columns a list is sorted now, only who sorts it can say.
    const isList = (kind === 'filter' || kind === 'table') && sorted !== null;
    const list = item as ItemOf<'filter'>;
    return isList && list.sorted && touches(list.area, sorted) ? { ...list, sorted: undefined } : item;
  });
  return withSheet(workbook, { ...sheet, grid, items });
}

const copiedCell = (cell: Cell, rows: number, columns: number): Cell =>
  cell.formula ? { ...cell, formula: Formula.copied(cell.formula, rows, columns) } : cell;

function sortedRows(
  grid: Grid,
  [first, last]: Sort['band'],
  order: readonly number[],
  places: readonly number[],
): Grid {
  const edit = grid.edit();
  for (const [at, from] of order.entries()) {
    const to = places[at]!;
    if (from === to) continue;
    const [own, given] = [grid.row(to) ?? emptyRow, grid.row(from) ?? emptyRow];
    const columns: number[] = [];
    const cells: Cell[] = [];
    const take = (row: Row, isTaken: (column: number) => boolean, down: number) => {
      for (const [place, column] of row.columns.entries()) {
        if (!isTaken(column)) continue;
        columns.push(column);
        cells.push(copiedCell(row.cells[place]!, down, 0));
      }
    };
    take(own, (column) => column < first, 0);
    take(given, (column) => column >= first && column <= last, to - from);
    take(own, (column) => column > last, 0);
    edit.setRow(to, { line: own.line, columns, cells });
  }
  return edit.done();
}

function sortedColumns(grid: Grid, { band, order }: Sort, places: readonly number[]): Grid {
  const edit = grid.edit();
  const targets = new Map(order.map((from, at) => [from, places[at]!]));
  for (const [place, row] of grid.rows(...band)) {
    const shifted = row.columns.map((column) => (targets.get(column) ?? column) - column);
    if (shifted.every((shift) => shift === 0)) continue;
    const copies = row.cells.map((cell, at) => (shifted[at] ? copiedCell(cell, 0, shifted[at]) : cell));
    edit.setRow(
      place,
      withColumns({ ...row, cells: copies }, (column) => targets.get(column) ?? column),
    );
  }
  return edit.done();
}

/** Where an area of a single line comes to stand, if it lies in the band; others stay. */
function sortedArea({ axis, band, order }: Sort, places: readonly number[]): (area: Area) => Area {
  const targets = new Map(order.map((from, at) => [from, places[at]!]));
  return (area) => {
    const [r1, c1, r2, c2] = area;
    const [line, last, ...across] = axis === 'row' ? [r1, r2, c1, c2] : [c1, c2, r1, r2];
    const target = targets.get(line);
    const isInBand = across[0]! >= band[0] && across[1]! <= band[1];
    if (line !== last || target === undefined || !isInBand) return area;
    return areaOf(axis, target, target, across[0]!, across[1]!);
  };
}

export function changeLines(workbook: Workbook, sheet: Sheet, operation: ChangeLines): Workbook | SkipReason {
  const { patch, format } = operation;
  const own = format ? workbook.formats.with(format) : null;
  if (own && own.table.count > CELL_LIMITS.formats && own.table !== workbook.formats)
    return 'document-too-large';
  let formats = own?.table ?? workbook.formats;
  const formatFor = (line: Line): number | null => {
    if (!sheet.properties.protection) return own?.index ?? null;
    const kept = lockKept(formats, line.format ?? 0, own?.index ?? 0);
    formats = kept.formats;
    return !own && kept.index === 0 ? null : kept.index;
  };
  const change = (line: Line) =>
    patchLine(line, { ...patch, ...(format !== undefined && { format: formatFor(line) }) });
  const after = changedLines(workbook, sheet, operation, change);
  return typeof after === 'string' ? after : { ...after, formats };
}

function changedLines(
  workbook: Workbook,
  sheet: Sheet,
  { axis, spans }: ChangeLines,
  change: (line: Line) => Line,
): Workbook | SkipReason {
  const count = spans.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (axis === 'row' && count > 2 * sheetRows) return 'too-large';
  if (axis === 'column') {
    const columns = spans.reduce((all, [from, to]) => all.change(from, to, change), sheet.columns);
    return withSheet(workbook, { ...sheet, columns });
  }
  const edit = sheet.grid.edit();
  // Rows that follow each other were mostly alike, and are the very same line then.
  let [before, after]: [Line, Line] = [noLine, change(noLine)];
  for (const [from, to] of spans) {
    for (let place = from; place <= to; place++) {
      const row = edit.row(place) ?? emptyRow;
      if (row.line !== before) [before, after] = [row.line, change(row.line)];
      if (after !== before) edit.setRow(place, { ...row, line: after });
    }
  }
  return withSheet(workbook, { ...sheet, grid: edit.done() });
}

/** The cells of an area that are kept. */
export function* cellsIn(
  grid: Pick<Grid, 'rows'>,
  [r1, c1, r2, c2]: Area,
): Generator<readonly [row: number, column: number, cell: Cell]> {
  for (const [place, { columns, cells }] of grid.rows(r1, r2)) {
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at]!;
      if (column >= c1 && column <= c2) yield [place, column, cells[at]!];
    }
  }
}

/** Cells of a sheet moved piece by piece. */
function movedCells(grid: Grid, map: StructureMap, sheet: string): Grid {
  const edit = grid.edit();
  const moves: (readonly [row: number, column: number, cell: Cell])[] = [];
  for (const [place, row] of grid.rows()) {
    for (const [at, column] of row.columns.entries()) {
      const [target] = map.forward(regionOf(sheet, [place, column, place, column]));
      if (target && target.area[0] === place && target.area[1] === column) continue;
      clear(edit, place, column);
      if (target) moves.push([target.area[0], target.area[1], row.cells[at]!]);
    }
  }
  for (const [row, column, cell] of moves) edit.setCell(row, column, cell);
  return edit.done();
}

const clear = (edit: GridEdit, row: number, column: number) =>
  edit.setCell(row, column, { value: null, formula: null, format: 0 });

/** New lines look as another one does. Null: that would be too many cells. */
function likeLine(sheet: Sheet, { axis, at, count, band }: InsertLines, model: number): Sheet | null {
  const models = [...cellsIn(sheet.grid, areaOf(axis, model, model, ...(band ?? [])))].filter(
    ([, , { format }]) => format !== 0,
  );
  if (models.length * count > CELL_LIMITS.cellsPerOperation) return null;
  const edit = sheet.grid.edit();
  let { columns } = sheet;
  if (!band) {
    const plain = (line: Line): Line => patchLine(line, { hidden: null, filtered: null, collapsed: null });
    if (axis === 'column') {
      const line = plain(columns.at(model));
      columns = columns.change(at, at + count - 1, () => line);
    } else {
      const line = plain(sheet.grid.row(model)?.line ?? emptyRow.line);
      for (let place = at; place < at + count; place++) edit.setRow(place, { ...emptyRow, line });
    }
  }
  for (const [row, column, { format }] of models) {
    for (let place = at; place < at + count; place++) {
      const cell: Cell = { value: null, formula: null, format };
      if (axis === 'row') edit.setCell(place, column, cell);
      else edit.setCell(row, place, cell);
    }
  }
  return { ...sheet, grid: edit.done(), columns };
}

/** How many lines stay in sight follows the lines. */
function frozenAfter(
  sheet: Sheet,
  { axis, band }: Pick<InsertLines, 'axis' | 'band'>,
  edgeAfter: (edge: number) => number,
): Sheet {
  const { frozen } = sheet.properties;
  if (!frozen || band) return sheet;
  const name = axis === 'row' ? 'rows' : 'columns';
  const edge = edgeAfter(frozen[name]);
  if (edge === frozen[name]) return sheet;
  return { ...sheet, properties: { ...sheet.properties, frozen: { ...frozen, [name]: edge } } };
}
