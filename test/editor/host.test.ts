import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { hostPages, named, seen } from './host-page.ts';

const pages = hostPages();
const { visit } = pages;

describe.skipIf(!hasBrowser)('what the editor tells its page', () => {
  it('[EH1] comes in order: ready, the document, the granted mode, unsent and sent changes', async () => {
    const editor = await visit();
    await editor.event('onInfo');
    const names = (await editor.events()).map(({ name }) => name);
    expect(names.indexOf('onAppReady')).toBe(0);
    expect(names.indexOf('onDocumentReady')).toBeGreaterThan(0);
    expect(await named(editor, 'onInfo')).toEqual([{ mode: 'edit' }]);
    await editor.typeAfter('First paragraph', '!');
    await editor.saved();
    expect(await seen(editor, 'onDocumentStateChange', 2)).toEqual([true, false]);
    expect(await named(editor, 'onError')).toEqual([]);
  });

  it('[EH6] closing is asked for by button, menu and page, and asks the person first when something is unsent', async () => {
    const editor = await visit({
      editorConfig: {
        coEditing: { mode: 'strict', change: true },
        customization: { close: { visible: true, text: 'Leave document' } },
      },
    });
    await editor.frame.getByRole('button', { name: 'Leave document' }).click();
    await seen(editor, 'onRequestClose', 1);
    await editor.choose('File', 'Close');
    await seen(editor, 'onRequestClose', 2);
    await editor.typeAfter('First paragraph', ' unsent');
    await editor.showsSaving(/Unsaved/);
    await editor.call('requestClose');
    const dialog = editor.frame.locator('dialog[open]');
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await named(editor, 'onRequestClose')).toHaveLength(2);
    await editor.call('requestClose');
    await dialog.getByRole('button', { name: 'Leave anyway' }).click();
    await seen(editor, 'onRequestClose', 3);
  });

  it('[EH12] a new configuration opens the newer document in the same editor', async () => {
    const editor = await visit({ events: ['onOutdatedVersion'] });
    const other = pages.world.world.integrator.serve('newer.docx', {
      bytes: buildDocx({ paragraphs: ['The newer text'] }),
    });
    const config = await pages.world.configOf({ key: newName('host'), user: 'ann', sourceUrl: other });
    await editor.call('refreshFile', config);
    await editor.showsText('The newer text');
    await seen(editor, 'onDocumentReady', 2);
    await editor.typeAfter('newer', '!');
    await editor.saved();
  });

  it('[EH13] the right to edit can be taken away and stays so; what was typed is not lost', async () => {
    const editor = await visit();
    await editor.typeAfter('First paragraph', ' kept');
    await editor.call('denyEditingRights', 'Your trial has ended');
    await editor.showsNotice(/Your trial has ended/);
    expect(await editor.frame.locator('.ProseMirror').getAttribute('contenteditable')).toBe('false');
    await editor.showsText(/First paragraph kept/);
  });
});
