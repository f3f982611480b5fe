import { describe, expect, it } from 'vitest';
import type { CellOperation } from '../../model/cell/operations.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import type { Recovered } from '../replica/unsent-changes.ts';
import { CellWorld, firstColumn, rowsAt, setAt } from '../testing/cell-world.ts';
import { TabStore } from '../testing/session-world.ts';
import type { CellSession } from './cell-session.ts';

const make = (session: CellSession, ...operations: readonly CellOperation[]) =>
  session.dispatch({ operations });

describe('sessions in spreadsheets', () => {
  it('[XC23] two people edit one sheet and see the same, also what was made offline', async () => {
    const world = new CellWorld([['a'], ['b'], ['c']]);
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    make(ann, rowsAt('insert', 1, 2));
    make(bob, setAt(2, 0, 'of bob'), { op: 'set', sheet: 's1', cells: [[3, 0, { f: 'A2&A3' }]] });
    await world.pass(1_000);
    expect(firstColumn(ann.workbook, 6)).toEqual(['a', '', '', 'b', 'of bob', '=A4&A5']);
    expect(firstColumn(bob.workbook, 6)).toEqual(firstColumn(ann.workbook, 6));
    expect(bob.workbook.volatile).toEqual(ann.workbook.volatile);
    expect(ann.shown.version).toBe(world.changes.length);
  });

  it('[XC38] all calculate by the region of who made the first change', async () => {
    const world = new CellWorld([['a']]);
    const ann = await world.open('ann', { region: 'de-AT' });
    const bob = await world.open('bob', { region: 'fr' });
    make(bob, { op: 'put', kind: 'comment', id: 'k1', item: {} } as never);
    make(ann, setAt(0, 0, '1,5'), setAt(1, 0, '2'));
    await world.pass(1_000);
    make(bob, setAt(0, 0, '1.5'));
    await world.pass(1_000);
    expect([ann, bob].map(({ workbook }) => workbook.volatile.region)).toEqual(['de-AT', 'de-AT']);
    expect(world.changes.filter((change) => JSON.stringify(change).includes('region'))).toHaveLength(1);
  });

  it('[XC24] each takes back their own changes only, where others have not written since', async () => {
    const world = new CellWorld([['a'], ['b'], ['c']]);
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    make(ann, rowsAt('insert', 0));
    make(ann, setAt(1, 0, 'ann'));
    make(ann, setAt(2, 0, 'ann'));
    await world.pass(1_000);
    make(bob, setAt(0, 0, 'bob'));
    make(bob, setAt(2, 0, 'bob'));
    make(bob, rowsAt('insert', 0));
    await world.pass(1_000);
    ann.undo();
    ann.undo();
    ann.undo();
    await world.pass(1_000);
    expect(firstColumn(ann.workbook, 5)).toEqual(['', 'bob', 'a', 'bob', 'c']);
    ann.redo();
    ann.undo();
    bob.undo();
    await world.pass(1_000);
    expect(firstColumn(bob.workbook, 4)).toEqual(['bob', 'a', 'bob', 'c']);
    expect(firstColumn(ann.workbook, 4)).toEqual(firstColumn(bob.workbook, 4));
  });

  it('[XH29] what follows from a change is taken back and made again with it', async () => {
    const world = new CellWorld([['a']]);
    const ann = await world.open('ann');
    make(ann, setAt(0, 0, 'first'));
    make(ann, setAt(0, 0, 'entry'));
    ann.dispatch({ operations: [setAt(1, 0, 'follows')], continues: true });
    ann.undo();
    expect(firstColumn(ann.workbook, 2)).toEqual(['first', '']);
    ann.redo();
    expect(firstColumn(ann.workbook, 2)).toEqual(['entry', 'follows']);
    ann.undo();
    ann.undo();
    await world.pass(1_000);
    expect(firstColumn(ann.workbook, 2)).toEqual(['a', '']);
    expect(ann.shown.canUndo).toBe(false);
  });

  it('[XC25] a deletion is taken back with all that it took, also references to it', async () => {
    const world = new CellWorld([['a'], ['b'], ['c']]);
    const ann = await world.open('ann');
    make(ann, { op: 'set', sheet: 's1', cells: [[5, 0, { f: 'A2&SUM(A1:A3)' }]] });
    make(ann, { op: 'put', sheet: 's1', kind: 'merge', id: 'm', item: { area: [1, 1, 1, 2] } });
    make(ann, { op: 'lines', sheet: 's1', axis: 'row', spans: [[1, 1]], patch: { size: 30 } });
    const held = { formulas: ['A2', 'B1:B3'], scope: 's1' };
    make(ann, { op: 'put', sheet: null, kind: 'held', id: 'h1', item: held });
    const before = ann.workbook;
    make(ann, rowsAt('delete', 1));
    expect(ann.workbook.items.held?.get('h1')).toEqual({ formulas: ['#REF!', 'B1:B2'], scope: 's1' });
    expect(firstColumn(ann.workbook, 5)).toEqual(['a', 'c', '', '', '=#REF!&SUM(A1:A2)']);
    ann.undo();
    expect(firstColumn(ann.workbook, 6)).toEqual(['a', 'b', 'c', '', '', '=A2&SUM(A1:A3)']);
    expect(ann.workbook.sheets[0]!.items).toEqual(before.sheets[0]!.items);
    expect(ann.workbook.items).toEqual(before.items);
    expect(ann.workbook.sheets[0]!.grid.row(1)?.line.size).toBe(30);
  });

  /** Somebody changes rows without a connection, and their page crashes. */
  async function crashed(
    world: CellWorld,
    ...operations: readonly CellOperation[]
  ): Promise<MemoryUnsentStore> {
    const store = new MemoryUnsentStore();
    const tab = new TabStore(store);
    const session = await world.open('ann', { store: tab, transport: world.dialOnce(), file: 'doc' });
    world.network.links.at(-1)!.cut();
    await world.pass(10);
    make(session, ...operations);
    await world.pass(100);
    await world.pass(3_000);
    tab.crash();
    return store;
  }
  const letters = (text: string) => text.split('').map((letter) => [letter]);

  it('[XC26] what a crashed session left unsent finds its cells where others have moved them meanwhile', async () => {
    const world = new CellWorld(letters('abcd'));
    const store = await crashed(world, setAt(1, 0, 'mine'), rowsAt('insert', 0), setAt(0, 0, 'head'));
    const bob = await world.open('bob');
    make(bob, rowsAt('delete', 0));
    await world.pass(1_000);
    expect(firstColumn(bob.workbook, 4)).toEqual(['b', 'c', 'd', '']);
    const recovered: Recovered[] = [];
    await world.open('ann', { store, file: 'doc', onRecovered: (one) => recovered.push(one) });
    await world.pass(1_000);
    expect(recovered).toMatchObject([{ applied: 3 }]);
    expect(firstColumn(bob.workbook, 4)).toEqual(['head', 'mine', 'c', 'd']);
  });

  it('[XC28] in another version of the file it finds its rows by what they say', async () => {
    const world = new CellWorld(letters('abcd'));
    const gone: CellOperation = { op: 'addSheet', sheet: 'x', name: 'New', at: 1 };
    const store = await crashed(world, setAt(3, 1, 'mine'), gone);
    const later = new CellWorld(letters('xyabcd'));
    const again = await later.open('ann', { store, file: 'doc', key: 'doc2' });
    await later.pass(1_000);
    expect(again.workbook.sheets[0]!.grid.cell(5, 1).value).toBe('mine');
    expect(again.workbook.sheets.map(({ properties }) => properties.name)).toEqual(['Sheet1', 'New']);
  });

  it('[XC27] in strict mode a change locks its sheet, and what is of the whole workbook by itself', async () => {
    const world = new CellWorld([['a']]);
    const ann = await world.open('ann', { editingMode: 'strict' });
    const bob = await world.open('bob', { editingMode: 'strict' });
    make(ann, setAt(0, 0, 'ann'));
    await world.pass(100);
    expect([...ann.ownLocks]).toEqual(['s1']);
    make(bob, setAt(3, 0, 'bob'));
    expect(firstColumn(bob.workbook, 4)[3]).toBe('');
    make(bob, { op: 'put', sheet: null, kind: 'name', id: 'n', item: { name: 'N', formula: 'Sheet1!A1' } });
    await world.pass(100);
    expect([...bob.ownLocks]).toEqual(['workbook']);
  });
});
