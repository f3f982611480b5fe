import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { newName } from '../support/new-name.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { fetchFile } from '../support/word-editor.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('a storage that does not take files', () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn({ FORCE_SAVE_LEAST_MS: '500' });
  });
  afterAll(() => world?.close());

  const open = (key: string, user: string, editorConfig: Record<string, unknown>): Promise<EditorPage> => {
    const bytes = buildDocx({ paragraphs: ['First line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return world.visit({ key, user, sourceUrl, editorConfig });
  };

  it('[SD17] is told to everybody in the status, with since when, until it takes them again', async () => {
    const { integrator } = world.world;
    const key = newName('storage-away');
    integrator.answer(key, ({ status }) => (status === 1 ? accepted : { status: 503, body: '' }));
    const ann = await open(key, 'ann', { quireStoreWithinS: 0.5 });
    await ann.typeAfter('First line:', ' kept');
    await ann.showsSaving(/^Not in the storage yet$/);
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -332 });
    const bob = await open(key, 'bob', { lang: 'de' });
    await bob.showsSaving(/^Noch nicht im Speicher$/);
    await ann.frame.locator('.saving-status').click();
    const sentence = await ann.frame.locator('.saving-refusal').textContent();
    expect(sentence).toMatch(
      /^The storage stopped taking changes .*They are safe on the server, which keeps trying\.$/,
    );
    await ann.page.keyboard.press('Escape');
    integrator.answer(key, accepted);
    await ann.showsSaving(/^Stored$/);
    await bob.showsSaving(/^Gespeichert$/);
    const last = await eventually(
      async () => integrator.callbacksOf(key).at(-1)!,
      ({ status, body }) => status === 6 && body.url !== undefined,
    );
    expect(last.body).toMatchObject({ forcesavetype: 2 });
    const { doc } = openDocx(await fetchFile(String(last.body.url)));
    expect(doc.textContent).toBe('First line: kept');
    expect(ann.problems).toEqual([]);
  });
});
