import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { accessibleWorld, looksAreAccessible } from './accessible-world.ts';

describe.skipIf(!hasBrowser)('the editor is usable by everybody', () => {
  const people = accessibleWorld();

  looksAreAccessible(people, [
    ['ED11', 'dark', { colorScheme: 'dark' }],
    ['ED12', 'arabic', { editorConfig: { lang: 'ar' } }],
    ['ED13', 'phone', { viewport: { width: 375, height: 720 } }],
  ]);

  it('[ED14] everything is reached by the keyboard: from the text to the toolbar, its buttons, and back', async () => {
    const ann = await people.visit('keys');
    const { frame, page } = ann;
    await ann.placeCursor('A heading');
    const focused = () =>
      frame.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.className,
      );
    await page.keyboard.press('Alt+F10');
    // There is nothing to undo yet, so the first control is the next one.
    expect(await focused()).toBe('Style');
    await page.keyboard.press('End');
    expect(await focused()).toBe('Find and replace');
    await page.keyboard.press('Home');
    for (let stop = 0; stop < 30 && (await focused()) !== 'Bold'; stop++)
      await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Bold');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Document');
    await page.keyboard.press('Control+Slash');
    await frame.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Document');
    await page.keyboard.type('!');
    expect(await ann.text()).toContain('A heading!');
  });
});
