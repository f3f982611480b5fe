import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { lines, openLines } from './saving-page.ts';

describe.skipIf(!hasBrowser)('where the changes are', () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn();
  });
  afterAll(() => world?.close());

  it('[EW4] without a server typing goes on; afterwards everything is saved, without a reload', async () => {
    const key = newName('offline');
    const { quire } = world.world;
    const ann = await openLines(world, key);
    await ann.frame.evaluate(() => {
      (globalThis as { mark?: number }).mark = 1;
    });
    await quire.kill();
    try {
      await ann.showsSaving(/^Reconnecting…$/);
      await ann.typeAfter('First line:', ' typed away');
      await ann.showsSaving(/^Offline · 11 changes kept here$/);
      await ann.page.keyboard.type('!');
      await ann.showsSaving(/^Offline · 12 changes kept here$/);
      await ann.frame.locator('.saving-status').click();
      expect(await lines(ann)).toEqual([
        '12 changes, kept if this tab closes',
        'everything before that',
        expect.stringMatching(/^everything, /),
      ]);
      await ann.page.keyboard.press('Escape');
      expect((await ann.events()).filter(({ name }) => name === 'onError')).toEqual([]);
    } finally {
      await quire.restart();
    }
    await ann.showsSaving(/^Saved on the server$/);
    expect(await ann.text()).toBe('First line: typed away!\nSecond line:');
    expect(await ann.frame.evaluate(() => (globalThis as { mark?: number }).mark)).toBe(1);
    const states = (await ann.events()).filter(({ name }) => name === 'onDocumentStateChange');
    expect(states.map(({ data }) => data)).toEqual([true, false]);
    const bob = await openLines(world, key, { user: 'bob' });
    expect(await bob.text()).toBe('First line: typed away!\nSecond line:');
  });

  it('[EW5] leaving warns while something is unsent, and only then', async () => {
    const key = newName('leaving');
    const { quire } = world.world;
    const asked: string[] = [];
    const ann = await openLines(world, key);
    ann.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await ann.typeAfter('First line:', ' x');
    await ann.saved();
    await quire.kill();
    try {
      await ann.page.keyboard.type('y');
      await ann.page.close({ runBeforeUnload: true });
      await eventually(
        async () => asked,
        (all) => all.length === 1,
      );
      expect(asked).toEqual(['beforeunload']);
      expect(ann.page.isClosed()).toBe(false);
    } finally {
      await quire.restart();
    }
    await ann.saved();
    const closed = ann.page.waitForEvent('close');
    await ann.page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toEqual(['beforeunload']);
  });

  it('[EW9] the server is killed twice while two people type: nothing is lost, nothing is reloaded', async () => {
    const key = newName('killed');
    const { quire } = world.world;
    const ann = await openLines(world, key);
    const bob = await openLines(world, key, { user: 'bob' });
    for (const { frame } of [ann, bob]) {
      await frame.evaluate(() => {
        (globalThis as { mark?: number }).mark = 1;
      });
    }
    const letters = (first: string) => Array.from({ length: 50 }, (_, n) => `${first}${n} `).join('');
    const [anns, bobs] = [letters('a'), letters('b')];
    const typed = { ann: 0, bob: 0 };
    const write = async (person: EditorPage, name: 'ann' | 'bob', before: string, text: string) => {
      await person.placeCursor(before);
      for (const letter of text) {
        await person.page.keyboard.type(letter);
        typed[name]++;
      }
    };
    const progress = (count: number) =>
      eventually(
        async () => Math.min(typed.ann, typed.bob),
        (least) => least >= count,
      );
    const writing = Promise.all([
      write(ann, 'ann', 'First line:', anns),
      write(bob, 'bob', 'Second line:', bobs),
    ]);
    for (const count of [30, 100]) {
      await progress(count);
      await quire.kill();
      await progress(count + 40);
      await quire.restart();
    }
    await writing;
    for (const person of [ann, bob]) {
      await person.saved();
      await person.showsText(`First line:${anns}\nSecond line:${bobs}`);
      expect(await person.frame.evaluate(() => (globalThis as { mark?: number }).mark)).toBe(1);
      expect(await person.notices()).toEqual([]);
      expect(person.problems.filter((one) => !/WebSocket|ERR_/.test(one))).toEqual([]);
    }
    expect(await ann.document()).toEqual(await bob.document());
  });
});
