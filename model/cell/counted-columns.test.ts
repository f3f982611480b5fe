import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import { itemsOf } from './workbook.ts';

const sheet = 's1';
const headings = ['a', 'b', 'c', 'd'];
const all = headings.map((_, column) => ({ column, values: [headings[column]!] }));
const sorted = [{ column: 2, falling: true }, { column: 1 }];

/** A filter, or a table, on four columns from B on, each filtered by what heads it. */
const workbookWith = (kind: 'filter' | 'table') =>
  changedWorkbook(
    parseWorkbook(blankWorkbook()),
    { op: 'set', sheet, cells: headings.map((v, at) => [0, at + 1, { v }] as const) },
    { op: 'set', sheet, cells: [[9, 9, { f: 'SUM(T[b])' }]] },
    {
      ...{ op: 'put', sheet, kind, id: 'x' },
      item:
        kind === 'filter'
          ? { area: [0, 1, 5, 4], columns: all, sorted }
          : {
              ...{ area: [0, 1, 5, 4], name: 'T', hasHeader: true },
              ...{ columns: headings.map((name) => ({ name })), filter: all, sorted },
            },
    } as CellOperation,
  );

/** What each column of the list is filtered by, and what stands above it; by which columns it is sorted. */
function state(kind: 'filter' | 'table', ...operations: CellOperation[]) {
  const [of] = changedWorkbook(workbookWith(kind), operations).sheets;
  const item = itemsOf(of!, kind).get('x')! as {
    area: readonly number[];
    sorted?: typeof sorted;
    filter?: typeof all;
    columns: typeof all;
  };
  const heading = (column: number) => of!.grid.cell(0, item.area[1]! + column).value;
  const filters = kind === 'table' ? item.filter : item.columns;
  return {
    filters: filters?.map(({ column, values }) => [heading(column), values[0]]),
    sorted: item.sorted?.map(({ column }) => heading(column)),
    names: kind === 'table' ? (item.columns as unknown as { name: string }[]).map(({ name }) => name) : null,
  };
}

const columns = (op: 'insert' | 'delete', at: number, count = 1): CellOperation => ({
  ...{ op, sheet, axis: 'column', at, count },
});
const cases: readonly (readonly [string, CellOperation, string])[] = [
  ['columns before all', columns('insert', 0, 2), 'abcd'],
  ['columns between', columns('insert', 3, 2), 'abcd'],
  ['a column that is taken out', columns('delete', 2), 'acd'],
  ['the first one that is taken out', columns('delete', 1), 'bcd'],
  ['columns that change places', { op: 'move', sheet, axis: 'column', at: 2, count: 1, to: 4 }, 'acbd'],
  ['columns that change places, back', { op: 'move', sheet, axis: 'column', at: 3, count: 1, to: 2 }, 'acbd'],
  ['one that goes elsewhere', { op: 'move', sheet, axis: 'column', at: 1, count: 1, to: 8 }, 'bcd'],
];

describe.each(['filter', 'table'] as const)(
  '[XS252] what a %s says of its columns goes with them',
  (kind) => {
    it.each(cases)('%s', (_, operation, left) => {
      const { filters, sorted: by, names } = state(kind, operation);
      const own = left.split('');
      expect(filters?.toSorted()).toEqual(own.toSorted().map((name) => [name, name]));
      expect(by).toEqual(['c', 'b'].filter((name) => left.includes(name)));
      if (names) expect(names.filter((name) => !name.startsWith('Column'))).toEqual(own);
    });
  },
);
