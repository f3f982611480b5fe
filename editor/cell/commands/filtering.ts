import type { Color } from '../../../model/cell/cell-format.ts';
import { type FilterColumn, hasCriteria } from '../../../model/cell/filter-columns.ts';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';
import { inParts } from '../../../model/cell/operation-parts.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { announce } from '../../kit/announce.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { serialOfDay } from '../shown/date-periods.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { type FilterCells, rowTest } from './filter-tests.ts';
import { type FilteredColumn, type FilteredList, listsOf, rowsOf } from './filtered-lists.ts';
import { type ListedValue, listedValues } from './listed-values.ts';
import { putInOrder } from './sorting.ts';

/** The cells of a column of a list, as filters look at them. */
function cellsOf(editor: CellEditor, list: FilteredList, column: number): FilterCells {
  const view = editor.page.view.peek();
  const { properties } = editor.page.workbook.peek();
  const isFrom1904 = properties.date1904 === true;
  return {
    rows: rowsOf(editor, list),
    textAt: (row) => view.cellAt(row, column)?.text ?? '',
    valueAt: (row) => view.valueAt(row, column),
    isDateAt: (row) => showsDate(editor.page.formatAt({ row, column }).number ?? 'General'),
    fillAt(row) {
      const fill = view.cellAt(row, column)?.look.fill;
      return fill?.kind === 'solid' ? fill.color : null;
    },
    fontColorAt(row) {
      const cell = view.cellAt(row, column);
      return cell?.color ?? cell?.look.text.color ?? null;
    },
    cssOf: (color: Color) => cssColor(color, properties.theme?.colors),
    today: serialOfDay(new Date(), isFrom1904),
    isFrom1904,
  };
}

/** Whether a row passes the filters of a list; without that of one column. */
function testOf(
  editor: CellEditor,
  list: FilteredList,
  columns: readonly FilterColumn[],
): (row: number) => boolean {
  const tests = columns.map((one) => rowTest(one, cellsOf(editor, list, list.body[1] + one.column)));
  return (row) => tests.every((test) => test(row));
}

const othersOf = ({ columns, column, body }: FilteredColumn): FilterColumn[] =>
  columns.filter((one) => one.column !== column - body[1]);

/** What stands in a column, each once; what other columns hide is left out. */
export function valuesOf(editor: CellEditor, filtered: FilteredColumn): ListedValue[] {
  const cells = cellsOf(editor, filtered, filtered.column);
  const passes = testOf(editor, filtered, othersOf(filtered));
  return listedValues(cells, cells.rows.filter(passes), filtered.own, editor.page.settings.locale);
}

/** The colours of the cells of a column, and of their texts: each once, as CSS has it; null last for none of their own. */
export function colorsOf(
  editor: CellEditor,
  filtered: FilteredColumn,
): { readonly fills: readonly (string | null)[]; readonly fonts: readonly (string | null)[] } {
  const { rows, fillAt, fontColorAt } = cellsOf(editor, filtered, filtered.column);
  const listed = (colorAt: (row: number) => string | null) => {
    const all = new Set(rows.map((row) => colorAt(row)?.toLowerCase() ?? null));
    const colors = [...all].filter((color) => color !== null);
    return colors.length > 0 && all.has(null) ? [...colors, null] : colors;
  };
  return { fills: listed(fillAt), fonts: listed(fontColorAt) };
}

/** Hides the rows of a list that its filters do not let pass, and shows all others of it. */
function rowOperations(
  editor: CellEditor,
  list: FilteredList,
  columns: readonly FilterColumn[],
): { readonly operations: CellOperation[]; readonly shown: number; readonly all: number } {
  const sheet = editor.page.sheetId.peek();
  const { body } = list;
  const rows = rowsOf(editor, list);
  const passes = testOf(editor, list, columns);
  const hidden: [number, number][] = [];
  let shown = 0;
  for (const row of rows) {
    if (passes(row)) {
      shown++;
      continue;
    }
    const span = hidden.at(-1);
    if (span && span[1] === row - 1) span[1] = row;
    else hidden.push([row, row]);
  }
  const lines = (spans: readonly (readonly [number, number])[], filtered: true | null): CellOperation => ({
    ...{ op: 'lines', sheet, axis: 'row', spans, patch: { filtered } },
  });
  const all = lines([[body[0], Math.max(body[0], rows.at(-1) ?? body[0])]], null);
  return {
    operations: [all, ...inParts(hidden).map((spans) => lines(spans, true))],
    shown,
    all: rows.length,
  };
}

/** Filters a column otherwise; null: not at all. */
export function setFilter(editor: CellEditor, filtered: FilteredColumn, own: FilterColumn | null): boolean {
  const { kind, id, grown } = filtered;
  const others = othersOf(filtered);
  const columns = own ? [...others, own] : others;
  const { operations, shown, all } = rowOperations(editor, filtered, columns);
  const patch =
    kind === 'table'
      ? { filter: columns.length > 0 ? columns : null }
      : { columns, ...(grown && { area: grown }) };
  const isDone = editor.change(
    { op: 'patch', sheet: editor.page.sheetId.peek(), kind, id, patch },
    ...operations,
  );
  if (isDone) announce(t('sheet.filteredRows', { shown, all }));
  return isDone;
}

/** The filter of a column that shows one colour. @param css `#rrggbb`; null: what has none of its own */
export const columnOfColor = (
  { column, body }: FilteredColumn,
  css: string | null,
  ofFont: boolean,
): FilterColumn => ({
  column: column - body[1],
  color: { color: css === null ? { auto: true } : { rgb: css.slice(1).toUpperCase() }, ofFont },
});

/** The colour that a column is filtered by, as CSS has it; null for none of their own, undefined where it is filtered by none. */
export function filterColorOf(editor: CellEditor, { own }: FilteredColumn): string | null | undefined {
  const { theme } = editor.page.workbook.peek().properties;
  return own?.color && cssColor(own.color.color as Color, theme?.colors);
}

/** Filters anew by what is set: for cells that have changed since, and for days that have gone by. */
export function filterAgain(editor: CellEditor): boolean {
  const lists = listsOf(editor).filter(({ columns }) => columns.some(hasCriteria));
  const results = lists.map((list) => rowOperations(editor, list, list.columns));
  const sheet = editor.page.sheetId.peek();
  const grown = lists.flatMap(({ kind, id, grown: area }): CellOperation[] =>
    area ? [{ op: 'patch', sheet, kind, id, patch: { area } }] : [],
  );
  const isDone = editor.change(...grown, ...results.flatMap(({ operations }) => operations));
  const [first] = results;
  if (isDone && first) announce(t('sheet.filteredRows', { shown: first.shown, all: first.all }));
  return isDone;
}

/** Puts the rows of a list with a colour before the others, which keep their order. */
export function sortByColor(
  editor: CellEditor,
  filtered: FilteredColumn,
  css: string | null,
  ofFont: boolean,
): boolean {
  const { fillAt, fontColorAt, rows } = cellsOf(editor, filtered, filtered.column);
  const view = editor.page.view.peek();
  const places = rows.filter((row) => !view.rows.isHidden(row));
  const isMeant = (row: number) => ((ofFont ? fontColorAt(row) : fillAt(row))?.toLowerCase() ?? null) === css;
  const order = [...places.filter(isMeant), ...places.filter((row) => !isMeant(row))];
  return putInOrder(editor, filtered.body, order, []);
}
