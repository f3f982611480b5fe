import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { hostPages, named, seen } from './host-page.ts';

const pages = hostPages();
const { visit } = pages;

describe.skipIf(!hasBrowser)('what the editor tells its page', () => {
  it.for([
    ['view', { edit: false }, 'view'],
    ['comment', { edit: false, comment: true }, 'edit'],
  ] as const)('[EH1] the mode of somebody who may %s is %s', async ([, permissions, mode]) => {
    const editor = await visit({ permissions: { ...permissions } });
    expect((await editor.event('onInfo')).data).toEqual({ mode });
  });

  it('[EH2] a person who saves by hand is told, and the page, that others have saved', async () => {
    const key = newName('host');
    const editorConfig = { coEditing: { mode: 'strict', change: true } };
    const ann = await visit({ key, editorConfig, events: ['onCollaborativeChanges'] });
    const bob = await visit({ key, user: 'bob' });
    await bob.typeAfter('First paragraph', ' by Bob');
    await bob.saved();
    await ann.event('onCollaborativeChanges');
    expect(await ann.text()).not.toContain('by Bob');
    await ann.frame.getByRole('button', { name: 'Save and show' }).click();
    await ann.showsText(/First paragraph by Bob/);
  });

  it('[EH2] without saving by itself the document is saved by hand', async () => {
    const ann = await visit({ editorConfig: { customization: { autosave: false } } });
    await ann.typeAfter('First paragraph', '?');
    await ann.showsSaving(/Unsaved changes/);
    await ann.page.keyboard.press('Control+s');
    await ann.showsSaving(/Saved on the server|Stored/);
  });

  it('[EH3] rename: by a press on the title; the new name comes back to everybody by the server', async () => {
    const key = newName('host');
    const editor = await visit({ key });
    await editor.frame.getByRole('button', { name: `${key}.docx` }).click();
    const field = editor.frame.locator('dialog input[name=name]');
    expect(await field.inputValue()).toBe(key);
    await field.fill('New name');
    await editor.frame.locator('dialog').getByRole('button', { name: 'Rename' }).click();
    expect((await editor.event('onRequestRename')).data).toBe('New name');
    await pages.world.world.command({ c: 'meta', key, meta: { title: 'New name.docx' } });
    expect((await editor.event('onMetaChange')).data).toEqual({ title: 'New name.docx' });
    await eventually(
      () => editor.frame.locator('.title-bar h1').textContent(),
      (text) => text === 'New name.docx',
    );
  });

  it('[EH4] the star is there when the page has favorites, and told when pressed; the page may correct it', async () => {
    const editor = await visit({ document: { info: { favorite: false } } });
    const star = editor.frame.getByRole('button', { name: 'Favourite' });
    await star.click();
    expect((await editor.event('onMetaChange')).data).toEqual({ favorite: true });
    expect(await star.getAttribute('aria-pressed')).toBe('true');
    await editor.call('setFavorite', false);
    await eventually(
      () => star.getAttribute('aria-pressed'),
      (pressed) => pressed === 'false',
    );
    // Being told is no change to tell of: a page that answers each with setFavorite would never end.
    expect(await named(editor, 'onMetaChange')).toHaveLength(1);
    const without = await visit();
    expect(await without.frame.getByRole('button', { name: 'Favourite' }).count()).toBe(0);
  });

  it('[EH5] a reader may ask to edit; somebody who edits has nothing to ask', async () => {
    const reader = await visit({ editorConfig: { mode: 'view' } });
    await reader.frame.locator('.edit-rights').click();
    await reader.event('onRequestEditRights');
    await reader.call('showMessage', 'Ask the owner');
    await reader.showsNotice(/Ask the owner/);
    const editor = await visit();
    expect(await editor.frame.locator('.edit-rights').count()).toBe(0);
  });

  it('[EH6] what is just being typed is sent without a question', async () => {
    const editor = await visit();
    await editor.typeAfter('First paragraph', ' quick');
    await editor.call('requestClose');
    await seen(editor, 'onRequestClose', 1);
    expect(await editor.frame.locator('dialog[open]').count()).toBe(0);
    expect((await named(editor, 'onDocumentStateChange')).at(-1)).toBe(false);
  });

  it('[EH7] copies: for the page by method, to be stored elsewhere by menu; both have what was just typed', async () => {
    const editor = await visit();
    await editor.typeAfter('First paragraph', ' with more');
    await editor.call('downloadAs');
    const { data } = await editor.event('onDownloadAs');
    expect(data).toEqual({ url: expect.any(String), fileType: 'docx' });
    await editor.choose('File', 'Save a copy');
    const copy = (await editor.event('onRequestSaveAs')).data as { url: string };
    expect(copy).toMatchObject({ title: expect.stringMatching(/\.docx$/), fileType: 'docx' });
    for (const url of [(data as { url: string }).url, copy.url]) {
      const file = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(file.subarray(0, 2).toString()).toBe('PK');
    }
    await editor.call('downloadAs', 'xyz');
    await editor.showsNotice(/cannot make that format/);
  });

  it('[EH8] new documents, templates and recent ones are offered as the page has them', async () => {
    const page = (title: string) => ({
      title,
      url: pages.world.world.integrator.serve(title, {
        bytes: Buffer.from('A page'),
        contentType: 'text/html',
      }),
    });
    const editor = await visit({
      events: ['onRequestCreateNew'],
      editorConfig: {
        templates: [{ image: '', ...page('Letter') }],
        recent: [{ folder: 'Plans', ...page('Garden.docx') }],
      },
    });
    await editor.choose('File', 'New document');
    await editor.event('onRequestCreateNew');
    const opened = editor.page.context().waitForEvent('page');
    await editor.choose('File', 'Garden.docx – Plans');
    await (await opened).waitForURL(/Garden\.docx$/);
    const letter = editor.page.context().waitForEvent('page');
    await editor.choose('File', 'New from “Letter”');
    await (await letter).waitForURL(/Letter$/);
  });

  it('[EH9] sharing: the page’s own dialog by menu, and its list of who has access', async () => {
    const editor = await visit({
      events: ['onRequestSharingSettings'],
      document: { info: { sharingSettings: [{ user: 'Bob', permissions: 'Full access' }] } },
    });
    await editor.choose('File', 'Who has access');
    const dialog = editor.frame.locator('dialog[open]');
    expect(await dialog.locator('li').allTextContents()).toEqual(['BobFull access']);
    await dialog.getByRole('button', { name: 'Change access' }).click();
    await editor.event('onRequestSharingSettings');
    const sharingSettings = [{ user: 'Everybody', permissions: 'Read only', isLink: true }];
    await editor.call('showSharingSettings', { sharingSettings });
    await eventually(
      () => dialog.locator('li').allTextContents(),
      (items) => items[0] === 'Everybody (by link)Read only',
    );
  });

  it('[EH10] people’s pictures are asked for once and shown; one of no web address is not', async () => {
    const key = newName('host');
    const ann = await visit({ key });
    const bob = await visit({ key, user: 'bob' });
    const asked = (await ann.event('onRequestUsers')).data as { c: string; id: string[] };
    expect(asked.c).toBe('info');
    const image = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await ann.call('setUsers', { c: 'info', users: [{ id: 'bob', name: 'Bob', image }] });
    await eventually(
      () => ann.frame.locator('.avatars img').count(),
      (count) => count === 1,
    );
    await bob.call('setUsers', {
      c: 'info',
      users: [{ id: 'ann', name: 'Ann', image: 'javascript:alert(1)' }],
    });
    expect(await bob.frame.locator('.avatars img').count()).toBe(0);
    const ids = (await named(ann, 'onRequestUsers')).flatMap((one) => (one as { id: string[] }).id);
    expect(ids.sort()).toEqual([...new Set(ids)].sort());
  });

  it('[EH11] links to places: made from bookmark or heading, copied, and followed when the document is opened', async () => {
    const key = newName('host');
    const editor = await visit({ key, events: ['onMakeActionLink'] });
    await editor.placeCursor('First paragraph');
    await editor.choose('Insert', 'Copy link to this place');
    expect((await editor.event('onMakeActionLink')).data).toEqual({
      action: { type: 'bookmark', data: 'Chapter one' },
    });
    await editor.placeCursor('The target paragraph');
    await editor.choose('Insert', 'Copy link to this place');
    const [, action] = (await seen(editor, 'onMakeActionLink', 2)) as { action: object }[];
    expect(action).toEqual({ action: { type: 'bookmark', data: 'target' } });
    await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await editor.page.bringToFront();
    await editor.call('setActionLink', 'https://host.test/doc?place=target');
    await editor.showsNotice(/link is copied|https:\/\/host\.test/);

    const scrolled = await visit({ key, user: 'bob', editorConfig: { actionLink: action } });
    await eventually(
      () => scrolled.frame.evaluate(() => document.querySelector('.desk')!.scrollTop),
      (top) => top > 300,
    );
    const lost = await visit({
      key,
      user: 'cem',
      editorConfig: { actionLink: { action: { type: 'bookmark', data: 'nowhere' } } },
    });
    await lost.showsNotice(/no longer in this document/);
  });

  it('[EH14] focus comes and goes as the page says; what is not for a text document does no harm', async () => {
    const editor = await visit();
    const hasFocus = () =>
      editor.frame.evaluate(() => document.activeElement?.classList.contains('ProseMirror') ?? false);
    await editor.call('grabFocus');
    await eventually(hasFocus, (has) => has);
    await editor.call('blurFocus');
    await eventually(hasFocus, (has) => !has);
    const harmless: [string, ...unknown[]][] = [
      ['setRequestedDocument', { c: 'compare', url: pages.source, fileType: 'docx' }],
      ['setRequestedSpreadsheet', { url: pages.source, fileType: 'xlsx' }],
      ['setRevisedFile', { url: pages.source, fileType: 'docx' }],
      ['setMailMergeRecipients', { url: pages.source, fileType: 'xlsx' }],
      ['setReferenceData', { error: 'no' }],
      ['setReferenceSource', null],
      ['setEmailAddresses', [1]],
      ['processMailMerge', true],
      ['startFilling', true],
      ['requestRoles'],
      ['serviceCommand', 'unknown', { any: 'thing' }],
      ['setActionLink', ''],
      ['setUsers', null],
      ['setFavorite', 'x'],
      ['refreshHistory', null],
      ['setHistoryData', 'x'],
      ['insertImage', { images: 'x' }],
      ['attachMouseEvents'],
      ['detachMouseEvents'],
    ];
    for (const [name, ...given] of harmless) await editor.call(name, ...given);
    await editor.typeAfter('First paragraph', ' still');
    await editor.saved();
    expect(editor.problems).toEqual([]);
    await editor.call('destroyEditor');
    expect(await editor.page.locator('#place').count()).toBe(1);
    expect(await editor.page.locator('iframe').count()).toBe(0);
  });
});
