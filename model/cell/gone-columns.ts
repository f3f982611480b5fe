import { changeFormulas } from './follow.ts';
import { type ColumnNames, columnKey, columnRenaming } from './formula/column-renaming.ts';
import type { ItemOf } from './items.ts';
import { itemsOf, type Workbook } from './workbook.ts';

type Table = ItemOf<'table'>;

/** What an operation that takes cells or sheets away leaves of formulas that name tables or columns it has taken along: `#REF!`. */
export function withoutGoneColumns(before: Workbook, after: Workbook): Workbook {
  const now = new Map(after.sheets.map((sheet) => [sheet.id, sheet]));
  const changed = before.sheets.filter(({ id, items }) => items.table !== now.get(id)?.items.table);
  if (changed.length === 0) return after;
  const left = new Map(
    after.sheets.flatMap((sheet) =>
      [...itemsOf(sheet, 'table').values()].map((table) => [table.name.toLowerCase(), table] as const),
    ),
  );
  const gone = new Map<string, ColumnNames | null>();
  for (const sheet of changed) {
    for (const table of itemsOf(sheet, 'table').values()) {
      const name = table.name.toLowerCase();
      const columns = goneColumns(table, left.get(name));
      if (columns === null || columns.size > 0) gone.set(name, columns);
    }
  }
  if (gone.size === 0) return after;
  const renaming = columnRenaming(gone);
  return changeFormulas(after, () => renaming);
}

/** Null: the table is gone with all of them. */
function goneColumns(before: Table, after: Table | undefined): ColumnNames | null {
  if (!after) return null;
  const kept = new Set(after.columns.map(({ name }) => columnKey(name)));
  const keys = before.columns.map(({ name }) => columnKey(name));
  return new Map(keys.filter((key) => !kept.has(key)).map((key) => [key, null]));
}
