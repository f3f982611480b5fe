import { describe, expect, it } from 'vitest';
import type { CellOperation } from '../../model/cell/operations.ts';
import { itemsOf, namesOf, type Workbook } from '../../model/cell/workbook.ts';
import { CellWorld, setAt } from '../testing/cell-world.ts';
import type { CellSession } from './cell-session.ts';

const sheet = 's1';
const columnsAt = (op: 'insert' | 'delete', at: number): CellOperation => ({
  ...{ op, sheet, axis: 'column', at, count: 1 },
});
const formulaAt = (row: number, column: number, f: string): CellOperation => ({
  ...{ op: 'set', sheet },
  cells: [[row, column, { f }]],
});

/** Ann and Bob with a table of prices and counts, and a name for the prices. */
async function two() {
  const world = new CellWorld([
    ['Price', 'Count'],
    ['1', '2'],
  ]);
  const ann = await world.open('ann');
  const bob = await world.open('bob');
  const make = (session: CellSession, ...operations: readonly CellOperation[]) =>
    session.dispatch({ operations });
  make(
    ann,
    {
      ...{ op: 'put', sheet, kind: 'table', id: 't' },
      item: {
        area: [0, 0, 1, 1],
        name: 'Stock',
        hasHeader: true,
        columns: [{ name: 'Price' }, { name: 'Count' }],
      },
    },
    { op: 'put', sheet: null, kind: 'name', id: 'n', item: { name: 'Prices', formula: 'Sheet1!$A$2' } },
  );
  await world.pass(1_000);
  return { world, ann, bob, make };
}

/** What makes the table larger by a column, as the page does where something is typed beside it. */
const growth: readonly CellOperation[] = [
  {
    ...{ op: 'patch', sheet, kind: 'table', id: 't' },
    patch: { area: [0, 0, 1, 2], columns: [{ name: 'Price' }, { name: 'Count' }, { name: 'Column3' }] },
  },
  { op: 'block', sheet, row: 0, column: 2, rows: [['Column3']] },
  formulaAt(1, 2, 'Stock[[#This Row],[Price]]*Stock[[#This Row],[Count]]'),
];
const tableOf = ({ sheets }: Workbook) => itemsOf(sheets[0]!, 'table').get('t')!;
const namesIn = (of: Workbook) => tableOf(of).columns.map(({ name }) => name);
const textAt = ({ sheets }: Workbook, row: number, column: number) =>
  sheets[0]!.grid.cell(row, column).formula?.text;

describe('[XS253] formulas that are typed while somebody else calls otherwise what they name', () => {
  const product = 'Stock[[#This Row],[Preis]]*Stock[[#This Row],[Count]]';

  it.each(['who types is first', 'who renames is first'])(
    'name columns as they are called then: %s',
    async (order) => {
      const { world, ann, bob, make } = await two();
      const deeds = [() => make(ann, ...growth), () => make(bob, setAt(0, 0, 'Preis'))];
      for (const deed of order.includes('renames') ? deeds.toReversed() : deeds) deed();
      await world.pass(2_000);
      for (const { workbook } of [ann, bob]) {
        expect(namesIn(workbook)).toEqual(['Preis', 'Count', 'Column3']);
        expect(textAt(workbook, 1, 2)).toBe(product);
      }
      ann.undo();
      await world.pass(2_000);
      expect(namesIn(bob.workbook)).toEqual(['Preis', 'Count']);
    },
  );

  it.each(['ann', 'bob'] as const)(
    'name the table, and names, as they are called then: %s types',
    async (who) => {
      const { world, make, ...people } = await two();
      const [typing, other] = who === 'ann' ? [people.ann, people.bob] : [people.bob, people.ann];
      make(other, { op: 'patch', sheet, kind: 'table', id: 't', patch: { name: 'Lager' } });
      make(other, setAt(0, 1, 'Zahl'));
      make(other, { op: 'patch', sheet: null, kind: 'name', id: 'n', patch: { name: 'Preise' } });
      make(typing, formulaAt(5, 5, 'SUM(Stock[Count])+Prices'), formulaAt(6, 5, 'ROWS(Stock)'));
      await world.pass(2_000);
      for (const { workbook } of [typing, other]) {
        expect(textAt(workbook, 5, 5)).toBe('SUM(Lager[Zahl])+Preise');
        expect(textAt(workbook, 6, 5)).toBe('ROWS(Lager)');
        expect(namesOf(workbook).get('n')!.name).toBe('Preise');
      }
    },
  );

  it.each(['ann', 'bob'] as const)(
    'do so where others have put in columns and called one otherwise: %s types',
    async (who) => {
      const { world, make, ...people } = await two();
      const [typing, other] = who === 'ann' ? [people.ann, people.bob] : [people.bob, people.ann];
      make(other, columnsAt('insert', 1), setAt(0, 0, 'Preis'));
      make(typing, formulaAt(5, 5, 'SUM(Stock[Price])+SUM(Stock[Count])'));
      await world.pass(2_000);
      for (const { workbook } of [typing, other])
        expect(textAt(workbook, 5, 6)).toBe('SUM(Stock[Preis])+SUM(Stock[Count])');
    },
  );
});

it('[XS252] a filter that is set while others put in a column is of the column that was meant', async () => {
  const { world, ann, bob, make } = await two();
  make(bob, columnsAt('insert', 1));
  const filter = [{ column: 1, values: ['2'] }];
  make(ann, { op: 'patch', sheet, kind: 'table', id: 't', patch: { filter, sorted: [{ column: 1 }] } });
  await world.pass(2_000);
  for (const { workbook } of [ann, bob]) {
    expect(tableOf(workbook)).toMatchObject({
      ...{ area: [0, 0, 1, 2], sorted: [{ column: 2 }] },
      filter: [{ column: 2, values: ['2'] }],
    });
  }
});

it.each(['ann', 'bob'] as const)(
  '[XS253] a formula goes with the cells of a sheet that is called otherwise meanwhile, also where another takes its name: %s types',
  async (who) => {
    const { world, make, ...people } = await two();
    const [typing, other] = who === 'ann' ? [people.ann, people.bob] : [people.bob, people.ann];
    make(other, { op: 'addSheet', sheet: 'x', name: 'Other', at: 1 });
    await world.pass(2_000);
    const rename = (of: string, name: string): CellOperation => ({
      ...{ op: 'sheet', sheet: of },
      patch: { name },
    });
    make(other, columnsAt('insert', 0), rename('s1', 'Moved'), rename('x', 'Sheet1'));
    make(typing, { op: 'set', sheet: 'x', cells: [[0, 0, { f: 'Sheet1!B2+1' }]] });
    await world.pass(2_000);
    for (const { workbook } of [typing, other])
      expect(workbook.sheets[1]!.grid.cell(0, 0).formula?.text).toBe('Moved!C2+1');
  },
);

describe('[XS259] a column that is taken out', () => {
  const sums = 'SUM(Stock[Price])+SUM(Stock[Count])';

  it.each(['ann', 'bob'] as const)(
    'is named by no formula, also one that is typed meanwhile: %s types',
    async (who) => {
      const { world, make, ...people } = await two();
      const other = who === 'ann' ? 'bob' : 'ann';
      make(people.ann, formulaAt(5, 5, sums));
      await world.pass(1_000);
      make(people[who], formulaAt(7, 7, sums));
      make(people[other], columnsAt('delete', 0));
      await world.pass(2_000);
      for (const { workbook } of Object.values(people)) {
        expect(namesIn(workbook)).toEqual(['Count']);
        expect(textAt(workbook, 5, 4)).toBe('SUM(#REF!)+SUM(Stock[Count])');
        expect(textAt(workbook, 7, 6)).toBe('SUM(#REF!)+SUM(Stock[Count])');
      }
      people[other].undo();
      await world.pass(2_000);
      for (const { workbook } of Object.values(people)) {
        expect(namesIn(workbook)).toEqual(['Price', 'Count']);
        expect(textAt(workbook, 5, 5)).toBe(sums);
      }
    },
  );

  it('is gone with its table, and comes back with it', async () => {
    const { world, ann, bob, make } = await two();
    make(ann, formulaAt(5, 5, 'SUM(Stock[Price])'));
    await world.pass(1_000);
    make(bob, { op: 'delete', sheet, axis: 'row', at: 0, count: 2 });
    make(ann, formulaAt(6, 6, 'ROWS(Stock)'));
    await world.pass(2_000);
    for (const { workbook } of [ann, bob]) {
      expect([textAt(workbook, 3, 5), textAt(workbook, 4, 6)]).toEqual(['SUM(#REF!)', 'ROWS(#REF!)']);
    }
    bob.undo();
    await world.pass(2_000);
    for (const { workbook } of [ann, bob]) expect(textAt(workbook, 5, 5)).toBe('SUM(Stock[Price])');
  });
});
