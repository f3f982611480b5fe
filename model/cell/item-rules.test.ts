import { describe, expect, it } from 'vitest';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { itemsOf, namesOf, type Workbook } from './workbook.ts';

const sheet = 's1';
const done = (workbook: Workbook, ...operations: CellOperation[]): Workbook =>
  operations.reduce((current, operation) => {
    const after = applyOperation(current, operation);
    if (typeof after === 'string') throw new Error(`${after}: ${JSON.stringify(operation)}`);
    return after;
  }, workbook);

const areas = [[0, 0, 3, 3]];
const table = (area: readonly number[], more: object = {}) => ({
  ...{ area, name: 'Sales', hasHeader: true },
  columns: Array.from({ length: area[3]! - area[1]! + 1 }, (_, at) => ({ name: `C${at}` })),
  ...more,
});
/** What a file has, with words that xlsx does not know. */
const base = parseWorkbook({
  ...blankWorkbook(),
  sheets: [
    {
      ...{ id: sheet, properties: { name: 'Data' }, rows: [] },
      items: {
        condition: { c1: { areas, type: 'ofTomorrow', priority: 1, formulas: [] } },
        table: { t1: table([0, 0, 3, 3]) },
      },
    },
  ],
  items: { name: { n1: { name: 'with space', formula: '1' } } },
} as never);

const put = (kind: string, item: object, on: string | null = sheet) =>
  ({ op: 'put', sheet: on, kind, id: 'm.1', item }) as unknown as CellOperation;
const patch = (kind: string, id: string, fields: object, on: string | null = sheet) =>
  ({ op: 'patch', sheet: on, kind, id, patch: fields }) as unknown as CellOperation;
const condition = (more: object) =>
  put('condition', { areas, type: 'cellIs', priority: 1, formulas: [], ...more });
const named = (name: string) => put('name', { name, formula: '1' }, null);

describe('items that an operation makes', () => {
  const refused: readonly [string, CellOperation][] = [
    ['a condition of no type', condition({ type: 'x"/><a' })],
    ['a condition that compares by no word', condition({ operator: 'isLike' })],
    ['a stretch of time that is none', condition({ type: 'timePeriod', period: 'soon' })],
    ['icons that are none', condition({ type: 'iconSet', icons: '9Hearts' })],
    ['an icon of no set', condition({ type: 'iconSet', points: [{ type: 'num', icon: ['x"/>', 0] }] })],
    ['a point of no type', condition({ type: 'dataBar', points: [{ type: 'middle' }] })],
    [
      'a validation that compares by no word',
      put('validation', { areas, type: 'whole', operator: 'x', formulas: ['1'] }),
    ],
    [
      'a filter that compares by no word',
      put('filter', {
        area: areas[0],
        columns: [{ column: 0, conditions: [{ operator: 'x', value: '1' }] }],
      }),
    ],
    ['a filter of no time', put('filter', { area: areas[0], columns: [{ column: 0, dynamic: 'x' }] })],
    ['a name for half a formula', put('name', { name: 'half', formula: '1+' }, null)],
    [
      'a condition by a formula of 65 levels',
      condition({ formulas: [`${'SIN('.repeat(65)}1${')'.repeat(65)}`] }),
    ],
    [
      'a list of more words than a file may have',
      put('validation', { areas, type: 'list', formulas: [`"${'ab,'.repeat(86)}"`] }),
    ],
    [
      'a table with a column by half a formula',
      put('table', table([9, 0, 12, 0], { columns: [{ name: 'a', formula: 'SUM(' }] })),
    ],
    [
      'a point by half a formula',
      condition({ type: 'dataBar', points: [{ type: 'formula', value: '(1' }, { type: 'max' }] }),
    ],
    ['a name with a space', named('a b')],
    ['a name that is a cell', named('ab12')],
    ['a name that is a cell by numbers', named('R1C1')],
    ['a name that is a value', named('true')],
    ['a table that is called like a cell', put('table', table([9, 0, 12, 0], { name: 'T1' }))],
    [
      'a table with fewer columns than cells',
      put('table', table([9, 0, 12, 1], { columns: [{ name: 'a' }] })),
    ],
    [
      'a table of which two columns are called alike',
      put('table', table([9, 0, 12, 1], { columns: [{ name: 'a' }, { name: 'A' }] })),
    ],
    ['a table with a column without a name', put('table', table([9, 0, 12, 0], { columns: [{ name: '' }] }))],
    [
      'a total that is none',
      put('table', table([9, 0, 12, 0], { columns: [{ name: 'a', totalsFunction: 'x' }] })),
    ],
    ['a table over another', put('table', table([3, 3, 9, 9], { name: 'Other' }))],
    ['a table that loses cells, and no columns', patch('table', 't1', { area: [0, 0, 3, 2] })],
    ['a condition that gets another unknown type', patch('condition', 'c1', { type: 'ofYesterday' })],
    ['a name that gets another odd one', patch('name', 'n1', { name: 'with  spaces' }, null)],
  ];
  it.each(refused)('[XE80] %s is refused', (_name, operation) => {
    expect(applyOperation(base, operation)).toBe('invalid-content');
  });

  it('[XE80] what the file has said may go on being said', () => {
    const after = done(
      base,
      patch('condition', 'c1', { priority: 2 }),
      patch('name', 'n1', { formula: '2' }, null),
      patch('table', 't1', { style: 'Dark' }),
    );
    expect(itemsOf(after.sheets[0]!, 'condition').get('c1')).toMatchObject({
      type: 'ofTomorrow',
      priority: 2,
    });
    expect(namesOf(after).get('n1')).toMatchObject({ name: 'with space', formula: '2' });
  });

  it.each(['Größe', 'कुल_योग', '\\x', '_xlnm.Print_Area', 'a.b?', 'XFE1', 'Rate2024'])(
    '[XE80] %s is a name',
    (name) => {
      expect([...namesOf(done(base, named(name))).values()].at(-1)?.name).toBe(name);
    },
  );

  it('[XE80] a name that is taken gets a number behind it and stays as long as names are', () => {
    const long = 'n'.repeat(255);
    const after = done(base, named(long), { ...named(long), id: 'm.2' } as CellOperation);
    expect(namesOf(after).get('m.2')!.name).toBe(`${'n'.repeat(253)}_2`);
  });
});

describe('cells that move over others', () => {
  const merge = (id: string, area: readonly number[]): CellOperation => {
    return { op: 'put', sheet, kind: 'merge', id, item: { area } } as never;
  };
  const merges = (workbook: Workbook) =>
    [...itemsOf(workbook.sheets[0]!, 'merge')].map(([id, { area }]) => `${id} ${area.join()}`);

  it('[XE81] merged cells that come take the place of those in their way', () => {
    const two = done(base, merge('a', [10, 0, 11, 1]), merge('b', [13, 3, 14, 4]));
    const moved = done(two, {
      op: 'moveCells',
      sheet,
      area: [10, 0, 11, 1],
      toSheet: sheet,
      row: 12,
      column: 2,
    });
    expect(merges(moved)).toEqual(['a 12,2,13,3']);
    const pushed = done(done(base, merge('a', [10, 0, 11, 1]), merge('b', [12, 1, 13, 2])), {
      ...{ op: 'insert', sheet, axis: 'row', at: 9, count: 2, band: [0, 1] },
    });
    expect(merges(pushed)).toEqual(['a 12,0,13,1']);
    const other: CellOperation = { op: 'addSheet', sheet: 'm.9', name: 'Other', at: 1 };
    const onOther = { ...merge('c', [2, 2, 3, 3]), sheet: 'm.9' } as CellOperation;
    const carried = done(two, other, onOther, {
      ...{ op: 'moveCells', sheet, area: [10, 0, 11, 1], toSheet: 'm.9', row: 1, column: 1 },
    });
    expect([...itemsOf(carried.sheets[1]!, 'merge').keys()]).toEqual(['a']);
  });

  it('[XE81] a table is not moved over another one', () => {
    const two = done(base, put('table', table([10, 0, 12, 1], { name: 'Other' })));
    const over = { op: 'moveCells', sheet, area: [10, 0, 12, 1], toSheet: sheet, row: 3, column: 3 } as const;
    expect(applyOperation(two, over)).toBe('invalid-content');
    expect(typeof applyOperation(two, { ...over, row: 20 })).toBe('object');
    // As a whole it is replaced by what comes.
    expect(typeof applyOperation(two, { ...over, area: [0, 0, 3, 3], row: 10, column: 0 })).toBe('object');
    const push = { op: 'insert', sheet, axis: 'column', at: 0, count: 2, band: [0, 9] } as const;
    const beside = done(base, put('table', table([8, 4, 12, 5], { name: 'Other' })));
    expect(applyOperation(beside, { ...push, band: [0, 3], count: 5 })).not.toBe('invalid-content');
  });

  it('[XE82] items that go to another sheet keep ids as long as ids are, and answers their thread', () => {
    const id = 'x'.repeat(200);
    const note = (key: string, more: object = {}): CellOperation =>
      ({
        ...{ op: 'put', sheet, kind: 'comment', id: key },
        item: { cell: [10, 0], author: '', date: null, text: key, ...more },
      }) as never;
    const copied = done(base, note(id), note('r', { parent: id }), {
      ...{ op: 'addSheet', sheet: 'm.9', name: 'Copy', at: 1, copyOf: sheet },
    });
    const after = done(copied, {
      ...{ op: 'moveCells', sheet, area: [10, 0, 10, 0], toSheet: 'm.9', row: 20, column: 0 },
    });
    const comments = itemsOf(after.sheets[1]!, 'comment');
    expect([...comments.keys()].map(({ length }) => length)).toEqual([200, 1, 194, 2]);
    const [, , first, answer] = [...comments.keys()];
    expect(comments.get(answer!)).toMatchObject({ cell: [20, 0], parent: first });
    expect(comments.get('r')).toMatchObject({ cell: [10, 0], parent: id });
  });
});
