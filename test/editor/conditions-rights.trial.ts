import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

interface HostPage {
  editor: { denyEditingRights(message?: string): void };
}

describe.skipIf(!hasBrowser)('what changes under the editor’s feet', () => {
  let world: EditorWorld<QuireProcess>;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    world = await EditorWorld.openOwn();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await world?.close();
  });

  const visitOf = (key: string, more: Partial<EditorVisit> = {}): EditorVisit => {
    const bytes = buildDocx({ paragraphs: ['First line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return { key, user: 'ann', sourceUrl, ...more };
  };
  const profile = async (): Promise<BrowserContext> => {
    const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
    contexts.push(context);
    return context;
  };
  /** Has what the server says be something else for a person. */
  const rewriteMessages = (context: BrowserContext, rewrite: (text: string) => string) =>
    context.routeWebSocket(/\/doc\//, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(rewrite(String(message))));
    });
  const deny = ({ page }: EditorPage, message?: string) =>
    page.evaluate((said) => (globalThis as unknown as HostPage).editor.denyEditingRights(said), message);
  const isEditable = (person: EditorPage) =>
    person.frame.locator('.ProseMirror').getAttribute('contenteditable');

  it('[EW20] when the page takes the right to edit away, a sentence says so and what was typed is kept', async () => {
    const key = newName('denied');
    const { quire } = world.world;
    const ann = await world.visit(visitOf(key));
    await ann.typeAfter('First line:', ' before');
    await ann.saved();
    await quire.kill();
    try {
      await ann.page.keyboard.type(' kept');
      await deny(ann, 'Your right has ended.');
      await ann.showsNotice(/^Your right has ended\.$/);
      expect(await isEditable(ann)).toBe('false');
      expect(await ann.frame.locator('.format-toolbar').count()).toBe(0);
      await ann.page.keyboard.type(' in vain');
    } finally {
      await quire.restart();
    }
    await ann.saved();
    expect(await ann.text()).toBe('First line: before kept');
    const bob = await world.visit({ ...visitOf(key), user: 'bob' });
    expect(await bob.text()).toBe('First line: before kept');
  });

  it('[EW20] in strict mode what was not saved yet is saved when the right is taken away', async () => {
    const key = newName('denied-strict');
    const editorConfig = { coEditing: { mode: 'strict', change: true } };
    const ann = await world.visit(visitOf(key, { editorConfig }));
    await ann.typeAfter('First line:', ' unsaved');
    await ann.showsSaving(/^Unsaved changes$/);
    await deny(ann);
    await ann.showsNotice(/^You may no longer change this document$/);
    await eventually(
      async () =>
        (await ann.events()).filter(({ name }) => name === 'onDocumentStateChange').map(({ data }) => data),
      (states) => states.at(-1) === false,
    );
    const bob = await world.visit({ ...visitOf(key), user: 'bob' });
    expect(await bob.text()).toBe('First line: unsaved');
    expect(ann.problems).toEqual([]);
  });

  it('[EW21] who is dropped is told, can copy what was not sent, and goes on with it after opening again', async () => {
    const key = newName('dropped');
    const editorConfig = { coEditing: { mode: 'strict', change: true } };
    const context = await profile();
    const visit = visitOf(key, { editorConfig, context });
    const ann = await world.visit(visit);
    await ann.typeAfter('First line:', ' unsaved');
    await ann.showsSaving(/^Unsaved changes$/);
    expect(await world.world.command({ c: 'drop', key, users: ['ann'] })).toMatchObject({
      error: 0,
    });
    const dialog = ann.frame.getByRole('dialog', { name: 'Text that was not sent' });
    await dialog.waitFor();
    expect(await dialog.locator('textarea').inputValue()).toContain('unsaved');
    await ann.page.keyboard.press('Escape');
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -100 });
    await ann.showsNotice(
      /^Your session in this document was ended\. Open it again from where you found it\.$/,
    );
    expect(await ann.savingStatus()).toBe('Disconnected');
    expect(await isEditable(ann)).toBe('false');
    const { problems } = ann;
    await ann.page.close();
    const again = await world.visit(visit);
    await again.showsSaving(/^Unsaved changes$/);
    expect(await isEditable(again)).toBe('true');
    expect(await again.text()).toBe('First line: unsaved');
    await again.frame.locator('.ProseMirror').focus();
    await again.page.keyboard.press('Control+s');
    await again.showsSaving(/^(?:Saved on the server|Stored)$/);
    expect([...problems, ...again.problems]).toEqual([]);
  });

  it('[EW22] a server of another version: a sentence, and a reload that helps', async () => {
    const key = newName('other-server');
    const context = await profile();
    let isOther = true;
    await rewriteMessages(context, (text) =>
      isOther ? text.replace(/"quireVersion":"[^"]*"/g, '"quireVersion":"99.0.0.1"') : text,
    );
    const ann = await world.visit(visitOf(key, { context }));
    await ann.showsNotice(/^The server runs another version of the editor\. Load the page again to go on\.$/);
    await ann.typeAfter('First line:', ' typed');
    await ann.showsText('First line: typed');
    await ann.saved();
    // The document stays open, however long the page takes to load again: its integrator has the file of before.
    await world.visit({ ...visitOf(key), user: 'bob' });
    isOther = false;
    await ann.frame.locator('.notices').getByRole('button', { name: 'Reload' }).click();
    await eventually(
      async () => (await ann.events()).filter(({ name }) => name === 'onDocumentReady').length,
      (count) => count === 2,
    );
    await ann.showsText('First line: typed');
    expect(await ann.notices()).toEqual([]);
    expect(ann.problems).toEqual([]);
  });

  it('[XE95] a page whose later parts the server no longer has is asked to load again, and has them then', async () => {
    const key = newName('other-files');
    const context = await profile();
    let isUpgraded = true;
    // The files of another version have other names: those that this page asks for from now on are not there.
    await context.route(/\/assets\/(?:shortcuts-dialog|index-)[^/]*$/, (route) => {
      const isAskedLater = route.request().method() === 'HEAD' || route.request().url().includes('dialog');
      return isUpgraded && isAskedLater ? route.fulfill({ status: 404 }) : route.continue();
    });
    const ann = await world.visit(visitOf(key, { context }));
    await ann.choose('Help', 'Keyboard shortcuts');
    await ann.showsNotice(/^The server runs another version of the editor\. Load the page again to go on\.$/);
    await ann.typeAfter('First line:', ' typed');
    await ann.saved();
    isUpgraded = false;
    await ann.frame.locator('.notices').getByRole('button', { name: 'Reload' }).click();
    await eventually(
      async () => (await ann.events()).filter(({ name }) => name === 'onDocumentReady').length,
      (count) => count === 2,
    );
    await ann.showsText('First line: typed');
    await ann.choose('Help', 'Keyboard shortcuts');
    await ann.frame.locator('dialog').waitFor();
    expect(await ann.notices()).toEqual([]);
  });

  it('[EW22] a document of another version of the model is not opened wrongly', async () => {
    const key = newName('other-model');
    const context = await profile();
    let isOther = true;
    // A small model comes with the answer to the opening.
    await rewriteMessages(context, (text) =>
      isOther ? text.replace(/\\"version\\":\d+/, '\\"version\\":99') : text,
    );
    const ann = await world.visit(visitOf(key, { context }));
    expect(await ann.frame.locator('.notice-sentence').textContent()).toBe(
      'The server runs another version of the editor. Load the page again to go on.',
    );
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -82 });
    isOther = false;
    await ann.frame.getByRole('button', { name: 'Reload' }).click();
    await ann.event('onDocumentReady');
    await ann.showsText('First line:');
  });

  it('[EW30] a server that does not answer is said on the opening screen, and the document comes when it does', async () => {
    const key = newName('silent');
    const context = await profile();
    let answers = false;
    await context.routeWebSocket(/\/doc\//, (socket) => {
      if (answers) socket.connectToServer();
      else void socket.close({ code: 1_011 });
    });
    const ann = await world.start(visitOf(key, { context }));
    await eventually(
      async () => ann.page.frames().length,
      (count) => count === 2,
    );
    await ann.frame.getByText('The server does not answer. Still trying…').waitFor();
    answers = true;
    await ann.event('onDocumentReady');
    await ann.showsText('First line:');
    expect((await ann.events()).filter(({ name }) => name === 'onError')).toEqual([]);
  });

  it('[EW31] who is offline is told at once that nothing can be downloaded now', async () => {
    const key = newName('no-download');
    const { quire } = world.world;
    const ann = await world.visit(visitOf(key));
    await quire.kill();
    try {
      await ann.showsSaving(/^(?:Reconnecting|Offline)/);
      await ann.choose('File', 'Download');
      await ann.showsNotice(/^There is no connection to the server\. Try again when you are online\.$/);
    } finally {
      await quire.restart();
    }
    await ann.saved();
    const download = ann.page.waitForEvent('download');
    await ann.choose('File', 'Download');
    expect((await download).url()).toContain(world.world.quire.address);
  });
});
