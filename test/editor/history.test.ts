import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/scene.ts';
import { type EditorPage, type EditorVisit, EditorWorld, hasBrowser } from './editor-world.ts';

let world: EditorWorld;
let keys = 0;
/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

beforeAll(async () => {
  if (hasBrowser) world = await EditorWorld.open();
}, 90_000);
afterAll(() => world?.close());

const events = ['onRequestHistory', 'onRequestHistoryData', 'onRequestRestore', 'onRequestHistoryClose'];
const serve = (name: string, ...paragraphs: string[]) =>
  world.world.integrator.serve(name, { bytes: buildDocx({ paragraphs }) });
const visit = (more: Partial<EditorVisit> & Pick<EditorVisit, 'key' | 'sourceUrl'>) =>
  world.visit({ user: 'ann', events, ...more });

const ann = { id: 'ann', name: 'Ann' };
const bob = { id: 'bob', name: 'Bob' };

/** The list of a page with two versions; the second is the document that is open. */
const listOf = (key: string, changes: object[] = []) => ({
  currentVersion: 2,
  history: [
    { version: 1, key: `${key}-v1`, created: '2026-03-01 09:00:00', user: bob },
    { version: 2, key, created: '2026-03-02 10:00:00', user: ann, changes, serverVersion: '9.3.0' },
  ],
});

/** What the page says of version 2, signed. */
async function second(key: string, url: string, olderUrl: string, more: object = {}) {
  const data = {
    version: 2,
    key: `${key}-v2`,
    fileType: 'docx',
    url,
    previous: { key: `${key}-v1`, fileType: 'docx', url: olderUrl },
    ...more,
  };
  return { ...data, token: await world.world.sign(data) };
}

const versionText = (editor: EditorPage) =>
  editor.frame.locator('.desk:not([hidden]) .ProseMirror').textContent();
const marked = (editor: EditorPage) =>
  editor.frame
    .locator('.version-inserted, .version-deleted')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('title')]));

async function openHistory(editor: EditorPage, list: object): Promise<void> {
  await editor.choose('File', 'Version history');
  await editor.event('onRequestHistory');
  await editor.call('refreshHistory', list);
  await editor.frame.locator('.version').first().waitFor();
}

describe.skipIf(!hasBrowser)('the version history', () => {
  it('[EH24] lists versions by day; one is shown beside the list with its changes, while the document stays open', async () => {
    const key = `history-${keys++}`;
    const older = serve(`${key}-1.docx`, 'The house is red', 'It has a door');
    const newer = serve(`${key}-2.docx`, 'The house is blue', 'It has a door', 'And a garden');
    const editor = await visit({ key, sourceUrl: newer });
    await editor.typeAfter('blue', ' today');
    await editor.saved();
    await openHistory(editor, listOf(key, [{ created: '2026-03-02 10:00:00', user: ann }]));
    const panel = editor.frame.locator('.side-panel');
    expect(await panel.locator('h3').allTextContents()).toEqual([
      'Monday, March 2, 2026',
      'Sunday, March 1, 2026',
    ]);
    expect(await panel.locator('.version').first().textContent()).toMatch(/Version 2 · current.*Ann/);
    await panel.locator('.version').first().click();
    expect((await editor.event('onRequestHistoryData')).data).toBe(2);
    await editor.call('setHistoryData', await second(key, newer, older));
    await eventually(
      () => marked(editor),
      (marks) => marks.length > 0,
      20_000,
    );
    expect(await marked(editor)).toEqual([
      ['red', 'Deleted by Ann'],
      ['blue', 'Added by Ann'],
      ['And a garden', 'Added by Ann'],
    ]);
    expect(await panel.textContent()).toContain('3 changes are marked');
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

  it('[EH25] who changed what comes from the archive of changes, through the server, with the history’s token', async () => {
    const key = `history-${keys++}`;
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
    const { integrator } = world.world;
    const { body } = await integrator.waitForCallback(`${key}-v1`, ({ status }) => status === 2, 30_000);
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
      20_000,
    );
    const marks = await marked(editor);
    expect(marks.find(([text]) => text?.includes('anns'))?.[1]).toBe('Added by ann');
    expect(marks.find(([text]) => text?.includes('bobs'))?.[1]).toBe('Added by bob');
    expect(integrator.downloadsOf(`${key}.zip`)).toBe(1);
  });

  it('[EH25] an archive that cannot be read, or is of something else, leaves the names out', async () => {
    const key = `history-${keys++}`;
    const older = serve(`${key}-1.docx`, 'One');
    const newer = serve(`${key}-2.docx`, 'One two');
    const archive = zipSync({
      'changes0.json': Buffer.from('["{}"]'),
      'changes1.json': Buffer.from('[1, null]'),
    });
    const changesUrl = world.world.integrator.serve(`${key}.zip`, { bytes: archive });
    const editor = await visit({ key, sourceUrl: newer });
    const changes = [ann, bob].map((user) => ({ created: '2026-03-02 10:00:00', user }));
    await openHistory(editor, listOf(key, changes));
    await editor.frame.locator('.version').first().click();
    await editor.call('setHistoryData', await second(key, newer, older, { changesUrl }));
    await eventually(
      () => marked(editor),
      (marks) => marks.length > 0,
      20_000,
    );
    expect(await marked(editor)).toEqual([[' two', 'Added']]);
  });

  it('[EH26] a version that cannot be shown says why in the list, and another can be chosen', async () => {
    const key = `history-${keys++}`;
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
    await editor.call('setHistoryData', { ...gone, token: await world.world.sign(gone) });
    await problem.waitFor({ timeout: 20_000 });
    expect(await problem.textContent()).toMatch(/cannot be shown\. ./);
    await first.click();
    await editor.call('setHistoryData', { ...gone, url: newer, token: 'not.a.token' });
    await problem.waitFor({ timeout: 20_000 });
    await current.click();
    const { previous: _none, ...data } = await second(key, newer, newer);
    await editor.call('setHistoryData', data);
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The text') === true,
      20_000,
    );
    expect(await problem.count()).toBe(0);
  });

  it('[EH27] a version is restored when the person confirms it; afterwards the page is asked for the document', async () => {
    const key = `history-${keys++}`;
    const older = serve(`${key}-1.docx`, 'Old text');
    const editor = await visit({ key, sourceUrl: serve(`${key}-2.docx`, 'New text') });
    await openHistory(editor, listOf(key));
    await editor.frame.locator('.version').last().click();
    const data = { version: 1, key: `${key}-v1`, fileType: 'docx', url: older };
    await editor.call('setHistoryData', { ...data, token: await world.world.sign(data) });
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

  it('[EH27] a reader restores nothing', async () => {
    const key = `history-${keys++}`;
    const older = serve(`${key}-1.docx`, 'Old text');
    const editor = await visit({ key, sourceUrl: older, editorConfig: { mode: 'view' } });
    await openHistory(editor, listOf(key));
    await editor.frame.locator('.version').last().click();
    const data = { version: 1, key: `${key}-v1`, fileType: 'docx', url: older };
    await editor.call('setHistoryData', { ...data, token: await world.world.sign(data) });
    await eventually(
      () => editor.frame.locator('.desk:not([hidden]) .ProseMirror').count(),
      (count) => count === 1,
    );
    expect(await editor.frame.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
  });

  it('[HB20] versions as texts, as libraries of other languages write them, are listed, shown and restored', async () => {
    const key = `history-${keys++}`;
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
      token: await world.world.sign({ version: '9', key: `${key}-v9`, url: older, previous: null }),
    });
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The house is red') === true,
      20_000,
    );
    await editor.frame.getByRole('button', { name: 'Restore this version' }).click();
    await editor.frame.locator('dialog[open]').getByRole('button', { name: 'Restore', exact: true }).click();
    expect((await editor.event('onRequestRestore')).data).toEqual({ version: '9' });
    expect(editor.warnings.join('\n')).toMatch(
      /history\[2\] is left out: .*history\[2\]\.version is missing/,
    );
  });

  it('[HB23] the page is told when history is closed, whether a version was restored or not', async () => {
    const key = `history-${keys++}`;
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
  const compareWith = async (editor: EditorPage, method: string, url: string, more: object = {}) => {
    const file = { fileType: 'docx', url, ...more };
    await editor.call(method, { ...file, token: await world.world.sign(file) });
  };

  it('[HB26] the page is asked for a file, which is shown with the differences marked while the document stays as it is', async () => {
    const key = `compare-${keys++}`;
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
      20_000,
    );
    expect(await marked(editor)).toEqual([
      ['red', 'Deleted'],
      ['blue', 'Added'],
      ['And a garden', 'Added'],
    ]);
    expect(await editor.frame.locator('.side-panel').textContent()).toContain('3 differences are marked');
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

  it('[HB26] pages of old are asked by onRequestCompareFile and answer by setRevisedFile; another panel ends it', async () => {
    const key = `compare-${keys++}`;
    const own = serve(`${key}-1.docx`, 'One');
    const editor = await visit({ key, sourceUrl: own, events: ['onRequestCompareFile'] });
    await editor.choose('Review', 'Compare with another file…');
    await editor.event('onRequestCompareFile');
    await compareWith(editor, 'setRevisedFile', serve(`${key}-2.docx`, 'One two'));
    await eventually(
      () => marked(editor),
      (marks) => marks.length === 1,
      20_000,
    );
    await editor.frame.getByRole('button', { name: 'People' }).click();
    await editor.typeAfter('One', ' more');
    await editor.saved();
  });

  it('[HB27] a file that cannot be shown says why, also with the token of another one; what is not comparing says that it is not there', async () => {
    const key = `compare-${keys++}`;
    const own = serve(`${key}-1.docx`, 'One');
    const editor = await visit({ key, sourceUrl: own, events: ['onRequestSelectDocument'] });
    await compareWith(editor, 'setRequestedDocument', own, { c: 'insert-text' });
    await editor.showsNotice(/not combined or inserted/);
    const problem = editor.frame.locator('.version-problem');
    await compareWith(editor, 'setRequestedDocument', `${own}-missing`);
    await problem.waitFor({ timeout: 20_000 });
    expect(await problem.textContent()).toMatch(/^The other file cannot be shown\. ./);
    await editor.frame.getByRole('button', { name: 'Back to the document' }).click();
    await problem.waitFor({ state: 'detached' });
    await editor.call('setRequestedDocument', { fileType: 'docx', url: own, token: 'not.a.token' });
    await problem.waitFor({ timeout: 20_000 });
    // The token says which file is read, whatever the page says beside it.
    const signed = { fileType: 'docx', url: serve(`${key}-3.docx`, 'The signed one') };
    const token = await world.world.sign(signed);
    await editor.call('setRequestedDocument', { fileType: 'docx', url: own, token });
    await eventually(
      () => versionText(editor),
      (text) => text?.includes('The signed one') === true,
      20_000,
    );
  });

  it('[HB27] without a handler of the page nothing is offered', async () => {
    const key = `compare-${keys++}`;
    const editor = await visit({ key, sourceUrl: serve(`${key}.docx`, 'One') });
    await editor.frame.getByRole('button', { name: 'Review', exact: true }).click();
    await editor.frame.getByRole('menuitem', { name: 'Accept all' }).waitFor();
    expect(await editor.frame.getByText('Compare with another file…').count()).toBe(0);
  });
});
