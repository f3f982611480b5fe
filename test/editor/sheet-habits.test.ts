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
});
