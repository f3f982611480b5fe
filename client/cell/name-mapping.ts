import { type ColumnNames, columnKey, columnRenaming } from '../../model/cell/formula/column-renaming.ts';
import type { Formula } from '../../model/cell/formula/formula.ts';
import { sheetRenaming, wordRenaming } from '../../model/cell/formula/renaming.ts';
import type { ItemOf } from '../../model/cell/items.ts';
import { itemsOf, namesOf, sheetOf, type Workbook } from '../../model/cell/workbook.ts';

type Columns = ItemOf<'table'>['columns'];
type Renaming = (formula: Formula) => Formula;

/** What others have meanwhile called otherwise: sheets, tables, their columns, and names. */
export class NameMapping {
  readonly #renamings: readonly Renaming[];
  /** By sheet and id of the table. */
  readonly #columns: ReadonlyMap<string, ColumnNames>;

  constructor(before: Workbook, after: Workbook) {
    const renamings: Renaming[] = [];
    const columns = new Map<string, ColumnNames>();
    const byTable = new Map<string, ColumnNames>();
    const rename = (type: 'table' | 'word', from: string, to: string | undefined) => {
      if (to !== undefined && to !== from) renamings.push(wordRenaming(type, from, to));
    };
    for (const sheet of before.sheets) {
      const now = sheetOf(after, sheet.id);
      if (!now) continue;
      const [was, is] = [sheet.properties.name, now.properties.name];
      if (was !== is) renamings.push(sheetRenaming(was, is));
      if (now.items.table === sheet.items.table) continue;
      for (const [id, table] of itemsOf(sheet, 'table')) {
        const next = itemsOf(now, 'table').get(id);
        if (!next || next === table) continue;
        const renamed = renamedColumns(table.columns, next.columns);
        if (renamed.size > 0) {
          columns.set(keyOf(sheet.id, id), renamed);
          byTable.set(table.name.toLowerCase(), renamed);
        }
        rename('table', table.name, next.name);
      }
    }
    // Columns are found by the name that their table had.
    if (byTable.size > 0) renamings.unshift(columnRenaming(byTable));
    if (before.items.name !== after.items.name) {
      for (const [id, { name }] of namesOf(before)) rename('word', name, namesOf(after).get(id)?.name);
    }
    this.#renamings = renamings;
    this.#columns = columns;
  }

  /** Whether nothing is called otherwise. */
  get isIdle(): boolean {
    return this.#renamings.length === 0;
  }

  formula(formula: Formula): Formula {
    return this.#renamings.reduce((now, rename) => rename(now), formula);
  }

  /** The columns that an operation gives a table, with their names by now. */
  columns(sheet: string, id: string, columns: Columns): Columns {
    const names = this.#columns.get(keyOf(sheet, id));
    if (!names) return columns;
    return columns.map((column) => {
      const name = names.get(columnKey(column.name));
      return name === undefined ? column : { ...column, name };
    });
  }
}

const keyOf = (sheet: string, id: string): string => `${sheet} ${id}`;

/** What the model calls columns that are put in between others. */
const putIn = /^column\d+$/i;

/** What columns are called by now that are not called as they were. */
function renamedColumns(before: Columns, after: Columns): ColumnNames {
  const gone = besides(before, after);
  const all = besides(after, before);
  const come = all.length > gone.length ? all.filter((name) => !putIn.test(name)) : all;
  return new Map(come.length === gone.length ? gone.map((name, at) => [columnKey(name), come[at]!]) : []);
}

/** The names of columns that others have none like. */
function besides(columns: Columns, others: Columns): string[] {
  const known = new Set(others.map(({ name }) => columnKey(name)));
  return columns.map(({ name }) => name).filter((name) => !known.has(columnKey(name)));
}
