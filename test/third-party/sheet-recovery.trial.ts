import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { hasEditors, needsEditors } from './editor-driver.ts';
import { SheetWorld } from './sheet-world.ts';

const timeout = 240_000;

describe.skipIf(!hasEditors)(`a spreadsheet ${needsEditors}`, { timeout }, () => {
  let world: SheetWorld;

  beforeAll(async () => {
    world = await SheetWorld.open();
  }, timeout);
  afterAll(() => world?.close());

  it('[TS4] is saved without what was undone, alone and beside somebody', async () => {
    const key = world.newKey();
    const ann = await world.join('ann', key);
    await ann.enter('A6', 'kept');
    await ann.office.saved();
    await ann.enter('A7', 'undone alone');
    await ann.office.saved();
    await ann.office.press('Control+z');
    await ann.shows('A7', '');
    await ann.office.saved();
    const bob = await world.join('bob', key);
    await bob.shows('A6', 'kept');
    await bob.shows('A7', '');
    await ann.enter('A8', 'undone together');
    await bob.shows('A8', 'undone together');
    await ann.goTo('A9');
    await ann.office.press('Control+z');
    await bob.shows('A8', '');
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.values('A6', 'A7', 'A8')).toEqual({ A6: 'kept', A7: '', A8: '' });
  });

  it('[TS5] shows what others did after both have saved, in strict mode', async () => {
    const { key, ann, bob } = await world.pair({
      editorConfig: { coEditing: { mode: 'strict', change: false } },
    });
    await ann.enter('B1', 'strict');
    await bob.seesLocked('B1');
    expect(await bob.content('B1')).toBe('2');
    await ann.office.press('Control+s');
    await ann.office.saved();
    await bob.enter('B2', 'mine');
    await bob.office.press('Control+s');
    await bob.shows('B1', 'strict');
    await bob.office.saved();
    // What came after Ann's editor has collected comes with its next saving.
    await eventually(
      async () => {
        await ann.office.press('Control+s');
        return ann.content('B2');
      },
      (content) => content === 'mine',
    );
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.values('B1', 'B2')).toEqual({ B1: 'strict', B2: 'mine' });
  });

  it('[TS6] goes on after the connection was cut, with all that was typed meanwhile', async () => {
    const key = world.newKey();
    const proxy = await CuttableProxy.to(world.office.world.quire.address);
    try {
      const ann = await world.join('ann', key, { address: proxy.address });
      const bob = await world.join('bob', key);
      await ann.enter('A6', 'before');
      await bob.shows('A6', 'before');
      await bob.enter('B6', 'seen');
      await ann.shows('B6', 'seen');
      await ann.beginTyping('A7', 'after');
      await bob.seesLocked('A7');
      proxy.cut();
      await ann.office.press('Enter');
      await bob.shows('A7', 'after');
      await bob.enter('B7', 'back');
      await ann.shows('B7', 'back');
      const workbook = await world.assembled(key, ann, bob);
      expect(workbook.values('A6', 'A7', 'B6', 'B7')).toEqual({
        A6: 'before',
        A7: 'after',
        B6: 'seen',
        B7: 'back',
      });
    } finally {
      await proxy.close();
    }
  });

  it('[TS7] is to be opened again by somebody who was away while another one changed it', async () => {
    const key = world.newKey();
    let proxy = await CuttableProxy.to(world.office.world.quire.address);
    const port = Number(new URL(proxy.address).port);
    try {
      const ann = await world.join('ann', key, { address: proxy.address });
      const bob = await world.join('bob', key);
      await ann.enter('A6', 'before');
      await bob.shows('A6', 'before');
      await proxy.close();
      await bob.enter('B6', 'meanwhile');
      await bob.office.saved();
      proxy = await CuttableProxy.to(world.office.world.quire.address, port);
      await ann.office.event('onRequestRefreshFile', 60_000);
      await ann.office.leave();
      const again = await world.join('ann', key);
      await again.shows('A6', 'before');
      await again.shows('B6', 'meanwhile');
      const workbook = await world.assembled(key, again, bob);
      expect(workbook.values('A6', 'B6')).toEqual({ A6: 'before', B6: 'meanwhile' });
    } finally {
      await proxy.close();
    }
  });

  it('[TS8] loses nothing when the server is killed while somebody types, and all go on', async () => {
    const { key, ann, bob } = await world.pair();
    const { quire } = world.office.world;
    await ann.enter('A6', 'one');
    await bob.shows('A6', 'one');
    // This editor takes nothing new without the server: whoever types holds the cell already.
    await ann.beginTyping('A7', 'three');
    await bob.seesLocked('A7');
    await quire.kill();
    await ann.office.press('Enter');
    await quire.restart();
    await bob.shows('A7', 'three');
    await ann.enter('A8', 'five');
    await bob.enter('B8', 'six');
    await bob.shows('A8', 'five');
    await ann.shows('B8', 'six');
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.values('A6', 'A7', 'A8', 'B8')).toEqual({
      A6: 'one',
      A7: 'three',
      A8: 'five',
      B8: 'six',
    });
  });

  it('[TS9] is handed over by the save button, and opened again holds what was typed', async () => {
    const key = world.newKey();
    const forced = { editorConfig: { customization: { forcesave: true } } };
    const ann = await world.join('ann', key, forced);
    await ann.enter('A6', 'by the button');
    await ann.office.saved();
    await ann.office.press('Control+s');
    const { body } = await world.office.callback(key, [6]);
    expect(body).toMatchObject({ forcesavetype: 1, filetype: 'xlsx' });
    const first = await world.assembled(key, ann);
    expect(first.values('A6')).toEqual({ A6: 'by the button' });
    const next = world.newKey();
    const sourceUrl = world.office.serve('again.xlsx', first.bytes);
    const bob = await world.join('bob', next, { sourceUrl });
    await bob.shows('A6', 'by the button');
    await bob.shows('A4', '=SUM(A1:A3)');
    await bob.office.leave();
    await eventually(
      async () => world.office.world.integrator.callbacksOf(next).map(({ status }) => status),
      (statuses) => statuses.includes(4),
    );
  });
});
