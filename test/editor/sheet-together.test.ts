import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
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

  it('[TG4] [TG6] [XS199] two in one cell: one is told before, and the other what was replaced, with a way back', async () => {
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
    // What he types into a sheet that she removes, and what he is asked about it.
    const tab = bob.frame.getByRole('tab', { name: 'Sheet2' });
    await goTo(ann, 'A1');
    await ann.page.keyboard.press('Shift+F11');
    await tab.click();
    await bob.page.keyboard.type('half a word');
    await ann.choose('Sheet', 'Delete sheet');
    await bob.showsNotice(/You had typed: half a word$/);
    await tab.waitFor({ state: 'detached' });
    await ann.page.keyboard.press('Control+z');
    await tab.dblclick();
    await bob.frame.getByRole('dialog').waitFor();
    await ann.page.keyboard.press('Control+y');
    await bob.frame.getByRole('dialog').waitFor({ state: 'detached' });
    await shows(bob, 'A2', 'of Ann');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS247] [XS248] what is selected follows cells that others merge, and those that they move on other sheets', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    await goTo(bob, 'C3');
    await goTo(ann, 'B2:D4');
    await ann.choose('Format', 'Merge cells');
    await selected(ann, 'B2');
    await selected(bob, 'B2');
    await bob.page.keyboard.type('seen');
    await bob.page.keyboard.press('Enter');
    await shows(ann, 'B2', 'seen');
    await ann.page.keyboard.press('Escape');
    await goTo(bob, 'B8');
    await bob.page.keyboard.type('half a word');
    await goTo(ann, 'A7:B9');
    await ann.choose('Format', 'Merge cells');
    await bob.showsNotice(/You had typed: half a word$/);
    await bob.page.keyboard.press('Escape');
    await selected(bob, 'A7');
    await goTo(bob, 'C20');
    await ann.page.keyboard.press('Control+z');
    await goTo(bob, 'A12');
    await bob.page.keyboard.press('Shift+F11');
    await bob.frame
      .getByRole('tab', { name: 'Sheet2' })
      .and(bob.frame.locator('[aria-selected="true"]'))
      .waitFor();
    await goTo(ann, 'A5:A6');
    await ann.choose('Insert', 'above');
    await put(ann, 'A14', 'of Ann');
    await bob.frame.getByRole('tab', { name: 'Sheet1' }).click();
    await selected(bob, 'A14');
    await shows(bob, 'A14', 'of Ann');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[TG8] [XS150] who may comment comments and nothing else; who may view types nothing', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const zoe = await visit(key, 'zoe', { permissions: { edit: false, comment: true } });
    const guest = await visit(key, 'guest', { editorConfig: { mode: 'view' } });
    for (const reader of [zoe, guest]) {
      await put(reader, 'A2', 'forged');
      await reader.page.keyboard.press('Delete');
      expect(await cellText(reader, 'A2')).toBe('Nails');
      await reader.showsNotice(/^You may not edit this document$/);
    }
    await goTo(zoe, 'B3');
    await zoe.page.keyboard.press('Shift+F2');
    await zoe.page.keyboard.type('Too cheap?');
    await zoe.page.keyboard.press('Control+Enter');
    await zoe.saved();
    await ann.choose('View', 'Comments');
    await ann.frame.locator('.side-panel', { hasText: 'Too cheap?' }).waitFor();
    await expect.poll(() => ann.frame.locator('.side-panel').textContent()).toContain('Sheet1 B3');
    expect(await cellText(ann, 'A2')).toBe('Nails');
    // What a comment is being written on goes.
    await goTo(zoe, 'B4');
    await zoe.page.keyboard.press('Shift+F2');
    await zoe.page.keyboard.type('Sold out?');
    await expect.poll(() => zoe.frame.locator('.comment-form textarea').inputValue()).toBe('Sold out?');
    await goTo(ann, 'A4');
    await ann.page.keyboard.press('Shift+Space');
    await ann.page.keyboard.press('Control+-');
    await zoe.showsNotice(/has been removed\. You had written: Sold out\?/);
    expect([...ann.problems, ...zoe.problems, ...guest.problems]).toEqual([]);
  });

  it('[TG13] [XS195] [XS198] a finger selects by a tap, makes the selection larger by its handle, edits by two taps and opens the menu where it rests; two fingers zoom', async () => {
    const context = await world.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true });
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
      await tap(60, 192);
      await selected(ann, 'A9');
      await page.keyboard.type('tapped');
      await page.keyboard.press('Enter');
      await shows(ann, 'A9', 'tapped');
      // The second tap is where the handle of the selection is.
      await tap(158, 36);
      await tap(158, 36);
      await selected(ann, 'B1');
      await page.keyboard.type('s');
      await page.keyboard.press('Enter');
      await shows(ann, 'B1', 'Prices');
      await touch('Start', [60, 112]);
      const menu = frame.locator('[role="menu"]');
      await menu.waitFor();
      await touch('End');
      await selected(ann, 'A5');
      await menu.getByRole('menuitem', { name: 'Insert row above' }).click();
      await menu.waitFor({ state: 'detached' });
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
});
