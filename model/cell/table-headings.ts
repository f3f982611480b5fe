import { sameContent } from './cell.ts';
import { changeFormulas } from './follow.ts';
import { type ColumnNames, columnKey, columnRenaming } from './formula/column-renaming.ts';
import { FreeNames } from './free-names.ts';
import type { Item, ItemOf } from './items.ts';
import { textOfValue } from './values.ts';
import { itemsOf, type Sheet, sheetOf, type Workbook } from './workbook.ts';
import { withKind, withSheet } from './workbook-change.ts';

type Table = ItemOf<'table'>;

/**
 * Columns of tables are called as their headings: after a change of cells of a sheet, those whose headings are other texts get
 * these names, with a number where another column is called so, and formulas go on naming them. A heading that is empty or a
 * formula gives no name.
 */
export function followHeadings(before: Workbook, after: Workbook, id: string): Workbook {
  const [old, now] = [sheetOf(before, id)!, sheetOf(after, id)!];
  const tables = new Map<string, Table>();
  const others = new Map<string, ColumnNames>();
  for (const [tableId, table] of itemsOf(now, 'table')) {
    const names = newNames(table, itemsOf(old, 'table').get(tableId) ?? table, old, now);
    if (names === null) continue;
    tables.set(tableId, {
      ...table,
      columns: table.columns.map((column, at) => ({ ...column, name: names[at]! })),
    });
    const renamed = table.columns.flatMap(({ name }, at) =>
      name === names[at] ? [] : [[columnKey(name), names[at]!] as const],
    );
    others.set(table.name.toLowerCase(), new Map(renamed));
  }
  if (tables.size === 0) return after;
  const all = new Map<string, Item>([...itemsOf(now, 'table'), ...tables]);
  const renaming = columnRenaming(others);
  return changeFormulas(
    withSheet(after, { ...now, items: withKind(now.items, 'table', all) }),
    () => renaming,
  );
}

/** The names of all columns; null where none is another than it was. */
function newNames(
  { area: [top, left], hasHeader, columns }: Table,
  { area: [oldTop, oldLeft] }: Table,
  old: Sheet,
  now: Sheet,
): string[] | null {
  if (!hasHeader || (old.grid.row(oldTop) === now.grid.row(top) && oldLeft === left)) return null;
  const given = columns.map((_, at): string | null => {
    const cell = now.grid.cell(top, left + at);
    if (sameContent(old.grid.cell(oldTop, oldLeft + at), cell)) return null;
    const text = cell.formula === null ? textOfValue(cell.value) : '';
    return text.trim() === '' ? '' : text;
  });
  if (given.every((text) => text === null)) return null;
  const free = new FreeNames(columnKey);
  const names = new Map<number, string>();
  const nameThose = (are: (text: string | null) => boolean) => {
    for (const [at, { name }] of columns.entries()) {
      const text = given[at]!;
      if (are(text)) names.set(at, free.take(text || name));
    }
  };
  // Who is called so keeps the name; a heading that is written gives it before one that is gone does.
  nameThose((text) => text === null);
  nameThose((text) => text !== null && text !== '');
  nameThose((text) => text === '');
  const next = columns.map((_, at) => names.get(at)!);
  return next.some((name, at) => name !== columns[at]!.name) ? next : null;
}
