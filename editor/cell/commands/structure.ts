import { type Area, type Axis, lastColumn, lastRow } from '../../../model/cell/area.ts';
import { inParts } from '../../../model/cell/operation-parts.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { isWholeColumns, isWholeRows } from '../grid/cell-areas.ts';
import { selectColumns, selectRows } from '../grid/selection.ts';
import { columnChars, rowPoints } from '../shown/sheet-axes.ts';
import { doRepeatably } from './repeating.ts';
import { unfilteredParts } from './selected-areas.ts';
import { calculatedRows } from './table-growth.ts';
import type { Span } from './touched-rows.ts';

/** First and last row, or column, of a range. */
export const spanIn = ([top, left, bottom, right]: Area, axis: Axis): Span =>
  axis === 'row' ? [top, bottom] : [left, right];

/** The rows or columns of what is selected, in order and joined. */
export const selectedSpans = (editor: CellEditor, axis: Axis): Span[] =>
  joinedSpans(editor.selection.peek().ranges, axis);

const joinedSpans = (ranges: readonly Area[], axis: Axis): Span[] =>
  joined(ranges.map((range) => spanIn(range, axis)));

/** Spans in order; those that meet are one. */
export function joined(spans: readonly Span[]): Span[] {
  const made: Span[] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = made.at(-1);
    if (last && from <= last[1] + 1) made[made.length - 1] = [last[0], Math.max(last[1], to)];
    else made.push([from, to]);
  }
  return made;
}

/** Inserts as many rows or columns as are selected, before or behind them; where several ranges are, at each of them. */
export function insertLines(editor: CellEditor, axis: Axis, where: 'before' | 'after'): boolean {
  return doRepeatably(editor, () => {
    const sheet = editor.page.sheetId.peek();
    // From the last to the first, so that each still has its place when it comes to it.
    const operations = selectedSpans(editor, axis)
      .toReversed()
      .flatMap(([from, to]): CellOperation[] => {
        const at = where === 'before' ? from : to + 1;
        const count = to - from + 1;
        const insert = { op: 'insert', sheet, axis, at, count } as const;
        const formulas = axis === 'row' ? calculatedRows(editor.page.sheet, at, count) : [];
        return [at > 0 ? { ...insert, like: 'before' } : insert, ...formulas];
      });
    return editor.change(...operations);
  });
}

export const deleteLines = (editor: CellEditor, axis: Axis): boolean =>
  doRepeatably(editor, () => takeOutLines(editor, axis));

function takeOutLines(editor: CellEditor, axis: Axis): boolean {
  const sheet = editor.page.sheetId.peek();
  const { ranges } = editor.selection.peek();
  const view = editor.page.view.peek();
  // Rows that a filter hides were not meant: only what is seen goes.
  const meant = axis === 'row' ? ranges.flatMap((range) => unfilteredParts(view, range)) : ranges;
  // From the last to the first, so that each still has its place when it comes to it.
  const operations = joinedSpans(meant, axis)
    .toReversed()
    .map(([from, to]): CellOperation => ({ op: 'delete', sheet, axis, at: from, count: to - from + 1 }));
  return editor.change(...operations);
}

/** Inserts empty cells, or takes cells out: others move down or to the right, or back. */
export function shiftCells(editor: CellEditor, op: 'insert' | 'delete', axis: Axis): boolean {
  return doRepeatably(editor, () => {
    const { range } = editor;
    const [from, to] = spanIn(range, axis);
    const band = spanIn(range, axis === 'row' ? 'column' : 'row');
    return editor.change({
      op,
      sheet: editor.page.sheetId.peek(),
      axis,
      at: from,
      count: to - from + 1,
      band,
    });
  });
}

/** Puts rows or columns before another one, where they stay selected. Formulas everywhere follow. */
export function moveLines(editor: CellEditor, axis: Axis, [from, to]: Span, before: number): boolean {
  if (before >= from && before <= to + 1) return false;
  const count = to - from + 1;
  const sheet = editor.page.sheetId.peek();
  if (!editor.change({ op: 'move', sheet, axis, at: from, count, to: before })) return false;
  const first = before > to ? before - count : before;
  const select = axis === 'row' ? selectRows : selectColumns;
  editor.select(select(first, first + count - 1), { reveals: false });
  return true;
}

/** Whether whole rows, or whole columns, are selected; null for anything else. */
export function linesSelected(editor: CellEditor): Axis | null {
  const { ranges } = editor.selection.peek();
  if (ranges.every(isWholeRows)) return 'row';
  return ranges.every(isWholeColumns) ? 'column' : null;
}

/** What the keys for taking out do: rows or columns where these are selected, else `otherwise`. */
export function deleteSelected(editor: CellEditor, otherwise: 'rows' | 'cells'): boolean {
  const axis = linesSelected(editor) ?? (otherwise === 'rows' ? 'row' : null);
  return axis ? deleteLines(editor, axis) : shiftCells(editor, 'delete', 'row');
}

export const hideLines = (editor: CellEditor, axis: Axis): boolean =>
  changeLines(editor, axis, selectedSpans(editor, axis), { hidden: true });

/** Shows rows or columns that are hidden. */
export const showHidden = (editor: CellEditor, axis: Axis, span: Span): boolean =>
  changeLines(editor, axis, [span], { hidden: null });

/** Shows what is hidden among the selected rows or columns, and right beside them. */
export const showLines = (editor: CellEditor, axis: Axis): boolean =>
  changeLines(editor, axis, hiddenSpans(editor.page.sheet, axis, selectedSpans(editor, axis)), {
    hidden: null,
  });

/** The hidden rows or columns among some, and right beside them. */
export function hiddenSpans({ grid, columns }: Sheet, axis: Axis, spans: readonly Span[]): Span[] {
  const last = axis === 'row' ? lastRow : lastColumn;
  const hidden = spans.flatMap(([from, to]): Span[] => {
    const [first, end] = [Math.max(0, from - 1), Math.min(last, to + 1)];
    if (axis === 'row') {
      return [...grid.rows(first, end)].flatMap(([row, { line }]) => (line.hidden ? [[row, row]] : []));
    }
    return columns
      .between(first, end)
      .flatMap(([column, count, line]) => (line.hidden ? [[column, column + count - 1]] : []));
  });
  return joined(hidden);
}

function changeLines(
  editor: CellEditor,
  axis: Axis,
  spans: readonly Span[],
  patch: Extract<CellOperation, { op: 'lines' }>['patch'],
): boolean {
  const sheet = editor.page.sheetId.peek();
  return editor.change(
    ...inParts(spans).map((part): CellOperation => ({ op: 'lines', sheet, axis, spans: part, patch })),
  );
}

/** Gives rows or columns a size in pixels as it is shown. */
export function resizeLines(editor: CellEditor, axis: Axis, spans: readonly Span[], pixels: number): boolean {
  const natural = pixels / editor.page.view.peek().zoom;
  if (natural < 1) return changeLines(editor, axis, spans, { hidden: true });
  const size =
    axis === 'row' ? rowPoints(Math.round(natural)) : columnChars(Math.round(natural), editor.page.digitPx);
  return changeLines(editor, axis, spans, { size, custom: true, hidden: null });
}

/** Freezes what lies above and before the active cell, or nothing any more. */
export function toggleFrozen(editor: CellEditor): boolean {
  const sheet = editor.page.sheetId.peek();
  if (editor.page.sheet.properties.frozen)
    return editor.change({ op: 'sheet', sheet, patch: { frozen: null } });
  const { row, column } = editor.selection.peek().active;
  return freeze(editor, row, column);
}

export function freeze(editor: CellEditor, rows: number, columns: number): boolean {
  const frozen = rows === 0 && columns === 0 ? null : { rows, columns };
  return editor.change({ op: 'sheet', sheet: editor.page.sheetId.peek(), patch: { frozen } });
}

export const isMerged = (editor: CellEditor): boolean => {
  const { row, column } = editor.selection.value.active;
  return editor.page.view.value.mergeAt(row, column) !== null;
};
