import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';
import { cellText, goTo, selected, shows } from './sheet-page.ts';

/** What an input method does: `text` is what is composed so far, nothing when that is cancelled. */
const compose = (cdp: CDPSession, text: string) =>
  cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });

describe.skipIf(!hasBrowser)('people with an input method, or a phone', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price'],
      ['Nails', 1],
      ['Glue', 2],
    ]);
    sourceUrl = world.world.integrator.serve('habits.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = (more: Partial<EditorVisit> = {}) =>
    world.visit({ key: newName('sheet'), user: 'ann', sourceUrl, documentType: 'cell', ...more });
  const cornerOf = async ({ frame }: EditorPage) => (await frame.locator('.grid-scroller').boundingBox())!;
  const typedIn = ({ frame }: EditorPage) => frame.locator('.cell-input').inputValue();

  it('[XS290] [XS291] [XS292] what is composed gets into one cell; cancelled, the cell keeps what it has; keys of the input method do nothing else', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const cdp = await page.context().newCDPSession(page);
    const corner = await cornerOf(ann);
    await goTo(ann, 'B8');
    await compose(cdp, 'にほ');
    await expect.poll(() => typedIn(ann)).toBe('にほ');
    // D10: headers are 38 and 22 pixels, cells 64 by 20.
    await page.mouse.click(corner.x + 38 + 64 * 3.5, corner.y + 22 + 20 * 9.5);
    await selected(ann, 'D10');
    await expect.poll(() => typedIn(ann)).toBe('');
    await page.keyboard.press('Enter');
    await selected(ann, 'D11');
    await shows(ann, 'B8', 'にほ');
    expect(await cellText(ann, 'D10')).toBe('');
    await goTo(ann, 'A2');
    await compose(cdp, 'に');
    await expect.poll(() => typedIn(ann)).toBe('に');
    await compose(cdp, '');
    await frame.locator('.cell-input-idle').waitFor();
    await page.keyboard.press('ArrowDown');
    await selected(ann, 'A3');
    await shows(ann, 'A2', 'Nails');
    // Enter takes a word into the name; it does not go there yet.
    const name = frame.locator('.name-box');
    await name.fill('B2');
    await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await name.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true });
    expect(await name.inputValue()).toBe('B2');
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await selected(ann, 'B2');
    await page.keyboard.press('Shift+F2');
    const comment = frame.locator('.comment-form textarea');
    await comment.fill('ねこ');
    await comment.dispatchEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true });
    expect(await comment.inputValue()).toBe('ねこ');
    expect(ann.problems).toEqual([]);
  });

  it('[XS293] [XS294] another zoom keeps the cells that are seen, and two fingers what is between them; the active cell stays in sight of a keyboard', async () => {
    const context = await world.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true });
    try {
      const ann = await visit({ context, type: 'mobile' });
      const { frame, page } = ann;
      const cdp = await context.newCDPSession(page);
      const corner = await cornerOf(ann);
      const touch = (type: 'Start' | 'Move' | 'End', ...points: (readonly [number, number])[]) =>
        cdp.send('Input.dispatchTouchEvent', {
          type: `touch${type}`,
          touchPoints: points.map(([x, y], id) => ({ x: corner.x + x, y: corner.y + y, id })),
        });
      const tapped = async (x: number, y: number): Promise<string> => {
        await touch('Start', [x, y]);
        await touch('End');
        return frame.locator('.name-box').inputValue();
      };
      const rowOf = (name: string) => Number(name.slice(1));
      await goTo(ann, 'A500');
      await selected(ann, 'A500');
      const before = await tapped(100, 250);
      expect(rowOf(before)).toBeGreaterThan(470);
      await touch('Start', [80, 250], [120, 250]);
      for (const by of [10, 20, 30, 40]) await touch('Move', [80 - by, 250], [120 + by, 250]);
      await touch('End');
      const after = await tapped(100, 250);
      expect(Math.abs(rowOf(after) - rowOf(before))).toBeLessThanOrEqual(1);
      const last = await tapped(100, corner.height - 40);
      expect(rowOf(last)).toBeGreaterThan(rowOf(after));
      await page.setViewportSize({ width: 360, height: 340 });
      await expect
        .poll(async () => {
          const [field, grid] = [await frame.locator('.cell-input').boundingBox(), await cornerOf(ann)];
          return field!.y > grid.y && field!.y + field!.height <= grid.y + grid.height;
        })
        .toBe(true);
      await selected(ann, last);
      expect(ann.problems).toEqual([]);
    } finally {
      await context.close();
    }
  });

  it('[XS295] a sheet from right to left is turned by pages to where it was', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    await ann.choose('View', 'Sheet from right to left');
    const corner = await cornerOf(ann);
    const press = (column: number) =>
      page.mouse.click(corner.x + corner.width - 38 - 64 * (column + 0.5), corner.y + 22 + 10);
    const scrolled = () => frame.locator('.grid-scroller').evaluate(({ scrollLeft }) => scrollLeft);
    await expect.poll(() => frame.locator('.grid-scroller').getAttribute('dir')).toBe('rtl');
    await press(1);
    await selected(ann, 'B1');
    await page.keyboard.press('Alt+PageDown');
    await expect.poll(scrolled).toBeLessThan(-500);
    // The cell is where it was on the screen.
    const there = await frame.locator('.name-box').inputValue();
    await press(4);
    await press(1);
    await selected(ann, there);
    await page.keyboard.press('Alt+PageUp');
    await expect.poll(scrolled).toBe(0);
    await selected(ann, 'B1');
    expect(ann.problems).toEqual([]);
  });
});
