import type { Area, Axis } from '../../../model/cell/area.ts';
import { inParts } from '../../../model/cell/operation-parts.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { isLeftOpen } from '../../../model/cell/protection.ts';
import type { Row } from '../../../model/cell/row.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellsOf } from '../grid/cell-areas.ts';
import { neededWidth } from '../grid/text-painter.ts';
import { heightFor, isBroken, needsRoom, normalPoints } from '../shown/fitting-rows.ts';
import { columnChars, defaultRowPixels, rowPixels, rowPoints } from '../shown/sheet-axes.ts';
import { joined } from './structure.ts';
import { type Span, touchedRows } from './touched-rows.ts';

/** So many cells are measured for one line that is made to fit. */
const mostMeasured = 5_000;
/** So many cells are measured for the rows that one change touches. */
const mostOfChange = 10_000;
/** A row that is higher by less than this was made so by a program that measures letters otherwise. */
const slackPx = 6;

/** Makes rows as high, or columns as wide, as what is in them. */
export function fitLines(editor: CellEditor, axis: Axis, spans: readonly Span[]): boolean {
  const view = editor.page.view.peek();
  const { used } = view;
  if (!used) return false;
  const sizes = new Map<number | null, Span[]>();
  for (const [from, to] of spans) {
    const [first, last] = axis === 'row' ? [used[0], used[2]] : [used[1], used[3]];
    for (let line = Math.max(from, first); line <= Math.min(to, last); line++) {
      const all: Area = axis === 'row' ? [line, used[1], line, used[3]] : [used[0], line, used[2], line];
      const size = neededSize(editor, all, axis);
      const fitted = sizes.get(size) ?? [];
      sizes.set(size, fitted);
      fitted.push([line, line]);
    }
  }
  const sheet = editor.page.sheetId.peek();
  return editor.change(
    ...[...sizes].flatMap(([size, fitted]) =>
      inParts(joined(fitted)).map((part): CellOperation => {
        return { op: 'lines', sheet, axis, spans: part, patch: fittedPatch(editor, axis, size) };
      }),
    ),
  );
}

function fittedPatch(editor: CellEditor, axis: Axis, size: number | null) {
  if (size === null) return { size: null, custom: null };
  return axis === 'row'
    ? { size: rowPoints(Math.ceil(size)), custom: null }
    : { size: columnChars(Math.ceil(size) + 1, editor.page.digitPx), custom: true };
}

/** In pixels at a zoom of 1; null where there is nothing. */
function neededSize(editor: CellEditor, range: Area, axis: Axis): number | null {
  const view = editor.page.view.peek();
  let size: number | null = null;
  let measured = 0;
  for (const { row, column } of cellsOf(range)) {
    if (measured >= mostMeasured) break;
    const cell = view.cellAt(row, column);
    if (!cell || cell.text === '' || view.mergeAt(row, column)) continue;
    measured++;
    const needed =
      axis === 'row' ? heightAt(editor, row, column) : neededWidth(cell, 1, editor.page.measures);
    size = Math.max(size ?? 0, needed);
  }
  return size;
}

/** How high a row has to be for one of its cells, in pixels at a zoom of 1; 0 for an empty cell. */
function heightAt(editor: CellEditor, row: number, column: number): number {
  const view = editor.page.view.peek();
  const cell = view.cellAt(row, column);
  if (!cell || cell.text === '' || view.mergeAt(row, column)) return 0;
  return heightFor(cell, view.columns.sizeOf(column) / view.zoom, editor.page.measures);
}

/**
 * Makes rows of the sheet that is shown as high as text needs that a change has broken into lines, turned, or made larger, and low
 * again where that is gone. It is taken back with the change. Rows whose height somebody has chosen keep it.
 */
export function fitTouchedRows(editor: CellEditor, changes: readonly CellOperation[]): void {
  // A change that is taken back already needs no room any more.
  if (!editor.canEdit || editor.session.shown.canRedo) return;
  const workbook = editor.page.workbook.peek();
  const { sheet } = editor.page.view.peek();
  const heights = new Map<number | null, Span[]>();
  const measuring = { cells: mostOfChange, mayNeedRoom: formatsThatNeedRoom(workbook) };
  for (const [from, to] of touchedRows(changes, sheet, (format) => isBroken(workbook.formats.at(format)))) {
    for (const [row, held] of sheet.grid.rows(from, to)) {
      const points = changedHeight(editor, row, held, measuring);
      if (points === undefined) continue;
      const spans = heights.get(points) ?? [];
      spans.push([row, row]);
      heights.set(points, spans);
    }
  }
  const operations = [...heights]
    .flatMap(([size, spans]) =>
      inParts(joined(spans)).map((part): CellOperation => {
        return { op: 'lines', sheet: sheet.id, axis: 'row', spans: part, patch: { size } };
      }),
    )
    .filter((operation) => isLeftOpen(workbook, operation));
  if (operations.length > 0) editor.session.dispatch({ operations, continues: true });
}

interface Measuring {
  /** How many may still be measured. */
  cells: number;
  readonly mayNeedRoom: (format: number) => boolean;
}

/** Tells of the place of a format whether text of it may need a higher row; each is looked at once, however many cells have it. */
function formatsThatNeedRoom(workbook: Workbook): Measuring['mayNeedRoom'] {
  const points = normalPoints(workbook);
  const known: (boolean | undefined)[] = [];
  return (format) => {
    const found = known[format] ?? needsRoom(workbook.formats.at(format), points);
    known[format] = found;
    return found;
  };
}

/** The height in points that a row gets, null for that of the sheet; undefined where it keeps its own. */
function changedHeight(
  editor: CellEditor,
  row: number,
  { line, columns, cells }: Row,
  measuring: Measuring,
): number | null | undefined {
  if (line.custom || line.hidden || line.filtered) return undefined;
  let needed = 0;
  for (const [at, column] of columns.entries()) {
    if (!measuring.mayNeedRoom(cells[at]!.format)) continue;
    if (measuring.cells-- <= 0) return undefined;
    needed = Math.max(needed, heightAt(editor, row, column));
  }
  const least = defaultRowPixels(editor.page.sheet);
  const now = line.size === undefined ? least : rowPixels(line.size);
  const wanted = Math.max(least, needed);
  if (needed > now + 1) return rowPoints(needed);
  if (now > wanted + slackPx) return wanted === least ? null : rowPoints(wanted);
  return undefined;
}
