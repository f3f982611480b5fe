import type { Axis } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cellsOf } from '../cell-editor.ts';
import {
  type CellRange,
  heightOf,
  intersectionOf,
  isOneCell,
  isSameRange,
  widthOf,
} from '../grid/cell-range.ts';
import { neededHeight, neededWidth } from '../grid/text-painter.ts';
import { columnChars, rowPoints } from '../shown/sheet-axes.ts';
import { areaOfRange, rangeOfArea } from '../shown/sheet-view.ts';

type Span = readonly [from: number, to: number];

const spanIn = ({ top, left, bottom, right }: CellRange, axis: Axis): Span =>
  axis === 'row' ? [top, bottom] : [left, right];

/** The rows or columns of what is selected, in order and joined. */
export function selectedSpans(editor: CellEditor, axis: Axis): Span[] {
  const spans = editor.selection.peek().ranges.map((range) => spanIn(range, axis));
  const joined: Span[] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}

/** Inserts as many rows or columns as are selected, before or behind them. */
export function insertLines(editor: CellEditor, axis: Axis, where: 'before' | 'after'): boolean {
  const [from, to] = spanIn(editor.range, axis);
  const count = to - from + 1;
  const at = where === 'before' ? from : to + 1;
  return editor.change({
    op: 'insert',
    sheet: editor.sheetId.peek(),
    axis,
    at,
    count,
    ...(at > 0 && { like: 'before' as const }),
  });
}

export function deleteLines(editor: CellEditor, axis: Axis): boolean {
  const sheet = editor.sheetId.peek();
  // From the last to the first, so that each still has its place when it comes to it.
  const operations = selectedSpans(editor, axis)
    .toReversed()
    .map(([from, to]): CellOperation => ({ op: 'delete', sheet, axis, at: from, count: to - from + 1 }));
  return editor.change(...operations);
}

/** Inserts empty cells, or takes cells out: others move down or to the right, or back. */
export function shiftCells(editor: CellEditor, op: 'insert' | 'delete', axis: Axis): boolean {
  const { range } = editor;
  const [from, to] = spanIn(range, axis);
  const band = spanIn(range, axis === 'row' ? 'column' : 'row');
  return editor.change({ op, sheet: editor.sheetId.peek(), axis, at: from, count: to - from + 1, band });
}

export const hideLines = (editor: CellEditor, axis: Axis): boolean =>
  changeLines(editor, axis, selectedSpans(editor, axis), { hidden: true });

/** Shows what is hidden among the selected rows or columns, and right beside them. */
export function showLines(editor: CellEditor, axis: Axis): boolean {
  const spans = selectedSpans(editor, axis).map(([from, to]): Span => [Math.max(0, from - 1), to + 1]);
  return changeLines(editor, axis, spans, { hidden: null });
}

function changeLines(
  editor: CellEditor,
  axis: Axis,
  spans: readonly Span[],
  patch: Extract<CellOperation, { op: 'lines' }>['patch'],
): boolean {
  return editor.change({ op: 'lines', sheet: editor.sheetId.peek(), axis, spans, patch });
}

/** Gives rows or columns a size in pixels as it is shown. */
export function resizeLines(editor: CellEditor, axis: Axis, spans: readonly Span[], pixels: number): boolean {
  const natural = pixels / editor.view.peek().zoom;
  if (natural < 1) return changeLines(editor, axis, spans, { hidden: true });
  const size =
    axis === 'row' ? rowPoints(Math.round(natural)) : columnChars(Math.round(natural), editor.digitPx);
  return changeLines(editor, axis, spans, { size, custom: true, hidden: null });
}

/** So many cells are measured for one that is made to fit. */
const mostMeasured = 5_000;

/** Makes rows as high, or columns as wide, as what is in them. */
export function fitLines(editor: CellEditor, axis: Axis, spans: readonly Span[]): boolean {
  const view = editor.view.peek();
  const { used } = view;
  if (!used) return false;
  const operations: CellOperation[] = [];
  for (const [from, to] of spans) {
    const [first, last] = spanIn(used, axis);
    for (let line = Math.max(from, first); line <= Math.min(to, last); line++) {
      const all =
        axis === 'row' ? { ...used, top: line, bottom: line } : { ...used, left: line, right: line };
      const size = neededSize(editor, all, axis);
      const patch =
        size === null
          ? { size: null, custom: null }
          : axis === 'row'
            ? { size: rowPoints(Math.ceil(size)), custom: null }
            : { size: columnChars(Math.ceil(size) + 1, editor.digitPx), custom: true };
      operations.push({ op: 'lines', sheet: editor.sheetId.peek(), axis, spans: [[line, line]], patch });
    }
  }
  return editor.change(...operations);
}

/** In pixels at a zoom of 1; null where there is nothing. */
function neededSize(editor: CellEditor, range: CellRange, axis: Axis): number | null {
  const view = editor.view.peek();
  let size: number | null = null;
  let measured = 0;
  for (const { row, column } of cellsOf(range)) {
    if (measured >= mostMeasured) break;
    const cell = view.cellAt(row, column);
    if (!cell || cell.text === '' || view.mergeAt(row, column)) continue;
    measured++;
    const needed =
      axis === 'row'
        ? neededHeight(cell, 1, view.columns.sizeOf(column) / view.zoom, editor.measures) + 2
        : neededWidth(cell, 1, editor.measures);
    size = Math.max(size ?? 0, needed);
  }
  return size;
}

/** Freezes what lies above and before the active cell, or nothing any more. */
export function toggleFrozen(editor: CellEditor): boolean {
  const sheet = editor.sheetId.peek();
  if (editor.sheet.properties.frozen) return editor.change({ op: 'sheet', sheet, patch: { frozen: null } });
  const { row, column } = editor.selection.peek().active;
  return freeze(editor, row, column);
}

export function freeze(editor: CellEditor, rows: number, columns: number): boolean {
  const frozen = rows === 0 && columns === 0 ? null : { rows, columns };
  return editor.change({ op: 'sheet', sheet: editor.sheetId.peek(), patch: { frozen } });
}

export const isMerged = (editor: CellEditor): boolean => {
  const { row, column } = editor.selection.value.active;
  return editor.view.value.mergeAt(row, column) !== null;
};

/** Merges what is selected to one cell, which has what the first has; or parts merged cells. */
export function toggleMerged(editor: CellEditor): boolean {
  const sheet = editor.sheetId.peek();
  const { range } = editor;
  const drops = [...itemsOf(editor.sheet, 'merge')]
    .filter(([, { area }]) => intersectionOf(rangeOfArea(area), range))
    .map(([id]): CellOperation => ({ op: 'drop', sheet, kind: 'merge', id }));
  const wasMerged = [...itemsOf(editor.sheet, 'merge').values()].some(({ area }) =>
    isSameRange(rangeOfArea(area), range),
  );
  if (wasMerged || isOneCell(range)) return editor.change(...drops);
  if (heightOf(range) * widthOf(range) > 1_000_000) return false;
  return editor.change(
    ...drops,
    ...clearedForMerge(sheet, range),
    { op: 'put', sheet, kind: 'merge', id: editor.newId(), item: { area: areaOfRange(range) } },
    { op: 'format', sheet, areas: [areaOfRange(range)], patch: { align: { horizontal: 'center' } } },
  );
}

/** Only the first of merged cells holds something. */
function clearedForMerge(sheet: string, { top, left, bottom, right }: CellRange): CellOperation[] {
  const areas: CellRange[] = [];
  if (right > left) areas.push({ top, left: left + 1, bottom: top, right });
  if (bottom > top) areas.push({ top: top + 1, left, bottom, right });
  return areas.length === 0 ? [] : [{ op: 'clear', sheet, areas: areas.map(areaOfRange), part: 'content' }];
}
