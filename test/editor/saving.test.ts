import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { eventually } from '../support/scene.ts';
import { fetchFile } from '../support/word-editor.ts';
import { type EditorPage, EditorWorld, hasBrowser } from './editor-world.ts';

describe.skipIf(!hasBrowser)('where the changes are', { timeout: 180_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  }, 120_000);
  afterAll(() => world?.close());

  const open = (
    key: string,
    more: Partial<Parameters<EditorWorld['visit']>[0]> = {},
  ): Promise<EditorPage> => {
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return world.visit({ key, user: 'ann', sourceUrl, ...more });
  };
  const textOf = async ({ body }: ReceivedCallback): Promise<string> => {
    const { doc } = openDocx(await fetchFile(String(body.url)));
    return doc.textBetween(0, doc.content.size, '\n');
  };
  const lines = (editor: EditorPage): Promise<string[]> =>
    editor.frame.locator('.saving-details dd').allTextContents();

  it('[EW1] typed text is on the server, and after Ctrl+S in the storage', async () => {
    const key = newName('stored');
    const { integrator } = world.world;
    const ann = await open(key);
    expect(await ann.savingStatus()).toBe('Stored');
    await ann.typeAfter('First line:', ' hello');
    await ann.showsSaving(/^Saved on the server$/);
    expect(integrator.callbacksOf(key)).toEqual([]);
    await ann.page.keyboard.press('Control+s');
    const callback = await integrator.waitForCallback(key, ({ status }) => status === 6);
    expect(await textOf(callback)).toBe('First line: hello\nSecond line:');
    await ann.showsSaving(/^Stored$/);
    expect((await ann.events()).filter(({ name }) => name === 'onError')).toEqual([]);
    expect(ann.problems).toEqual([]);
  });

  it('[EW2] the details of the status tell what is stored where', async () => {
    const key = newName('details');
    const { integrator } = world.world;
    const ann = await open(key);
    await ann.frame.locator('.saving-status').click();
    expect(await lines(ann)).toEqual([
      'nothing',
      'everything up to now',
      expect.stringMatching(/^everything, (now|\d+ seconds? ago)$/),
    ]);
    await ann.page.keyboard.press('Escape');
    await ann.typeAfter('First line:', ' abc');
    await ann.showsSaving(/^Saved on the server$/);
    await ann.frame.locator('.saving-status').click();
    expect(await lines(ann)).toEqual([
      'nothing',
      'everything up to now',
      expect.stringMatching(/^as it was when it was opened, /),
    ]);
    await ann.frame.getByRole('button', { name: 'Store now' }).click();
    await integrator.waitForCallback(key, ({ status }) => status === 6);
    await eventually(
      () => lines(ann),
      ([, , storage]) => /^everything, /.test(storage ?? ''),
    );
    await ann.page.keyboard.press('Escape');
    await ann.typeAfter('Second line:', ' more');
    await ann.showsSaving(/^Saved on the server$/);
    await ann.frame.locator('.saving-status').click();
    expect((await lines(ann))[2]).toMatch(/^as of /);
  });

  it('[EW3] a refused callback is said, nothing is lost, and a later save stores everything', async () => {
    const key = newName('refused');
    const { integrator } = world.world;
    const ann = await open(key);
    integrator.answer(key, { status: 500, body: 'no' });
    await ann.typeAfter('First line:', ' kept');
    await ann.page.keyboard.press('Control+s');
    await ann.showsNotice(/could not be stored now\. Your changes are safe on the server/);
    await ann.showsSaving(/^Not in the storage yet$/);
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -331 });
    expect(await ann.text()).toBe('First line: kept\nSecond line:');
    await ann.typeAfter('Second line:', ' on');
    await ann.showsSaving(/^Not in the storage yet$/);
    await ann.frame.locator('.notices').getByRole('button', { name: 'Try again' }).waitFor();
    integrator.answer(key, accepted);
    // The notice goes by itself when the server's own repetition comes first, so the key is pressed instead.
    await ann.page.keyboard.press('Control+s');
    const callback = await integrator.waitForCallback(
      key,
      ({ status, body }) => status === 6 && body.url !== undefined,
    );
    await ann.showsSaving(/^Stored$/);
    const last = integrator.callbacksOf(key).at(-1) ?? callback;
    expect(await textOf(last)).toBe('First line: kept\nSecond line: on');
    expect(await ann.notices()).toEqual([]);
  });

  it('[EW4] without a server typing goes on; afterwards everything is saved, without a reload', async () => {
    const key = newName('offline');
    const { quire } = world.world;
    const ann = await open(key);
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
    const bob = await open(key, { user: 'bob' });
    expect(await bob.text()).toBe('First line: typed away!\nSecond line:');
  });

  it('[EW5] leaving warns while something is unsent, and only then', async () => {
    const key = newName('leaving');
    const { quire } = world.world;
    const asked: string[] = [];
    const ann = await open(key);
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
    const ann = await open(key);
    const bob = await open(key, { user: 'bob' });
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
        30_000,
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
