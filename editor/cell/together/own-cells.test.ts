import { describe, expect, it } from 'vitest';
import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import type { CellSession } from '../../../client/cell/cell-session.ts';
import { CellWorld, firstColumn, rowsAt, setAt } from '../../../client/testing/cell-world.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { type OwnCell, OwnCells } from './own-cells.ts';

/** Ann, who is told what others replace, and Bob. */
async function two() {
  const world = new CellWorld([['a'], ['b'], ['c']]);
  const clock = { nowMs: 0 };
  const own = new OwnCells(() => clock.nowMs);
  const told: OwnCell[] = [];
  const onChange = (change: ShownChange) => {
    if (!change.isLocal) told.push(...own.changedByOthers(change));
  };
  const ann = await world.open('ann', { onChange });
  const bob = await world.open('bob');
  const make = (session: CellSession, ...operations: readonly CellOperation[]) => {
    session.dispatch({ operations });
    if (session === ann) own.made(operations, ann.workbook);
  };
  return { world, clock, own, told, ann, bob, make };
}

describe('two people in one cell', () => {
  it('[TG4] who is replaced is told once what was theirs, and can put it back as an operation of their own', async () => {
    const { world, own, told, ann, bob, make } = await two();
    make(ann, setAt(1, 0, 'of ann'));
    await world.pass(1_000);
    make(bob, setAt(1, 0, 'of bob'));
    await world.pass(1_000);
    expect(told.map(({ cell, content }) => [cell.row, content.value])).toEqual([[1, 'of ann']]);
    make(bob, rowsAt('insert', 0), setAt(0, 0, 'new'));
    await world.pass(1_000);
    expect(told).toHaveLength(1);
    make(ann, ...own.puttingBack());
    await world.pass(1_000);
    expect(firstColumn(bob.workbook, 4)).toEqual(['new', 'a', 'of ann', 'c']);
    bob.undo();
    await world.pass(1_000);
    expect(firstColumn(ann.workbook, 3)).toContain('of ann');
  });

  it('[TG4] who wins, moves, changes their own cell or changes it later is told nothing', async () => {
    const { world, clock, told, ann, bob, make } = await two();
    make(ann, { op: 'set', sheet: 's1', cells: [[2, 0, { f: 'A1' }]] });
    await world.pass(1_000);
    make(bob, rowsAt('insert', 0, 2));
    make(ann, rowsAt('insert', 0), setAt(2, 0, 'mine'));
    await world.pass(1_000);
    make(ann, setAt(4, 0, 'again'));
    await world.pass(1_000);
    expect(told).toEqual([]);
    clock.nowMs = 30_000;
    make(bob, setAt(4, 0, 'later'));
    await world.pass(1_000);
    expect(told).toEqual([]);
    expect(firstColumn(ann.workbook, 6)).toEqual(firstColumn(bob.workbook, 6));
  });

  it('[TG4] whose formula only follows what others move or call otherwise is told nothing, also later', async () => {
    const { world, told, ann, bob, make } = await two();
    const name = (formula: string) => ({ name: formula, formula: 'Sheet1!$A$1' });
    make(ann, { op: 'put', sheet: null, kind: 'name', id: 'n', item: name('Prices') });
    make(ann, { op: 'set', sheet: 's1', cells: [[0, 3, { f: 'Prices+Sheet1!A2' }]] });
    await world.pass(1_000);
    make(bob, { op: 'patch', sheet: null, kind: 'name', id: 'n', patch: { name: 'Preise' } });
    make(bob, { op: 'sheet', sheet: 's1', patch: { name: 'Plan' } });
    await world.pass(1_000);
    make(bob, rowsAt('insert', 1));
    await world.pass(1_000);
    make(bob, setAt(5, 5, 'elsewhere'));
    await world.pass(1_000);
    expect(ann.workbook.sheets[0]!.grid.cell(0, 3).formula?.text).toBe('Preise+Plan!A3');
    expect(told).toEqual([]);
    make(bob, { op: 'set', sheet: 's1', cells: [[0, 3, { f: '1+1' }]] });
    await world.pass(1_000);
    expect(told).toHaveLength(1);
  });

  it('[XS256] nothing is told of cells that were written as a block: headings of a table that somebody made', async () => {
    const { world, told, ann, bob, make } = await two();
    make(ann, { op: 'block', sheet: 's1', row: 0, column: 0, rows: [['a', 'Column2']] });
    await world.pass(1_000);
    make(bob, setAt(0, 0, 'of bob'), setAt(0, 1, 'Tax'));
    await world.pass(1_000);
    expect(told).toEqual([]);
  });

  it('[TG5] a row of one’s own moves what is shown once, also when others change something afterwards', async () => {
    const moves: ShownChange['moves'][] = [];
    const world = new CellWorld([['a'], ['b']]);
    const ann = await world.open('ann', {
      onChange: ({ isLocal, moves: told }) => {
        if (!isLocal) moves.push(told);
      },
    });
    const bob = await world.open('bob');
    moves.length = 0;
    ann.dispatch({ operations: [rowsAt('insert', 0)] });
    await world.pass(1_000);
    bob.dispatch({ operations: [setAt(1, 0, 'of bob')] });
    await world.pass(1_000);
    expect(moves).toEqual([null]);
    bob.dispatch({ operations: [rowsAt('insert', 0)] });
    await world.pass(1_000);
    expect(moves[1]?.back).toEqual([]);
    expect(moves[1]?.forward).toHaveLength(1);
  });
});
