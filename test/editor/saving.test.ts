import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import { EditorWorld } from './editor-world.ts';
import { lines, openLines, textOf } from './saving-page.ts';

describe.skipIf(!hasBrowser)('where the changes are', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EW1] typed text is on the server, and after Ctrl+S in the storage', async () => {
    const key = newName('stored');
    const { integrator } = world.world;
    const ann = await openLines(world, key);
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
    const ann = await openLines(world, key);
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
    const ann = await openLines(world, key);
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
});
