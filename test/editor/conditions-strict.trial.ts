import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('working undisturbed', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const open = (key: string, user: string, mode: 'fast' | 'strict'): Promise<EditorPage> => {
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return world.visit({ key, user, sourceUrl, editorConfig: { coEditing: { mode, change: true } } });
  };
  const save = async (person: EditorPage): Promise<void> => {
    await person.frame.locator('.ProseMirror').focus();
    await person.page.keyboard.press('Control+s');
    await person.showsSaving(/^(?:Saved on the server|Stored)$/);
  };
  const held = (person: EditorPage) => person.frame.locator('.held-block');

  it('[EW10] in strict mode changes are shared by saving, and whose paragraph it is can be seen', async () => {
    const key = newName('strict');
    const ann = await open(key, 'ann', 'strict');
    const bob = await open(key, 'bob', 'strict');
    await ann.typeAfter('First line:', ' by Ann');
    await ann.showsSaving(/^Unsaved changes$/);
    await held(bob).waitFor();
    expect(await held(bob).textContent()).toContain('First line:');
    expect(await held(bob).getAttribute('title')).toBe('ann is working on this paragraph');
    expect(await bob.text()).toBe('First line:\nSecond line:');
    await bob.typeAfter('First', ' in vain');
    await bob.showsNotice(/^ann is working on this paragraph$/);
    expect(await bob.text()).toBe('First line:\nSecond line:');
    await bob.typeAfter('Second line:', ' by Bob');
    expect(await ann.text()).toBe('First line: by Ann\nSecond line:');
    await save(ann);
    await held(bob).waitFor({ state: 'detached' });
    await save(bob);
    await bob.showsText('First line: by Ann\nSecond line: by Bob');
    await save(ann);
    await ann.showsText('First line: by Ann\nSecond line: by Bob');
    await bob.typeAfter('First line:', ' and Bob');
    await save(bob);
    await save(ann);
    await ann.showsText('First line: and Bob by Ann\nSecond line: by Bob');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[EW11] the menu switches between fast and strict; what waited is sent, what was held back is shown', async () => {
    const key = newName('switched');
    const ann = await open(key, 'ann', 'fast');
    const bob = await open(key, 'bob', 'fast');
    await ann.choose('Together', 'Changes are shared when you save');
    await ann.typeAfter('First line:', ' quiet');
    await ann.showsSaving(/^Unsaved changes$/);
    await bob.typeAfter('Second line:', ' loud');
    await bob.saved();
    await held(bob).waitFor();
    expect(await bob.text()).toBe('First line:\nSecond line: loud');
    expect(await ann.text()).toBe('First line: quiet\nSecond line:');
    await ann.choose('Together', 'Everyone sees changes at once');
    for (const person of [ann, bob]) await person.showsText('First line: quiet\nSecond line: loud');
    await held(bob).waitFor({ state: 'detached' });
    await ann.showsSaving(/^Saved on the server$/);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[EW12] one works strictly and the other fast in one document', async () => {
    const key = newName('mixed');
    const ann = await open(key, 'ann', 'strict');
    const bob = await open(key, 'bob', 'fast');
    await bob.typeAfter('First line:', ' fast');
    await bob.saved();
    expect(await ann.text()).toBe('First line:\nSecond line:');
    await ann.typeAfter('Second line:', ' strict');
    await held(bob).waitFor();
    await bob.typeAfter('Second', ' in vain');
    await bob.showsNotice(/^ann is working on this paragraph$/);
    await bob.typeAfter('fast', 'er');
    await save(ann);
    for (const person of [ann, bob]) await person.showsText('First line: faster\nSecond line: strict');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[EW13] closing a strict editor’s page with unsaved changes warns, and they are there again afterwards', async () => {
    const key = newName('strict-left');
    const ann = await open(key, 'ann', 'strict');
    await ann.typeAfter('First line:', ' unsaved');
    await ann.showsSaving(/^Unsaved changes$/);
    expect((await ann.event('onDocumentStateChange')).data).toBe(true);
    const asked = new Promise<string>((resolve) => {
      ann.page.on('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      });
    });
    await ann.page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    const visit = {
      key,
      user: 'ann',
      sourceUrl: `${world.world.integrator.address}/files/${key}.docx`,
    };
    const again = await world.visit({ ...visit, context: ann.page.context() });
    await again.showsText('First line: unsaved\nSecond line:');
    await again.showsSaving(/^Saved on the server$/);
  });
});
