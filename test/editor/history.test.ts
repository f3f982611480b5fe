import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { ann, historyPages, listOf, marked, openHistory } from './history-page.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

const pages = historyPages();
const { serve, visit, second, compareWith } = pages;

describe.skipIf(!hasBrowser)('the version history', () => {
  it('[EH24] lists versions by day; one is shown beside the list with its changes, while the document stays open', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'The house is red', 'It has a door');
    const newer = serve(`${key}-2.docx`, 'The house is blue', 'It has a door', 'And a garden');
    const editor = await visit({ key, sourceUrl: newer });
    await editor.typeAfter('blue', ' today');
    await editor.saved();
    await openHistory(editor, listOf(key, [{ created: '2026-03-02 10:00:00', user: ann }]));
    const panel = editor.frame.locator('.side-panel');
    await expect
      .poll(() => panel.locator('h3').allTextContents())
      .toEqual(['Monday, March 2, 2026', 'Sunday, March 1, 2026']);
    await expect
      .poll(() => panel.locator('.version').first().textContent())
      .toMatch(/Version 2 · current.*Ann/);
    await panel.locator('.version').first().click();
    expect((await editor.event('onRequestHistoryData')).data).toBe(2);
    await editor.call('setHistoryData', await second(key, newer, older));
    await eventually(
      () => marked(editor),
      (marks) => marks.length > 0,
    );
    expect(await marked(editor)).toEqual([
      ['red', 'Deleted by Ann'],
      ['blue', 'Added by Ann'],
      ['And a garden', 'Added by Ann'],
    ]);
    await expect.poll(() => panel.textContent()).toContain('3 changes are marked');
    if (shots) await editor.page.screenshot({ path: `${shots}/H-history.png` });
    // Nothing that changes the document is within reach meanwhile.
    expect(await editor.frame.locator('.format-toolbar, .menu-bar').count()).toBe(0);
    expect(
      await editor.frame.locator('.desk:not([hidden]) .ProseMirror').getAttribute('contenteditable'),
    ).toBe('false');
    await editor.frame.getByRole('button', { name: 'Back to the document' }).click();
    await editor.showsText(/The house is blue today/);
    await editor.typeAfter('blue today', ' and tomorrow');
    await editor.saved();
    expect(editor.problems).toEqual([]);
  });

  it('[EH27] a version is restored when the person confirms it; afterwards the page is asked for the document', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'Old text');
    const editor = await visit({ key, sourceUrl: serve(`${key}-2.docx`, 'New text') });
    await openHistory(editor, listOf(key));
    await editor.frame.locator('.version').last().click();
    const data = { version: 1, key: `${key}-v1`, fileType: 'docx', url: older };
    await editor.call('setHistoryData', { ...data, token: await pages.world.world.sign(data) });
    const restore = editor.frame.getByRole('button', { name: 'Restore this version' });
    await restore.click();
    await editor.frame.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
    const told = async (name: string) => (await editor.events()).filter((event) => event.name === name);
    expect(await told('onRequestRestore')).toEqual([]);
    await restore.click();
    await editor.frame.locator('dialog[open]').getByRole('button', { name: 'Restore', exact: true }).click();
    expect((await editor.event('onRequestRestore')).data).toEqual({ version: 1 });
    expect(await told('onRequestHistoryClose')).toEqual([]);
    await editor.frame.getByRole('button', { name: 'Back to the document' }).click();
    await editor.event('onRequestHistoryClose');
  });
});

describe.skipIf(!hasBrowser)('comparing with another file', () => {
  it('[HB26] the page is asked for a file, which is shown with the differences marked while the document stays as it is', async () => {
    const key = newName('compare');
    const own = serve(`${key}-1.docx`, 'The house is red', 'It has a door');
    const other = serve(`${key}-2.docx`, 'The house is blue', 'It has a door', 'And a garden');
    const editor = await visit({
      key,
      sourceUrl: own,
      events: ['onRequestSelectDocument', 'onRequestCompareFile'],
    });
    await editor.choose('Review', 'Compare with another file…');
    expect((await editor.event('onRequestSelectDocument')).data).toEqual({ c: 'compare' });
    await compareWith(editor, 'setRequestedDocument', other, { c: 'compare' });
    await eventually(
      () => marked(editor),
      (marks) => marks.length === 3,
    );
    expect(await marked(editor)).toEqual([
      ['red', 'Deleted'],
      ['blue', 'Added'],
      ['And a garden', 'Added'],
    ]);
    await expect
      .poll(() => editor.frame.locator('.side-panel').textContent())
      .toContain('3 differences are marked');
    expect(
      await editor.frame.locator('.desk:not([hidden]) .ProseMirror').getAttribute('contenteditable'),
    ).toBe('false');
    if (shots) await editor.page.screenshot({ path: `${shots}/H-comparison.png` });
    await editor.frame.getByRole('button', { name: 'Back to the document' }).click();
    await editor.typeAfter('The house is red', ' today');
    await editor.saved();
    await editor.showsText(/The house is red today/);
    expect(editor.problems).toEqual([]);
  });
});
