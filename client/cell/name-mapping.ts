import { type ColumnNames, columnKey, columnRenaming } from '../../model/cell/formula/column-renaming.ts';
import type { Formula } from '../../model/cell/formula/formula.ts';
import { type FormulaPart, isReference } from '../../model/cell/formula/formula-parts.ts';
import { changingParts } from '../../model/cell/formula/renaming.ts';
import type { ItemOf } from '../../model/cell/items.ts';
import { itemsOf, namesOf, type Sheet, sheetOf, type Workbook } from '../../model/cell/workbook.ts';

type Columns = ItemOf<'table'>['columns'];

/** What others have meanwhile called otherwise, or taken away: sheets, tables, their columns, and names. */
export class NameMapping {
  /** Each by the name that it had, in lower case. */
  readonly #sheets = new Map<string, string>();
  readonly #tables = new Map<string, string>();
  readonly #words = new Map<string, string>();
  /** Null: the table is gone. */
  readonly #columnsByTable = new Map<string, ColumnNames | null>();
  /** By sheet and id of the table. */
  readonly #columns = new Map<string, ColumnNames>();

  constructor(before: Workbook, after: Workbook) {
    for (const sheet of before.sheets) {
      const now = sheetOf(after, sheet.id);
      if (!now) continue;
      note(this.#sheets, sheet.properties.name, now.properties.name);
      if (now.items.table !== sheet.items.table) this.#noteTables(sheet, now);
    }
    this.#noteGone(before, after);
    if (before.items.name === after.items.name) return;
    const names = new Set([...namesOf(after).values()].map(({ name }) => name.toLowerCase()));
    for (const [id, { name }] of namesOf(before)) {
      // Another one may be called so, as on another sheet: which one a formula means is not asked here.
      if (!names.has(name.toLowerCase())) note(this.#words, name, namesOf(after).get(id)?.name);
    }
  }

  #noteTables(sheet: Sheet, now: Sheet): void {
    for (const [id, table] of itemsOf(sheet, 'table')) {
      const next = itemsOf(now, 'table').get(id);
      if (!next || next === table) continue;
      const renamed = renamedColumns(table.columns, next.columns);
      if (renamed.size > 0) {
        this.#columns.set(keyOf(sheet.id, id), renamed);
        this.#columnsByTable.set(table.name.toLowerCase(), renamed);
      }
      note(this.#tables, table.name, next.name);
    }
  }

  /** Tables that went to other cells are still called so. */
  #noteGone(before: Workbook, after: Workbook): void {
    const names = tableNames(before.sheets.filter((sheet) => !after.sheets.includes(sheet)));
    if (names.size === 0) return;
    const left = tableNames(after.sheets);
    for (const name of names) {
      if (!left.has(name) && !this.#tables.has(name)) this.#columnsByTable.set(name, null);
    }
  }

  /** Whether nothing but sheets is called otherwise. */
  get isIdle(): boolean {
    return this.#tables.size + this.#words.size + this.#columnsByTable.size === 0;
  }

  /** A formula with the names that tables, columns and names have by now; sheets are called as before. */
  formula(formula: Formula): Formula {
    if (this.isIdle) return formula;
    // Columns are found by the name that their table had.
    return changingParts((part) => this.#named(part))(columnRenaming(this.#columnsByTable)(formula));
  }

  /** The same with the names that sheets have by now. */
  formulaOnSheets(formula: Formula): Formula {
    const sheets = this.#sheets;
    const nameOf = (sheet: string | null) => (sheet && sheets.get(sheet.toLowerCase())) ?? sheet;
    return changingParts((part) => {
      if (typeof part === 'string') return part;
      const [sheet, toSheet] = [nameOf(part.sheet), nameOf(part.toSheet)];
      return sheet === part.sheet && toSheet === part.toSheet ? part : { ...part, sheet, toSheet };
    })(this.formula(formula));
  }

  #named(part: FormulaPart): FormulaPart {
    if (typeof part === 'string' || isReference(part)) return part;
    const key = part.word.toLowerCase();
    // A table without brackets behind it reads like a name.
    const isNamed = part.type === 'table' || part.type === 'word';
    const word = isNamed ? (this.#tables.get(key) ?? (part.type === 'word' && this.#words.get(key))) : null;
    return word ? { ...part, word } : part;
  }

  /** The columns that an operation gives a table, with their names by now. */
  columns(sheet: string, id: string, columns: Columns): Columns {
    const names = this.#columns.get(keyOf(sheet, id));
    if (!names) return columns;
    return columns.map((column) => {
      const name = names.get(columnKey(column.name));
      return name ? { ...column, name } : column;
    });
  }
}

function note(names: Map<string, string>, from: string, to: string | undefined): void {
  if (to !== undefined && to !== from) names.set(from.toLowerCase(), to);
}

const keyOf = (sheet: string, id: string): string => `${sheet} ${id}`;

/** What the model calls columns that are put in between others. */
const putIn = /^column\d+$/i;

/** What columns are called by now that are not called as they were; null for those that are gone. */
function renamedColumns(before: Columns, after: Columns): ColumnNames {
  const gone = besides(before, after);
  const all = besides(after, before);
  const come = all.length > gone.length ? all.filter((name) => !putIn.test(name)) : all;
  if (come.length > 0 && come.length !== gone.length) return new Map();
  return new Map(gone.map((name, at) => [columnKey(name), come[at] ?? null]));
}

const tableNames = (sheets: readonly Sheet[]): ReadonlySet<string> =>
  new Set(
    sheets.flatMap((sheet) => [...itemsOf(sheet, 'table').values()].map(({ name }) => name.toLowerCase())),
  );

/** The names of columns that others have none like. */
function besides(columns: Columns, others: Columns): string[] {
  const known = new Set(others.map(({ name }) => columnKey(name)));
  return columns.map(({ name }) => name).filter((name) => !known.has(columnKey(name)));
}
