import { type Area, lastRow, sizeOf, touches } from '../../../../model/cell/area.ts';
import { sameValue } from '../../../../model/cell/cell.ts';
import { FreeNames } from '../../../../model/cell/free-names.ts';
import type { Item, ItemOf } from '../../../../model/cell/items.ts';
import { textOfValue } from '../../../../model/cell/values.ts';
import { itemsOf, type Sheet, sheetOf, type Workbook } from '../../../../model/cell/workbook.ts';
import { withKind } from '../../../../model/cell/workbook-change.ts';
import { commentsOfCells } from './items/comments-of-cells.ts';

type Table = ItemOf<'table'>;
type Column = Table['columns'][number];

/**
 * A workbook as a file may have it: what programs would repair, and take parts out of, is not there. Merged cells are more
 * than one, a cell has one note or thread, and the heading of a table's column is a text, the column's name. What the file itself
 * has stays.
 */
export function validWorkbook(before: Workbook, after: Workbook): Workbook {
  const sheets = after.sheets.map((sheet) => {
    const was = sheetOf(before, sheet.id);
    return was === sheet
      ? sheet
      : withHeadings(was, withTableRows(was, withMerges(was, withComments(was, sheet))));
  });
  return sheets.every((sheet, index) => sheet === after.sheets[index]) ? after : { ...after, sheets };
}

function withComments(was: Sheet | undefined, sheet: Sheet): Sheet {
  const given = itemsOf(sheet, 'comment');
  const comments = commentsOfCells((was && itemsOf(was, 'comment')) ?? new Map(), given);
  return comments === given ? sheet : { ...sheet, items: withKind(sheet.items, 'comment', comments) };
}

function withMerges(was: Sheet | undefined, sheet: Sheet): Sheet {
  const merges = itemsOf(sheet, 'merge');
  const given = was && itemsOf(was, 'merge');
  const kept = [...merges].filter(([id, item]) => sizeOf(item.area) > 1 || given?.get(id) === item);
  if (kept.length === merges.size) return sheet;
  return { ...sheet, items: withKind(sheet.items, 'merge', new Map(kept as [string, Item][])) };
}

/** A table whose rows are all gone has the row below its heading, as long as that is no other table's. */
function withTableRows(was: Sheet | undefined, sheet: Sheet): Sheet {
  const tables = itemsOf(sheet, 'table');
  const given = was && itemsOf(was, 'table');
  const changed = [...tables].flatMap(([id, table]): [string, Item][] => {
    const [top, left, bottom, right] = table.area;
    const least = top + Number(table.hasHeader) + Number(table.hasTotals ?? false);
    if (bottom >= least || least > lastRow || given?.get(id) === table) return [];
    const area: Area = [top, left, least, right];
    const isFree = [...tables].every(([other, one]) => other === id || !touches(one.area, area));
    return isFree ? [[id, { ...table, area }]] : [];
  });
  if (changed.length === 0) return sheet;
  return {
    ...sheet,
    items: withKind(sheet.items, 'table', new Map([...tables, ...changed] as [string, Item][])),
  };
}

function withHeadings(was: Sheet | undefined, sheet: Sheet): Sheet {
  const changed = new Map<string, Table>();
  const edit = sheet.grid.edit();
  let areCellsChanged = false;
  for (const [id, table] of itemsOf(sheet, 'table')) {
    const given = was && itemsOf(was, 'table').get(id);
    if (!table.hasHeader || (was && given && areHeadingsSame(was, given, sheet, table))) continue;
    const [row, first] = table.area;
    const cells = table.columns.map((_column, at) => sheet.grid.cell(row, first + at));
    const columns = columnsUnder(
      table.columns,
      cells.map(({ value }) => textOfValue(value)),
    );
    if (columns.some((column, at) => column !== table.columns[at])) changed.set(id, { ...table, columns });
    for (const [at, cell] of cells.entries()) {
      const { name } = columns[at]!;
      const isText = typeof cell.value !== 'number' && typeof cell.value !== 'boolean' && !cell.formula;
      if (isText && textOfValue(cell.value) === name) continue;
      edit.setCell(row, first + at, { ...cell, value: name, formula: null });
      areCellsChanged = true;
    }
  }
  if (changed.size === 0 && !areCellsChanged) return sheet;
  const tables = new Map<string, Item>([...itemsOf(sheet, 'table'), ...changed]);
  return {
    ...sheet,
    grid: areCellsChanged ? edit.done() : sheet.grid,
    items: changed.size > 0 ? withKind(sheet.items, 'table', tables) : sheet.items,
  };
}

/** Whether headings are as they were, wherever they stand. */
function areHeadingsSame(was: Sheet, before: Table, sheet: Sheet, after: Table): boolean {
  if (before.columns.length !== after.columns.length || before.hasHeader !== after.hasHeader) return false;
  const heading = ({ grid }: Sheet, { area: [row, first] }: Table, at: number) => grid.cell(row, first + at);
  return after.columns.every(
    ({ name }, at) =>
      name === before.columns[at]!.name &&
      sameValue(heading(was, before, at).value, heading(sheet, after, at).value),
  );
}

/** The columns of a table as the texts above them call them: one that has moved is found by its name, an empty text gets one. */
function columnsUnder(columns: readonly Column[], texts: readonly string[]): Column[] {
  const keyOf = (name: string) => name.toLowerCase();
  const left = new Map(columns.map((column) => [keyOf(column.name), column]));
  const free = new FreeNames(keyOf);
  const found = texts.map((text): Column | undefined => {
    const column = left.get(keyOf(text));
    if (!column || free.has(text)) return undefined;
    free.take(text);
    left.delete(keyOf(text));
    return column.name === text ? column : { ...column, name: text };
  });
  return found.map((column, at): Column => {
    if (column) return column;
    const own = columns[at]!;
    const isFree = left.delete(keyOf(own.name));
    const name = free.take(texts[at] || own.name);
    if (!isFree) return { name };
    return name === own.name ? own : { ...own, name };
  });
}
