import { type Area, touches } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { type CellValue, textOfValue } from '../../../model/cell/values.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { belowFirstRow, type CellPosition, isOneCell, isWholeColumns } from '../grid/cell-areas.ts';
import { regionAround, type Terrain } from '../grid/selection.ts';
import type { PlaceRecord } from '../together/place-records.ts';
import { headedTableAt, listsOf } from './filtered-lists.ts';
import { offerUndo } from './offered-undo.ts';

/** One of several columns by which rows are sorted, the first one first. */
export interface SortKey {
  readonly column: number;
  /** 1 for rising. */
  readonly direction: 1 | -1;
}

/** Numbers, then text, then truth values, then errors; nothing comes last in both directions. */
const rankOf = (value: CellValue): number => {
  if (value === null || value === '') return 4;
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return 2;
  return typeof value === 'object' && 'e' in value ? 3 : 1;
};

/** Compares as sorting does; `direction` is 1 for rising. */
export function compareValues(collator: Intl.Collator, direction: 1 | -1) {
  return (one: CellValue, other: CellValue): number => {
    const [first, second] = [rankOf(one), rankOf(other)];
    if (first === 4 || second === 4) return first - second;
    if (first !== second) return (first - second) * direction;
    if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
    return collator.compare(textOfValue(one), textOfValue(other)) * direction;
  };
}

/** The places of rows in the order of their values. Equal ones keep theirs. */
export function sortedOrder(
  places: readonly number[],
  valueAt: (place: number) => CellValue,
  locale: string,
  direction: 1 | -1,
): number[] {
  const compare = compareValues(new Intl.Collator(locale, { numeric: true }), direction);
  const values = new Map(places.map((place) => [place, valueAt(place)]));
  return places.toSorted((one, other) => compare(values.get(one)!, values.get(other)!) || one - other);
}

/**
 * Sorts the rows of what is selected, or of what hangs together with the active cell or with the selected columns, by the
 * active cell's column. Where cells beside what is selected stay, that is said, with a way to have them go along.
 */
export function sortRows(editor: CellEditor, direction: 1 | -1): boolean {
  const { active } = editor.selection.peek();
  const view = editor.page.view.peek();
  const { range } = editor;
  const { column } = active;
  const isWhole = isWholeColumns(range);
  const region = regionAround(view, isWhole ? firstFilled(view, column) : active);
  const isPart = !isOneCell(range) && !isWhole;
  const sorted = withoutHeader(editor, isPart ? range : region);
  if (!sortRange(editor, sorted, column, direction)) return false;
  if (isPart && (region[1] < range[1] || region[3] > range[3])) {
    const all: Area = [sorted[0], Math.min(region[1], range[1]), sorted[2], Math.max(region[3], range[3])];
    offerSortingAll(editor, all, column, direction);
  }
  return true;
}

/** Where the rows are that could be sorted as well, of the last time that this was offered. */
let offered: PlaceRecord | null = null;

/** Says that cells beside those which were sorted stayed, with a button that sorts all of their rows instead, wherever others have moved them. */
function offerSortingAll(editor: CellEditor, all: Area, column: number, direction: 1 | -1): void {
  offered?.end();
  const sheet = editor.page.sheetId.peek();
  const record = editor.records.begin(sheet);
  offered = record;
  offerUndo(editor, t('sheet.sortedPart'), t('sheet.sortAll'), () => {
    const [range, by] = [record.now(all), record.now([all[0], column, all[2], column])];
    record.end();
    if (!range || !by) return;
    editor.sheets.show(sheet);
    sortRange(editor, range, by[1], direction);
  });
}

/** The first cell of a column that has something; the first of all where none has. */
function firstFilled(view: Pick<Terrain, 'cellAt' | 'used'>, column: number): CellPosition {
  const last = view.used?.[2] ?? -1;
  for (let row = 0; row <= last; row++) {
    if ((view.cellAt(row, column)?.kind ?? 'blank') !== 'blank') return { row, column };
  }
  return { row: 0, column };
}

export function sortRange(editor: CellEditor, range: Area, column: number, direction: 1 | -1): boolean {
  const view = editor.page.view.peek();
  const used = view.used?.[2] ?? 0;
  const places: number[] = [];
  for (let row = range[0]; row <= Math.min(range[2], used); row++) {
    if (!view.rows.isHidden(row)) places.push(row);
  }
  if (places.length < 2) return false;
  const order = sortedOrder(
    places,
    (row) => view.valueAt(row, column),
    editor.page.settings.locale,
    direction,
  );
  return putInOrder(editor, range, order, [{ column, direction }]);
}

/** Whether rows have their merged cells, each within one row, in the same columns: only then they can change places. @param rows from above */
export function areMergedAlike(
  sheet: Pick<Terrain, 'mergesIn'>,
  rows: readonly number[],
  [, left, , right]: Area,
): boolean {
  const among = new Set(rows);
  const merges = sheet.mergesIn([rows[0]!, left, rows.at(-1)!, right]);
  const inRows = new Map<number, string>();
  for (const [top, first, bottom, last] of merges) {
    const isWithin = top === bottom && first >= left && last <= right;
    if (!isWithin && rows.some((row) => row >= top && row <= bottom)) return false;
    if (among.has(top)) inRows.set(top, `${inRows.get(top) ?? ''} ${first}-${last}`);
  }
  const [alike] = inRows.values();
  return inRows.size === 0 || rows.every((row) => inRows.get(row) === alike);
}

/**
 * Puts the cells of rows within the columns of a range in another order; says why they cannot be.
 * @param keys the columns by whose values that is the order; none where it is another one
 */
export function putInOrder(
  editor: CellEditor,
  range: Area,
  order: readonly number[],
  keys: readonly SortKey[],
): boolean {
  const rows = order.toSorted((one, other) => one - other);
  const { ended, noted } = notedOrder(editor, range, keys);
  if (order.every((row, at) => row === rows[at])) {
    const changed = [...ended, ...noted];
    return changed.length === 0 || editor.change(...changed);
  }
  if (!areMergedAlike(editor.page.view.peek(), rows, range)) {
    notify({ text: t('sheet.sortMerged'), kind: 'warning', topic: 'sheet-sorted' });
    return false;
  }
  const sheet = editor.page.sheetId.peek();
  const sort = { op: 'sort', sheet, axis: 'row', band: [range[1], range[3]], order: [...order] } as const;
  return editor.change(...ended, sort, ...noted);
}

/**
 * Has the filters and tables whose rows are sorted say by which columns; where a part of their rows is, by none. What they have said
 * ends with the sorting, and before it so that it comes back with what is taken back.
 */
function notedOrder(
  editor: CellEditor,
  range: Area,
  keys: readonly SortKey[],
): { readonly ended: CellOperation[]; readonly noted: CellOperation[] } {
  const { sheet } = editor.page;
  const [ended, noted]: [CellOperation[], CellOperation[]] = [[], []];
  // Who may sort a protected sheet may not change what stands on it.
  if (sheet.properties.protection || !editor.role.canFilter) return { ended, noted };
  const last = editor.page.view.peek().used?.[2] ?? 0;
  for (const { kind, id, body, sorted } of listsOf(editor)) {
    const [top, left, bottom, right] = body;
    if (!touches(body, range)) continue;
    const isWhole =
      range[0] <= top && range[2] >= Math.min(bottom, last) && range[1] <= left && range[3] >= right;
    const own = keys.filter(({ column }) => column >= left && column <= right);
    const next = own.map(({ column, direction }) => ({
      ...{ column: column - left, ...(direction < 0 && { falling: true }) },
    }));
    const put = (value: typeof next | null): CellOperation => ({
      ...{ op: 'patch', sheet: sheet.id, kind, id },
      patch: { sorted: value },
    });
    if (sorted) ended.push(put(null));
    if (isWhole && next.length > 0) noted.push(put(next));
  }
  return { ended, noted };
}

/** The first row names the columns, if it looks so, or is that of a table or a filter. */
function withoutHeader(editor: CellEditor, range: Area): Area {
  const view = editor.page.view.peek();
  const areas = [
    ...[...itemsOf(editor.page.sheet, 'filter').values()].map(({ area }) => area),
    ...[...itemsOf(editor.page.sheet, 'table').values()]
      .filter(({ hasHeader }) => hasHeader)
      .map(({ area }) => area),
  ];
  const isKnown = areas.some(([top, left]) => top === range[0] && left >= range[1]);
  return isKnown || looksLikeHeadings(view, range) ? belowFirstRow(range) : range;
}

/** Whether the first row of a range is text over something else, or bold over what is not. */
export function looksLikeHeadings(view: Pick<Terrain, 'cellAt'>, range: Area): boolean {
  const [top, left, bottom, right] = range;
  if (top === bottom) return false;
  let differs = false;
  for (let column = left; column <= right; column++) {
    const [first, second] = [view.cellAt(top, column), view.cellAt(top + 1, column)];
    if (first?.kind !== 'text') return false;
    if (!second || second.kind === 'blank') continue;
    if (second.kind !== 'text' || (first.look.text.bold && !second.look.text.bold)) differs = true;
  }
  return differs;
}

/**
 * Puts the buttons of a filter on what hangs together with the active cell, or takes them away with what they hide. In a table it is
 * the buttons of that.
 */
export function toggleFilter(editor: CellEditor): boolean {
  const sheet = editor.page.sheetId.peek();
  const view = editor.page.view.peek();
  const table = headedTableAt(editor.page.sheet, editor.selection.peek().active);
  if (table) {
    const [id, { area, hidesButtons }] = table;
    const patch = hidesButtons ? { hidesButtons: false } : { hidesButtons: true, filter: null };
    const shown = {
      op: 'lines',
      sheet,
      axis: 'row',
      spans: [[area[0], area[2]]],
      patch: { filtered: null },
    } as const;
    return editor.change({ op: 'patch', sheet, kind: 'table', id, patch }, ...(hidesButtons ? [] : [shown]));
  }
  const filters = [...itemsOf(editor.page.sheet, 'filter')];
  if (filters.length > 0) {
    const operations = filters.flatMap(([id, { area }]): CellOperation[] => [
      { op: 'drop', sheet, kind: 'filter', id },
      { op: 'lines', sheet, axis: 'row', spans: [[area[0], area[2]]], patch: { filtered: null } },
    ]);
    return editor.change(...operations);
  }
  const range = isOneCell(editor.range) ? regionAround(view, editor.selection.peek().active) : editor.range;
  if (isOneCell(range)) return false;
  return editor.change({
    op: 'put',
    sheet,
    kind: 'filter',
    id: editor.newId(),
    item: { area: range, columns: [] },
  });
}
