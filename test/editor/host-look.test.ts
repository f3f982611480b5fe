import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { count, lookPages, shot } from './host-look-page.ts';

const pages = lookPages();
const { visit, customized } = pages;

describe.skipIf(!hasBrowser)('how the page wants the editor to look', () => {
  it('[EH15] [SU60] what is switched off is not there', async () => {
    const editor = await customized({
      help: false,
      chat: false,
      comments: false,
      compactToolbar: true,
      toolbarHideFileName: true,
    });
    const menus = await editor.frame.locator('.menu-bar button').allTextContents();
    expect(menus).toContain('File');
    expect(menus).not.toContain('Help');
    expect(await editor.frame.getByRole('button', { name: 'Chat' }).count()).toBe(0);
    expect(await editor.frame.getByRole('button', { name: 'Comments' }).count()).toBe(0);
    expect(await count(editor, '.title-bar h1:not(.visually-hidden)')).toBe(0);
    expect(await count(editor, 'h1')).toBe(1);
    expect(await count(editor, '.format-toolbar')).toBe(0);
    await editor.choose('View', 'Toolbar');
    expect(await count(editor, '.format-toolbar')).toBe(1);
  });

  it('[EH16] embedded: a reader’s bar with what the page has an address for, and nothing else', async () => {
    const { address } = pages.world.world.integrator;
    const editor = await visit({
      type: 'embedded',
      editorConfig: {
        embedded: {
          saveUrl: `${address}/files/save`,
          shareUrl: `${address}/share?a=1&b=2`,
          embedUrl: `${address}/embed?a=1&b=%222%22`,
          fullscreenUrl: `${address}/full`,
          toolbarDocked: 'bottom',
        },
      },
    });
    expect((await editor.event('onInfo')).data).toEqual({ mode: 'view' });
    expect(await count(editor, '.menu-bar, .format-toolbar, .status-bar')).toBe(0);
    expect(await editor.frame.locator('.ProseMirror').getAttribute('contenteditable')).toBe('false');
    const link = (name: string) => editor.frame.getByRole('link', { name }).getAttribute('href');
    expect(await link('Download')).toBe(`${address}/files/save`);
    expect(await link('Full screen')).toBe(`${address}/full`);
    await editor.frame.getByRole('button', { name: 'Share' }).click();
    const texts = await editor.frame
      .locator('dialog textarea')
      .evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
    expect(texts[0]).toBe(`${address}/share?a=1&b=2`);
    expect(texts[1]).toContain(`src="${address}/embed?a=1&amp;b=%222%22"`);
    await editor.page.keyboard.press('Escape');
    const [bar, desk] = await Promise.all(
      ['.reading-bar', '.desk'].map((one) => editor.frame.locator(one).boundingBox()),
    );
    expect(bar!.y).toBeGreaterThan(desk!.y);
    await shot(editor, 'embedded');
  });

  it('[EH17] mobile: one menu, the same document, and typing', async () => {
    const editor = await visit({ type: 'mobile', viewport: { width: 390, height: 780 } });
    expect(await count(editor, '.menu-bar, .status-bar')).toBe(0);
    await editor.typeAfter('Some text', ' typed on a phone');
    await editor.saved();
    await editor.frame.getByRole('button', { name: 'Menus' }).click();
    const entries = await editor.frame.locator('[role^="menuitem"]').allTextContents();
    expect(entries.join()).toMatch(/Save now.*Download.*Outline/);
    await shot(editor, 'mobile');
    const width = await editor.frame.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });
});
