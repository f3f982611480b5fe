import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { ann, bob, historyPages, listOf, marked, openHistory, versionText } from './history-page.ts';

const pages = historyPages();
const { serve, visit, second, compareWith } = pages;

describe.skipIf(!hasBrowser)('the version history', () => {
  it('[EH25] who changed what comes from the archive of changes, through the server, with the history’s token', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'One two three', 'Second paragraph');
    const first = await visit({ key: `${key}-v1`, sourceUrl: older });
    const other = await visit({ key: `${key}-v1`, sourceUrl: older, user: 'bob' });
    await first.typeAfter('One', ' anns');
    await first.saved();
    await other.showsText(/One anns/);
    await other.typeAfter('Second', ' bobs');
    await other.saved();
    await first.page.close();
    await other.page.close();
    const { integrator } = pages.world.world;
    const { body } = await integrator.waitForCallback(`${key}-v1`, ({ status }) => status === 2);
    const fetched = async (url: unknown) => new Uint8Array(await (await fetch(String(url))).arrayBuffer());
    const newer = integrator.serve(`${key}-2.docx`, { bytes: await fetched(body.url) });
    const changesUrl = integrator.serve(`${key}.zip`, { bytes: await fetched(body.changesurl) });
    const { changes } = body.history as { changes: object[] };
    expect(changes).toHaveLength(2);

    const editor = await visit({ key, sourceUrl: newer });
    await openHistory(editor, listOf(key, changes));
    await editor.frame.locator('.version').first().click();
    await editor.call('setHistoryData', await second(key, newer, older, { changesUrl }));
    await eventually(
      () => marked(editor),
      (marks) => marks.length > 0,
    );
    const marks = await marked(editor);
    expect(marks.find(([text]) => text?.includes('anns'))?.[1]).toBe('Added by ann');
    expect(marks.find(([text]) => text?.includes('bobs'))?.[1]).toBe('Added by bob');
    expect(integrator.downloadsOf(`${key}.zip`)).toBe(1);
  });

  it('[EH25] an archive that cannot be read, or is of something else, leaves the names out', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'One');
    const newer = serve(`${key}-2.docx`, 'One two');
    const archive = zipSync({
      'changes0.json': Buffer.from('["{}"]'),
      'changes1.json': Buffer.from('[1, null]'),
    });
    const changesUrl = pages.world.world.integrator.serve(`${key}.zip`, { bytes: archive });
    const editor = await visit({ key, sourceUrl: newer });
    const changes = [ann, bob].map((user) => ({ created: '2026-03-02 10:00:00', user }));
    await openHistory(editor, listOf(key, changes));
    await editor.frame.locator('.version').first().click();
    await editor.call('setHistoryData', await second(key, newer, older, { changesUrl }));
    await eventually(
      () => marked(editor),
      (marks) => marks.length > 0,
    );
    expect(await marked(editor)).toEqual([[' two', 'Added']]);
  });

  it('[EH26] a version that cannot be shown says why in the list, and another can be chosen', async () => {
    const key = newName('history');
    const newer = serve(`${key}-2.docx`, 'The text');
    const editor = await visit({ key, sourceUrl: newer });
    await editor.call('refreshHistory', { error: 'History is not available now' });
    await editor.showsNotice(/History is not available now/);
    await openHistory(editor, listOf(key));
    const panel = editor.frame.locator('.side-panel');
    const problem = panel.locator('.version-problem');
    const [current, first] = [panel.locator('.version').first(), panel.locator('.version').last()];
    await first.click();
    await editor.call('setHistoryData', { version: 1, error: 'This file was archived' });
    expect(await problem.textContent()).toBe('This file was archived');
    await first.click();
    const gone = { version: 1, key: `${key}-v1`, fileType: 'docx', url: `${newer}-missing` };
    await editor.call('setHistoryData', { ...gone, token: await pages.world.world.sign(gone) });
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/cannot be shown\. ./);
    await first.click();
    await editor.call('setHistoryData', { ...gone, url: newer, token: 'not.a.token' });
    await problem.waitFor();
    await current.click();
    const { previous: _none, ...data } = await second(key, newer, newer);
    await editor.call('setHistoryData', data);
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The text') === true,
    );
    expect(await problem.count()).toBe(0);
  });

  it('[EH27] a reader restores nothing', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'Old text');
    const editor = await visit({ key, sourceUrl: older, editorConfig: { mode: 'view' } });
    await openHistory(editor, listOf(key));
    await editor.frame.locator('.version').last().click();
    const data = { version: 1, key: `${key}-v1`, fileType: 'docx', url: older };
    await editor.call('setHistoryData', { ...data, token: await pages.world.world.sign(data) });
    await eventually(
      () => editor.frame.locator('.desk:not([hidden]) .ProseMirror').count(),
      (count) => count === 1,
    );
    expect(await editor.frame.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
  });

  it('[HB20] versions as texts, as libraries of other languages write them, are listed, shown and restored', async () => {
    const key = newName('history');
    const older = serve(`${key}-1.docx`, 'The house is red');
    const newer = serve(`${key}-2.docx`, 'The house is blue');
    const editor = await visit({ key, sourceUrl: newer });
    const version = (number: string) => ({
      version: number,
      key: `${key}-v${number}`,
      created: '2026-03-02 10:00:00',
      user: null,
      changes: null,
      serverVersion: null,
    });
    await openHistory(editor, {
      currentVersion: '10',
      history: [version('9'), version('10'), { ...version(''), version: null }],
    });
    const panel = editor.frame.locator('.side-panel');
    expect(await panel.locator('.version strong').allTextContents()).toEqual([
      'Version 10 · current',
      'Version 9',
    ]);
    await panel.locator('.version').last().click();
    expect((await editor.event('onRequestHistoryData')).data).toBe('9');
    const { version: _number, ...data } = await second(key, older, older);
    await editor.call('setHistoryData', {
      ...data,
      version: 9,
      previous: null,
      error: null,
      changesUrl: null,
      key: `${key}-v9`,
      token: await pages.world.world.sign({ version: '9', key: `${key}-v9`, url: older, previous: null }),
    });
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The house is red') === true,
    );
    await editor.frame.getByRole('button', { name: 'Restore this version' }).click();
    await editor.frame.locator('dialog[open]').getByRole('button', { name: 'Restore', exact: true }).click();
    expect((await editor.event('onRequestRestore')).data).toEqual({ version: '9' });
    expect(editor.warnings.join('\n')).toMatch(
      /history\[2\] is left out: .*history\[2\]\.version is missing/,
    );
  });

  it('[HB23] the page is told when history is closed, whether a version was restored or not', async () => {
    const key = newName('history');
    const editor = await visit({ key, sourceUrl: serve(`${key}.docx`, 'The text') });
    const closings = async () =>
      (await editor.events()).filter(({ name }) => name === 'onRequestHistoryClose').length;
    for (const [times, name] of [/^Close$/, 'Back to the document'].entries()) {
      await openHistory(editor, listOf(key));
      expect(await closings()).toBe(times);
      await editor.frame.locator('.side-panel').getByRole('button', { name }).click();
      await eventually(closings, (count) => count === times + 1);
    }
    // Another panel in its place closes it too: a version would stay without a way back.
    await openHistory(editor, listOf(key));
    await editor.frame.locator('.version').first().click();
    await editor.frame.getByRole('button', { name: 'People' }).click();
    await eventually(closings, (count) => count === 3);
    await editor.typeAfter('The text', ' goes on');
    await editor.saved();
  });
});

describe.skipIf(!hasBrowser)('comparing with another file', () => {
  it('[HB26] pages of old are asked by onRequestCompareFile and answer by setRevisedFile; another panel ends it', async () => {
    const key = newName('compare');
    const own = serve(`${key}-1.docx`, 'One');
    const editor = await visit({ key, sourceUrl: own, events: ['onRequestCompareFile'] });
    await editor.choose('Review', 'Compare with another file…');
    await editor.event('onRequestCompareFile');
    await compareWith(editor, 'setRevisedFile', serve(`${key}-2.docx`, 'One two'));
    await eventually(
      () => marked(editor),
      (marks) => marks.length === 1,
    );
    await editor.frame.getByRole('button', { name: 'People' }).click();
    await editor.typeAfter('One', ' more');
    await editor.saved();
  });

  it('[HB27] a file that cannot be shown says why, also with the token of another one; what is not comparing says that it is not there', async () => {
    const key = newName('compare');
    const own = serve(`${key}-1.docx`, 'One');
    const editor = await visit({ key, sourceUrl: own, events: ['onRequestSelectDocument'] });
    await compareWith(editor, 'setRequestedDocument', own, { c: 'insert-text' });
    await editor.showsNotice(/not combined or inserted/);
    const problem = editor.frame.locator('.version-problem');
    await compareWith(editor, 'setRequestedDocument', `${own}-missing`);
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/^The other file cannot be shown\. ./);
    await editor.frame.getByRole('button', { name: 'Back to the document' }).click();
    await problem.waitFor({ state: 'detached' });
    await editor.call('setRequestedDocument', { fileType: 'docx', url: own, token: 'not.a.token' });
    await problem.waitFor();
    // The token says which file is read, whatever the page says beside it.
    const signed = { fileType: 'docx', url: serve(`${key}-3.docx`, 'The signed one') };
    const token = await pages.world.world.sign(signed);
    await editor.call('setRequestedDocument', { fileType: 'docx', url: own, token });
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The signed one') === true,
    );
  });

  it('[HB27] without a handler of the page nothing is offered', async () => {
    const key = newName('compare');
    const editor = await visit({ key, sourceUrl: serve(`${key}.docx`, 'One') });
    await editor.frame.getByRole('button', { name: 'Review', exact: true }).click();
    await editor.frame.getByRole('menuitem', { name: 'Accept all' }).waitFor();
    expect(await editor.frame.getByText('Compare with another file…').count()).toBe(0);
  });
});
