import type { CellOperation } from '../../../model/cell/operations.ts';
import { type CellValue, textOfValue } from '../../../model/cell/values.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellRange, isOneCell } from '../grid/cell-range.ts';
import { regionAround } from '../grid/selection.ts';
import { areaOfRange, rangeOfArea } from '../shown/sheet-view.ts';

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

/** Sorts the rows of what is selected, or of what hangs together with the active cell, by the active cell's column. */
export function sortRows(editor: CellEditor, direction: 1 | -1): boolean {
  const { active } = editor.selection.peek();
  const view = editor.view.peek();
  const isAlone = isOneCell(editor.range);
  const region = isAlone ? regionAround(view, active) : editor.range;
  const range = isAlone ? withoutHeader(editor, region) : region;
  return sortRange(editor, range, active.column, direction);
}

export function sortRange(editor: CellEditor, range: CellRange, column: number, direction: 1 | -1): boolean {
  const view = editor.view.peek();
  const used = view.used?.bottom ?? 0;
  const places: number[] = [];
  for (let row = range.top; row <= Math.min(range.bottom, used); row++) {
    if (!view.rows.isHidden(row)) places.push(row);
  }
  if (places.length < 2) return false;
  const order = sortedOrder(places, (row) => view.valueAt(row, column), editor.settings.locale, direction);
  if (order.every((place, at) => place === places[at])) return true;
  const sheet = editor.sheetId.peek();
  return editor.change({ op: 'sort', sheet, axis: 'row', band: [range.left, range.right], order });
}

/** The first row names the columns, if it is text over numbers, or of a table or a filter. */
function withoutHeader(editor: CellEditor, range: CellRange): CellRange {
  const view = editor.view.peek();
  const areas = [
    ...[...itemsOf(editor.sheet, 'filter').values()].map(({ area }) => area),
    ...[...itemsOf(editor.sheet, 'table').values()]
      .filter(({ hasHeader }) => hasHeader)
      .map(({ area }) => area),
  ].map(rangeOfArea);
  const isKnown = areas.some(({ top, left }) => top === range.top && left >= range.left);
  const isText = (row: number, column: number) => typeof view.valueAt(row, column) === 'string';
  let isGuess = range.bottom > range.top;
  let hasOther = false;
  for (let column = range.left; column <= range.right; column++) {
    if (!isText(range.top, column)) isGuess = false;
    if (!isText(range.top + 1, column)) hasOther = true;
  }
  return isKnown || (isGuess && hasOther) ? { ...range, top: range.top + 1 } : range;
}

/** Puts the buttons of a filter on what hangs together with the active cell, or takes them away with what they hide. */
export function toggleFilter(editor: CellEditor): boolean {
  const sheet = editor.sheetId.peek();
  const view = editor.view.peek();
  const filters = [...itemsOf(editor.sheet, 'filter')];
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
    item: { area: areaOfRange(range), columns: [] },
  });
}
