import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { newName } from '../support/new-name.ts';
import { eventually } from '../support/scene.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { violations } from './axe.ts';
import { type EditorVisit, EditorWorld, hasBrowser } from './editor-world.ts';
import { cellText, goTo, put, selected, shows } from './sheet-page.ts';

/** Where pictures of the pages are left, for people to look at. */
const shots = process.env.SCREENSHOTS_DIR;

describe.skipIf(!hasBrowser)('a spreadsheet among several people', { timeout: 180_000 }, () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    sourceUrl = serve('together.xlsx', ['Nails', 3.5, 4], ['Glue', 2, 1]);
  }, 120_000);
  afterAll(() => world?.close());

  const serve = (name: string, ...rows: (string | number)[][]) =>
    world.world.integrator.serve(name, { bytes: buildXlsx([['Item', 'Price', 'Count'], ...rows]) });
  const visit = (key: string, user: string, more: Partial<EditorVisit> = {}) =>
    world.visit({ key, user, sourceUrl, documentType: 'cell', ...more });

  it('[TG4] [TG6] two in one cell: one is told before, and the other what was replaced, with a way back', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    await put(ann, 'A2', 'of Ann');
    await shows(bob, 'A2', 'of Ann');
    await goTo(ann, 'A3');
    await ann.page.keyboard.type('half');
    await eventually(
      async () => {
        await goTo(bob, 'A3');
        await bob.page.keyboard.press('F2');
        const notices = await bob.notices();
        await bob.page.keyboard.press('Escape');
        return notices;
      },
      (notices) => notices.includes('ann is typing in this cell.'),
    );
    await ann.page.keyboard.press('Escape');
    await put(bob, 'A2', 'of Bob');
    await ann.showsNotice(/^A2 has “of Bob” now instead of your “of Ann”\.$/);
    if (shots) await ann.page.screenshot({ path: `${shots}/sheet-replaced.png` });
    await ann.frame.getByRole('button', { name: 'Put mine back' }).click();
    await bob.showsNotice(/^A2 has “of Ann” now instead of your “of Bob”\.$/);
    await shows(bob, 'A2', 'of Ann');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

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

  it('[TG8] who may comment comments and nothing else; who may view types nothing', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const zoe = await visit(key, 'zoe', { permissions: { edit: false, comment: true } });
    const guest = await visit(key, 'guest', { editorConfig: { mode: 'view' } });
    for (const reader of [zoe, guest]) {
      await put(reader, 'A2', 'forged');
      await reader.page.keyboard.press('Delete');
      expect(await cellText(reader, 'A2')).toBe('Nails');
    }
    await goTo(zoe, 'B3');
    await zoe.page.keyboard.press('Shift+F2');
    await zoe.page.keyboard.type('Too cheap?');
    await zoe.page.keyboard.press('Control+Enter');
    await zoe.saved();
    await ann.choose('View', 'Comments');
    await ann.frame.locator('.side-panel', { hasText: 'Too cheap?' }).waitFor();
    expect(await ann.frame.locator('.side-panel').textContent()).toContain('Sheet1 B3');
    expect(await cellText(ann, 'A2')).toBe('Nails');
    expect([...ann.problems, ...zoe.problems, ...guest.problems]).toEqual([]);
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

  it('[TG13] a finger selects by a tap, makes the selection larger by its handle, edits by two taps; two fingers zoom', async () => {
    const context = await world.browser.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true });
    try {
      const ann = await visit(newName('sheet'), 'ann', { context, type: 'mobile' });
      const { frame, page } = ann;
      const grid = (await frame.locator('.grid-scroller').boundingBox())!;
      const cdp = await context.newCDPSession(page);
      const touch = (type: 'Start' | 'Move' | 'End', ...points: (readonly [number, number])[]) =>
        cdp.send('Input.dispatchTouchEvent', {
          type: `touch${type}`,
          touchPoints: points.map(([x, y], id) => ({ x: grid.x + x, y: grid.y + y, id })),
        });
      const tap = async (x: number, y: number) => {
        await touch('Start', [x, y]);
        await touch('End');
      };
      // Headers are 38 and 22 pixels, cells 64 by 20.
      await tap(60, 52);
      await selected(ann, 'A2');
      await touch('Start', [104, 64]);
      await touch('Move', [150, 80]);
      await touch('Move', [210, 92]);
      await touch('End');
      await selected(ann, 'A2:C4');
      if (shots) await page.screenshot({ path: `${shots}/sheet-touch.png` });
      await tap(130, 32);
      await tap(130, 32);
      await selected(ann, 'B1');
      await page.keyboard.type('s');
      await page.keyboard.press('Enter');
      await shows(ann, 'B1', 'Prices');
      await touch('Start', [150, 200], [200, 200]);
      await touch('Move', [125, 200], [225, 200]);
      await touch('End');
      await frame.getByRole('button', { name: 'Menus' }).click();
      await frame.locator('[role="menuitemcheckbox"][aria-checked="true"]', { hasText: '200%' }).waitFor();
      expect(ann.problems).toEqual([]);
    } finally {
      await context.close();
    }
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
