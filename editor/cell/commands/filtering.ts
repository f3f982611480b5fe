import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { CellPosition, CellRange } from '../grid/cell-range.ts';
import { rangeOfArea } from '../shown/sheet-view.ts';

type FilterColumn = ItemOf<'filter'>['columns'][number];

/** A column whose rows can be filtered. */
export interface FilteredColumn {
  readonly kind: 'filter' | 'table';
  readonly id: string;
  readonly column: number;
  /** The cells below the one that names the columns. */
  readonly body: CellRange;
  /** What is shown; null for everything. */
  readonly shown: readonly string[] | null;
  readonly columns: readonly FilterColumn[];
}

/** The filtered column that a cell names; null for any other cell. */
export function filterAt(editor: CellEditor, { row, column }: CellPosition): FilteredColumn | null {
  const found = (
    kind: 'filter' | 'table',
    id: string,
    range: CellRange,
    columns: readonly FilterColumn[],
  ): FilteredColumn | null => {
    if (row !== range.top || column < range.left || column > range.right) return null;
    const own = columns.find((one) => one.column === column - range.left);
    const shown = own?.values ? [...own.values, ...(own.blanks ? [''] : [])] : null;
    return { kind, id, column, body: { ...range, top: range.top + 1 }, shown, columns };
  };
  for (const [id, { area, columns }] of itemsOf(editor.sheet, 'filter')) {
    const one = found('filter', id, rangeOfArea(area), columns);
    if (one) return one;
  }
  for (const [id, { area, filter, hasTotals }] of itemsOf(editor.sheet, 'table')) {
    const range = rangeOfArea(area);
    const body = hasTotals ? { ...range, bottom: range.bottom - 1 } : range;
    const one = found('table', id, body, filter ?? []);
    if (one) return one;
  }
  return null;
}

/** What stands in a column, as it is shown, each once; what other columns hide is left out. */
export function valuesOf(editor: CellEditor, filtered: FilteredColumn): { text: string; count: number }[] {
  const view = editor.view.peek();
  const counts = new Map<string, number>();
  const last = Math.min(filtered.body.bottom, view.used?.bottom ?? -1);
  for (let row = filtered.body.top; row <= last; row++) {
    if (!passes(editor, filtered, row, filtered.column)) continue;
    const text = view.cellAt(row, filtered.column)?.text ?? '';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const collator = new Intl.Collator(editor.settings.locale, { numeric: true });
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .toSorted((one, other) => collator.compare(one.text, other.text));
}

/** Whether the values that other columns show let a row be seen. */
function passes(editor: CellEditor, { columns, body }: FilteredColumn, row: number, except: number): boolean {
  const view = editor.view.peek();
  return columns.every(({ column, values, blanks }) => {
    const at = body.left + column;
    if (at === except || !values) return true;
    const text = view.cellAt(row, at)?.text ?? '';
    return text === '' ? blanks === true : values.includes(text);
  });
}

/** Shows only the rows whose cell in a column is one of some texts; null shows all. */
export function setFilter(
  editor: CellEditor,
  filtered: FilteredColumn,
  shown: ReadonlySet<string> | null,
): boolean {
  const sheet = editor.sheetId.peek();
  const view = editor.view.peek();
  const { body, column, kind, id } = filtered;
  const others = filtered.columns.filter((one) => one.column !== column - body.left);
  const own: FilterColumn | null = shown && {
    column: column - body.left,
    values: [...shown].filter((text) => text !== ''),
    ...(shown.has('') && { blanks: true }),
  };
  const columns = own ? [...others, own] : others;
  const hidden: [number, number][] = [];
  const last = Math.min(body.bottom, view.used?.bottom ?? body.top - 1);
  for (let row = body.top; row <= last; row++) {
    const text = view.cellAt(row, column)?.text ?? '';
    const isShown = (shown === null || shown.has(text)) && passes(editor, filtered, row, column);
    if (isShown) continue;
    const span = hidden.at(-1);
    if (span && span[1] === row - 1) span[1] = row;
    else hidden.push([row, row]);
  }
  const operations: CellOperation[] = [
    {
      op: 'patch',
      sheet,
      kind,
      id,
      patch: kind === 'table' ? { filter: columns.length > 0 ? columns : null } : { columns },
    },
    {
      op: 'lines',
      sheet,
      axis: 'row',
      spans: [[body.top, Math.max(body.top, last)]],
      patch: { filtered: null },
    },
  ];
  if (hidden.length > 0) {
    operations.push({ op: 'lines', sheet, axis: 'row', spans: hidden, patch: { filtered: true } });
  }
  return editor.change(...operations);
}
