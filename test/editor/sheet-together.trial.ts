import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { violations } from './axe.ts';
import { type EditorVisit, EditorWorld } from './editor-world.ts';
import { cellText, goTo, put, selected, shows } from './sheet-page.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

describe.skipIf(!hasBrowser)('a spreadsheet among several people', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    sourceUrl = serve('together.xlsx', ['Nails', 3.5, 4], ['Glue', 2, 1]);
  });
  afterAll(() => world?.close());

  const serve = (name: string, ...rows: (string | number)[][]) =>
    world.world.integrator.serve(name, { bytes: buildXlsx([['Item', 'Price', 'Count'], ...rows]) });
  const visit = (key: string, user: string, more: Partial<EditorVisit> = {}) =>
    world.visit({ key, user, sourceUrl, documentType: 'cell', ...more });

  it('[TG7] in strict mode a sheet that somebody works on says so and takes nothing, until they save', async () => {
    const key = newName('sheet');
    const editorConfig = { coEditing: { mode: 'strict', change: true } };
    const ann = await visit(key, 'ann', { editorConfig });
    const bob = await visit(key, 'bob', { editorConfig });
    await put(ann, 'A2', 'quiet');
    await ann.showsSaving(/^Unsaved changes$/);
    const tab = bob.frame.getByRole('tab');
    await bob.frame.locator('.sheet-holder').waitFor();
    expect(await tab.getAttribute('title')).toBe('ann is working on this sheet.');
    expect(await cellText(bob, 'A2')).toBe('Nails');
    await put(bob, 'B2', '9');
    await bob.showsNotice(/^ann is working on this sheet\.$/);
    expect(await cellText(bob, 'B2')).toBe('3.5');
    if (shots) await bob.page.screenshot({ path: `${shots}/sheet-strict.png` });
    await ann.page.keyboard.press('Control+s');
    await ann.showsSaving(/^(?:Saved on the server|Stored)$/);
    await bob.frame.locator('.sheet-holder').waitFor({ state: 'detached' });
    await bob.page.keyboard.press('Control+s');
    await shows(bob, 'A2', 'quiet');
    await put(bob, 'B2', '9');
    await bob.showsSaving(/^Unsaved changes$/);
    await bob.page.keyboard.press('Control+s');
    await bob.showsSaving(/^(?:Saved on the server|Stored)$/);
    // What others have saved is shown with the next own save, and it comes to her a moment later.
    await eventually(
      async () => {
        await ann.page.keyboard.press('Control+s');
        return cellText(ann, 'B2');
      },
      (text) => text === '9',
    );
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[TG9] what was typed without a connection is merged when the page is opened again', async () => {
    const key = newName('sheet');
    const { address } = world.world.quire;
    const proxy = await CuttableProxy.to(address);
    const port = Number(new URL(proxy.address).port);
    const ann = await visit(key, 'ann', { address: proxy.address });
    const bob = await visit(key, 'bob');
    await proxy.close();
    await put(ann, 'A3', 'offline');
    await ann.showsSaving(/^(?:Offline|Reconnecting)/);
    await ann.frame.locator('.saving-status').click();
    await eventually(
      () => ann.frame.locator('.saving-details dd').allTextContents(),
      ([here]) => /kept if this tab closes$/.test(here ?? ''),
    );
    await goTo(bob, 'A2');
    await bob.choose('Insert', 'above');
    await bob.saved();
    const context = ann.page.context();
    await ann.page.close();
    const back = await CuttableProxy.to(address, port);
    try {
      const again = await visit(key, 'ann', { context, address: back.address });
      await shows(again, 'A4', 'offline');
      await shows(bob, 'A4', 'offline');
      expect(bob.problems).toEqual([]);
    } finally {
      await back.close();
    }
  });

  it('[TG10] a version is shown beside the list with what has changed, cell by cell, and is left or restored', async () => {
    const key = newName('sheet');
    const olderUrl = serve(`${key}-1.xlsx`, ['Nails', 3.5, 4], ['Glue', 2, 1]);
    const newerUrl = serve(`${key}-2.xlsx`, ['Nails', 4, 4], ['Paint', 7, 1], ['Glue', 2, 1]);
    const events = [
      ...['onRequestHistory', 'onRequestHistoryData', 'onRequestRestore', 'onRequestHistoryClose'],
      'onRequestSelectDocument',
    ];
    const permissions = { edit: true, copy: false };
    const ann = await visit(key, 'ann', { sourceUrl: newerUrl, events, permissions });
    await ann.choose('File', 'Version history');
    await ann.event('onRequestHistory');
    const user = { id: 'ann', name: 'Ann' };
    await ann.call('refreshHistory', {
      currentVersion: 3,
      history: [
        { version: 1, key: `${key}-v1`, created: '2026-03-01 09:00:00', user },
        { version: 2, key: `${key}-v2`, created: '2026-03-02 10:00:00', user },
        { version: 3, key, created: '2026-03-03 10:00:00', user },
      ],
    });
    await ann.frame.locator('.version').nth(1).click();
    await ann.event('onRequestHistoryData');
    const data = {
      ...{ version: 2, key: `${key}-v2`, fileType: 'xlsx', url: newerUrl },
      previous: { key: `${key}-v1`, fileType: 'xlsx', url: olderUrl },
    };
    await ann.call('setHistoryData', { ...data, token: await world.world.sign(data) });
    const entries = ann.frame.locator('button.difference');
    await entries.first().waitFor();
    expect(await entries.locator('strong').allTextContents()).toEqual([
      'Sheet1 B2',
      'Sheet1 A3',
      'Sheet1 B3',
      'Sheet1 C3',
    ]);
    expect(await entries.first().textContent()).toMatch(/Before: 3\.5.*After: 4/);
    if (shots) await ann.page.screenshot({ path: `${shots}/sheet-history.png` });
    await entries.nth(1).click();
    await selected(ann, 'A3');
    await ann.page.keyboard.press('Control+c');
    await ann.showsNotice(/Copying/);
    await ann.page.keyboard.type('in vain');
    await ann.page.keyboard.press('Enter');
    expect(await cellText(ann, 'A3')).toBe('Paint');
    expect(await ann.frame.locator('.format-toolbar, .menu-bar').count()).toBe(0);
    await ann.frame.getByRole('button', { name: 'Restore this version' }).click();
    await ann.frame.getByRole('button', { name: 'Restore', exact: true }).click();
    expect((await ann.event('onRequestRestore')).data).toEqual({ version: 2 });
    await ann.frame.getByRole('button', { name: 'Back to the document' }).click();
    await put(ann, 'A2', 'Screws');
    await shows(ann, 'A2', 'Screws');
    // Another file of the page's is compared with in the same way.
    await ann.choose('File', 'Compare with another file');
    expect((await ann.event('onRequestSelectDocument')).data).toEqual({ c: 'compare' });
    const other = { c: 'compare', fileType: 'xlsx', url: olderUrl };
    await ann.call('setRequestedDocument', { ...other, token: await world.world.sign(other) });
    await entries.first().waitFor();
    expect(await entries.first().textContent()).toMatch(/Sheet1 A2.*Before: Screws.*After: Nails/);
    await ann.frame.getByRole('button', { name: 'Back to the document' }).click();
    await ann.saved();
    expect(ann.problems).toEqual([]);
  });

  it('[TG12] axe finds nothing wrong on a phone, from right to left, dark, with high contrast, and in panels', async () => {
    const key = newName('sheet');
    const phone = { type: 'mobile', viewport: { width: 390, height: 780 }, colorScheme: 'dark' } as const;
    const ann = await visit(key, 'ann', { ...phone, editorConfig: { lang: 'ar' } });
    const bob = await visit(key, 'bob');
    await put(bob, 'A2', 'of Bob');
    await goTo(bob, 'B3');
    await bob.page.keyboard.press('Shift+F2');
    await bob.page.keyboard.type('Too cheap?');
    await bob.page.keyboard.press('Control+Enter');
    await bob.frame.locator('.side-panel', { hasText: 'Too cheap?' }).waitFor();
    await shows(ann, 'A2', 'of Bob');
    expect(await violations(ann.frame)).toEqual([]);
    await goTo(ann, 'B5');
    await ann.page.keyboard.type('=VL');
    await ann.frame.locator('[role="option"]').first().waitFor();
    expect(await violations(ann.frame)).toEqual([]);
    for (const key of ['Escape', 'Escape']) await ann.page.keyboard.press(key);
    expect(await violations(bob.frame)).toEqual([]);
    if (shots) await ann.page.screenshot({ path: `${shots}/sheet-phone-rtl-dark.png` });
    await goTo(bob, 'B1:C1');
    await bob.choose('Format', 'Merge cells');
    const merged = bob.frame.locator('[data-cell="B1"][aria-colspan="2"][aria-rowspan="1"]');
    await merged.waitFor({ state: 'attached' });
    expect(await bob.frame.locator('[data-cell="C1"]').count()).toBe(0);
    await bob.choose('View', 'High contrast');
    await bob.choose('View', 'People');
    expect(await violations(bob.frame)).toEqual([]);
    if (shots) await bob.page.screenshot({ path: `${shots}/sheet-contrast.png` });
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });
});
