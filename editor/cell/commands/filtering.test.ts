import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { FilterColumn } from '../../../model/cell/filter-columns.ts';
import { readOperation } from '../../../model/cell/operation-json.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import {
  choiceOf,
  columnOf,
  columnOfChoice,
  conditionOf,
  type FilterCondition,
  type FilterKind,
  filterKinds,
  valuesTaken,
} from './filter-conditions.ts';
import { type FilterCells, rowTest } from './filter-tests.ts';
import { grownArea, hasFilterButtons } from './filtered-lists.ts';
import { setFilter } from './filtering.ts';
import { columnOfValues, listedValues } from './listed-values.ts';
import { toggleFilter } from './sorting.ts';

/** 25 November 2026, a Wednesday. */
const today = 46_351;
const settings = { locale: 'en-US' };
const begun = parseWorkbook(blankWorkbook());

/** Values, shown as they are; in brackets the colour of the cell. */
function cellsOf(values: readonly CellValue[], colors: readonly (string | null)[] = []): FilterCells {
  return {
    rows: values.map((_, row) => row),
    textAt: (row) => String(values[row] ?? ''),
    valueAt: (row) => values[row] ?? null,
    isDateAt: (row) => Number(values[row]) > 40_000,
    fillAt: (row) => colors[row] ?? null,
    fontColorAt: () => '#ff0000',
    cssOf: ({ rgb }) => (rgb === undefined ? null : `#${rgb}`),
    today,
    isFrom1904: false,
  };
}

const passing = (column: FilterColumn, values: readonly CellValue[], colors?: readonly (string | null)[]) => {
  const test = rowTest(column, cellsOf(values, colors));
  return values.filter((_, row) => test(row));
};

const by = (kind: FilterKind, values: readonly CellValue[], ...typed: string[]) =>
  passing(columnOf(0, { kind, values: typed }, settings)!, values);

describe('the buttons of a filter', () => {
  it('[XS204] are those of the table that the active cell is in', () => {
    const made = (of: Workbook, ...operations: readonly CellOperation[]) =>
      operations.reduce((now, operation) => applyOperation(now, operation) as Workbook, of);
    const item = {
      area: [1, 1, 3, 2] as const,
      name: 'Stock',
      hasHeader: true,
      columns: [{ name: 'a' }, { name: 'b' }],
    };
    const columns = [{ column: 0, values: ['x'] }];
    let now = made(
      begun,
      { op: 'put', sheet: 's1', kind: 'table', id: 't', item: { ...item, filter: columns } },
      { op: 'lines', sheet: 's1', axis: 'row', spans: [[2, 3]], patch: { filtered: true } },
    );
    const editorAt = (row: number) =>
      ({
        page: { sheet: now.sheets[0]!, sheetId: { peek: () => 's1' }, view: { peek: () => null } },
        selection: { peek: () => ({ active: { row, column: 1 } }), value: { active: { row, column: 1 } } },
        change: (...operations: CellOperation[]) => {
          now = made(now, ...operations);
          return true;
        },
      }) as unknown as CellEditor;
    expect([hasFilterButtons(editorAt(2)), hasFilterButtons(editorAt(8))]).toEqual([true, false]);
    toggleFilter(editorAt(2));
    const table = () => itemsOf(now.sheets[0]!, 'table').get('t')!;
    expect(table()).toMatchObject({ hidesButtons: true });
    expect([table().filter, now.sheets[0]!.grid.row(2)?.line.filtered]).toEqual([undefined, undefined]);
    expect(hasFilterButtons(editorAt(2))).toBe(false);
    toggleFilter(editorAt(2));
    expect([hasFilterButtons(editorAt(2)), itemsOf(now.sheets[0]!, 'filter').size]).toEqual([true, 0]);
  });
});

describe('a filter that hides very many rows apart', () => {
  it('[XS208] is set by operations that each have as many spans as one may have', () => {
    const made: CellOperation[] = [];
    const text = (row: number) => (row % 2 === 0 ? 'even' : 'odd');
    const view = {
      used: [0, 0, 50_000, 0],
      cellAt: (row: number) => ({ text: text(row) }),
      valueAt: text,
    };
    const editor = {
      page: {
        view: { peek: () => view },
        sheetId: { peek: () => 's1' },
        workbook: { peek: () => ({ properties: {} }) },
      },
      change: (...operations: CellOperation[]) => {
        made.push(...operations);
        return false;
      },
    } as unknown as CellEditor;
    const column = { column: 0, values: ['even'] };
    setFilter(
      editor,
      { kind: 'filter', id: 'f', body: [1, 0, 50_000, 0], columns: [], column: 0, own: null },
      column,
    );
    for (const operation of made) expect(readOperation(operation)).not.toBeNull();
    const hidden = made.flatMap((one) => (one.op === 'lines' && one.patch.filtered ? one.spans : []));
    expect([hidden.length, hidden.at(-1)]).toEqual([25_000, [49_999, 49_999]]);
  });
});

describe('where a filter ends', () => {
  it('[XS158] is below the rows that have come right below it, and before one of sums', () => {
    const sheet = begun.sheets[0]!.id;
    const cells = [
      ...[0, 1, 2, 3].map((row) => [row, 0, { v: 'x' }] as const),
      [3, 1, { f: 'A4&"!"' }] as const,
      [4, 1, { f: 'SUBTOTAL(9,B2:B4)' }] as const,
      [2, 5, { v: 'beside' }] as const,
    ];
    const next = applyOperation(begun, {
      ...{ op: 'set', sheet },
      cells: cells.map(([row, column, input]) => [row, column, input]),
    });
    const grown = (name: string) =>
      rangeName(grownArea({ sheet: (next as Workbook).sheets[0]! }, readRange(name)!));
    expect(grown('A1:B2')).toBe('A1:B4');
    expect(grown('A1:A2')).toBe('A1:A4');
    expect(grown('A1:B4')).toBe('A1:B4');
    expect(grown('F1:G2')).toBe('F1:G3');
    expect(grown('C1:D2')).toBe('C1:D2');
  });
});

describe('what a filter lets pass', () => {
  it('[XS52] texts by their beginning, their end, a part of them or all, whatever their case', () => {
    const texts = ['Apple pie', 'pineapple', 'Pie', 'a*b', 'ab', null, 3];
    expect(by('contains', texts, 'APPLE')).toEqual(['Apple pie', 'pineapple']);
    expect(by('notContains', texts, 'p')).toEqual(['a*b', 'ab', null, 3]);
    expect(by('begins', texts, 'pi')).toEqual(['pineapple', 'Pie']);
    expect(by('ends', texts, 'pie')).toEqual(['Apple pie', 'Pie']);
    expect(by('is', texts, 'pie')).toEqual(['Pie']);
    expect(by('isNot', texts, 'pie')).toHaveLength(6);
    // A star that is typed is a star; one of a file stands for anything.
    expect(by('contains', texts, '*')).toEqual(['a*b']);
    expect(passing({ column: 0, conditions: [{ operator: 'equal', value: 'a*b' }] }, texts)).toEqual([
      'a*b',
      'ab',
    ]);
    expect(passing({ column: 0, conditions: [{ operator: 'equal', value: '?ie' }] }, texts)).toEqual(['Pie']);
  });

  it('[XS52] numbers by comparing, by rank and by average; texts are none of them', () => {
    const numbers = [5, 1, 9, 'x', 3, null, 7, 7];
    expect(by('greaterThan', numbers, '5')).toEqual([9, 7, 7]);
    expect(by('lessThanOrEqual', numbers, '3')).toEqual([1, 3]);
    expect(by('between', numbers, '7', '3')).toEqual([5, 3, 7, 7]);
    expect(by('equal', numbers, '5.0')).toEqual([5]);
    expect(by('top', numbers, '2')).toEqual([9, 7, 7]);
    expect(by('bottom', numbers, '2')).toEqual([1, 3]);
    expect(by('topPercent', numbers, '50')).toEqual([9, 7, 7]);
    expect(by('aboveAverage', numbers)).toEqual([9, 7, 7]);
    expect(by('belowAverage', numbers)).toEqual([5, 1, 3]);
  });

  it('[XS52] [XS239] days before and after others, and by stretches of time as seen from today', () => {
    const days = [today, today - 1, today - 3, today - 4, today - 31, today - 340, today + 400, 'soon'];
    expect(by('today', days)).toEqual([today]);
    expect(by('thisWeek', days)).toEqual([today, today - 1, today - 3]);
    expect(by('lastMonth', days)).toEqual([today - 31]);
    expect(by('thisYear', days)).toEqual([today, today - 1, today - 3, today - 4, today - 31]);
    expect(by('lastYear', days)).toEqual([today - 340]);
    expect(by('before', days, '11/22/2026')).toEqual([today - 4, today - 31, today - 340]);
    expect(by('after', [today + 0.5, today + 1], '11/25/2026')).toEqual([today + 1]);
    expect(passing({ column: 0, dynamic: 'M11' }, days)).toEqual([today, today - 1, today - 3, today - 4]);
    expect(passing({ column: 0, dynamic: 'Q3' }, days)).toEqual([]);
    // So a file says that there is none.
    expect(passing({ column: 0, dynamic: 'null' }, days)).toEqual(days);
  });

  it('[XS52] values of a list, whatever their case, blanks if it has them, and the stretches of time that a file names', () => {
    const values = ['a', 'B', null, ' ', today, today - 31];
    expect(passing({ column: 0, values: ['A'] }, values)).toEqual(['a']);
    expect(passing({ column: 0, values: ['b'], blanks: true }, values)).toEqual(['B', null, ' ']);
    const dates = [[2026, 11], [2020]];
    expect(passing({ column: 0, dates }, values)).toEqual([today]);
  });

  it('[XS52] the cells of one colour, or those whose text has it', () => {
    const values = [1, 2, 3];
    const colors = ['#FFFF00', null, '#00ff00'];
    const column = (ofFont: boolean) => ({ column: 0, color: { color: { rgb: 'ffff00' }, ofFont } });
    expect(passing(column(false), values, colors)).toEqual([1]);
    expect(passing(column(true), values, colors)).toEqual([]);
    expect(passing({ column: 0, color: { color: { auto: true }, ofFont: false } }, values, colors)).toEqual([
      2,
    ]);
  });

  it('[XU2] days are listed by year, month and day, and chosen as whole years and months where all of them are', () => {
    const values = ['soon', today, today + 0.5, today - 1, today - 40, today - 400, null, 7];
    const cells = cellsOf(values);
    const listed = listedValues(cells, cells.rows, null, 'en');
    expect(listed.map(({ day, text, count }) => [day?.join('-') ?? text, count])).toEqual([
      ...[
        ['2026-10-16', 1],
        ['2026-11-24', 1],
        ['2026-11-25', 2],
        ['2025-10-21', 1],
      ],
      ...[
        ['', 1],
        ['7', 1],
        ['soon', 1],
      ],
    ]);
    const choose = (...wanted: string[]) => {
      const keys = listed.filter(({ day, text }) => wanted.includes(day?.join('-') ?? text));
      return columnOfValues(0, listed, new Set(keys.map(({ key }) => key)));
    };
    expect(choose('2026-11-24', '7', '')).toEqual({
      ...{ column: 0, values: ['7'], dates: [[2026, 11, 24]], blanks: true },
    });
    expect(choose('2026-11-24', '2026-11-25').dates).toEqual([[2026, 11]]);
    expect(choose('2026-11-24', '2026-11-25', '2026-10-16', '2025-10-21').dates).toEqual([[2026], [2025]]);
    // What was chosen is offered again as it was.
    const own = choose('2026-11-24', '2026-11-25', '7');
    const again = listedValues(cells, cells.rows, own, 'en').filter(({ isShown }) => isShown);
    expect(columnOfValues(0, listed, new Set(again.map(({ key }) => key)))).toEqual(own);
  });

  it('[XU3] two conditions hold together or one of them, and are offered again as they were', () => {
    const first = { kind: 'greaterThan', values: ['3'] } as const;
    const second = { kind: 'notEqual', values: ['7'] } as const;
    const both = columnOfChoice(0, { first, second }, settings)!;
    expect(passing(both, [1, 5, 7, 9])).toEqual([5, 9]);
    expect(choiceOf(both, String)).toEqual({ first, second });
    const either = columnOfChoice(
      0,
      { first: second, second: { kind: 'begins', values: ['a'] }, either: true },
      settings,
    )!;
    expect(choiceOf(either, String)).toEqual({
      ...{ first: second, second: { kind: 'begins', values: ['a'] }, either: true },
    });
    expect(columnOfChoice(0, { first, second: { kind: 'equal', values: [''] } }, settings)).toBeNull();
    const between = { first: { kind: 'between', values: ['1', '5'] } } as const;
    expect(choiceOf(columnOfChoice(0, between, settings)!, String)).toEqual(between);
  });

  it('[XS52] a condition that was chosen is offered again as it was; a value that fits none is refused', () => {
    const typed: Partial<Record<FilterKind, readonly string[]>> = {
      between: ['1', '5'],
      before: ['46000'],
      contains: ['a~*?'],
    };
    for (const kind of Object.values(filterKinds).flat()) {
      const values = typed[kind] ?? ['7', '8'].slice(0, valuesTaken(kind));
      const column = columnOf(2, { kind, values }, settings)!;
      // Files do not tell a day from a number, nor a text of digits.
      const again: Partial<Record<FilterKind, FilterCondition>> = {
        before: { kind: 'lessThan', values: ['46000'] },
        after: { kind: 'greaterThanOrEqual', values: ['8'] },
        is: { kind: 'equal', values },
        isNot: { kind: 'notEqual', values },
      };
      expect([kind, conditionOf(column, String)]).toEqual([kind, again[kind] ?? { kind, values }]);
    }
    expect(columnOf(0, { kind: 'greaterThan', values: ['much'] }, settings)).toBeNull();
    expect(columnOf(0, { kind: 'contains', values: [''] }, settings)).toBeNull();
    expect(columnOf(0, { kind: 'topPercent', values: ['101'] }, settings)).toBeNull();
    expect(conditionOf({ column: 0, values: ['a'] }, String)).toBeNull();
  });
});
