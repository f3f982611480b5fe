import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

describe.skipIf(!hasBrowser)('who may only look', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const open = (key: string, more: Partial<EditorVisit> = {}): Promise<EditorPage> => {
    const bytes = buildDocx({ paragraphs: ['First line:', 'Second line:'] });
    const sourceUrl = world.world.integrator.serve(`${key}.docx`, { bytes });
    return world.visit({ key, user: 'ann', sourceUrl, ...more });
  };
  const viewer = (mode: 'fast' | 'strict'): Partial<EditorVisit> => ({
    user: 'vic',
    permissions: { edit: false },
    editorConfig: { mode: 'view', coEditing: { mode, change: false } },
  });
  const entriesOf = async (editor: EditorPage, menu: string): Promise<string[]> => {
    await editor.frame.locator('.menu-bar').getByRole('button', { name: menu, exact: true }).click();
    const texts = await editor.frame.locator('.menu .menu-label').allTextContents();
    await editor.page.keyboard.press('Escape');
    return texts;
  };

  it('[EW14] a live viewer reads along and cannot type; another sees the document as it was opened', async () => {
    const key = newName('viewers');
    const ann = await open(key);
    const live = await open(key, viewer('fast'));
    const still = await open(key, viewer('strict'));
    await ann.typeAfter('First line:', ' read along');
    await live.showsText('First line: read along\nSecond line:');
    for (const { frame, page } of [live, still]) {
      await frame.locator('.ProseMirror p').first().click();
      await page.keyboard.type('not mine');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Control+b');
    }
    await ann.typeAfter('Second line:', ' on');
    await live.showsText('First line: read along\nSecond line: on');
    expect(await still.text()).toBe('First line:\nSecond line:');
    expect(await ann.text()).toBe('First line: read along\nSecond line: on');
    expect((await live.event('onInfo')).data).toEqual({ mode: 'view' });
    expect([...ann.problems, ...live.problems, ...still.problems]).toEqual([]);
  });

  it('[EW15] a viewer has no formatting toolbar and no text field', async () => {
    const vic = await open(newName('toolbarless'), viewer('fast'));
    const text = vic.frame.locator('.ProseMirror');
    expect(await text.getAttribute('contenteditable')).toBe('false');
    expect(await text.getAttribute('aria-readonly')).toBe('true');
    expect(await vic.frame.locator('.format-toolbar').count()).toBe(0);
    expect(await entriesOf(vic, 'File')).not.toContain('Save');
    expect(await vic.savingStatus()).toBe('Read only');
  });

  it('[EW16, EW47] downloading, printing and copying are offered to those who may', async () => {
    const free = await open(newName('may'));
    expect(await entriesOf(free, 'File')).toEqual(
      expect.arrayContaining(['Download', 'Download as…', 'Print']),
    );
    const tied = await open(newName('may-not'), {
      permissions: { edit: true, download: false, print: false, copy: false },
    });
    const offered = await entriesOf(tied, 'File');
    expect(offered).not.toContain('Download');
    expect(offered).not.toContain('Download as…');
    expect(offered).not.toContain('Print');
    for (const [editor, copied] of [
      [free, true],
      [tied, false],
    ] as const) {
      await editor.frame.locator('.ProseMirror').focus();
      await editor.page.keyboard.press('Control+a');
      const text = await editor.frame.evaluate(() => {
        const data = new DataTransfer();
        const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
        document.querySelector('.ProseMirror')!.dispatchEvent(event);
        return data.getData('text/plain');
      });
      expect(text.includes('First line:')).toBe(copied);
      await editor.frame.evaluate(() => {
        Object.assign(globalThis, {
          printed: 0,
          print: () => (globalThis as { printed?: number }).printed!++,
        });
      });
      const asked: string[] = [];
      editor.page.on('request', (request) => asked.push(request.url()));
      await editor.page.keyboard.press('Control+p');
      const printed = () => editor.frame.evaluate(() => (globalThis as { printed?: number }).printed);
      // [EW47] Here is no engine that makes pages.
      if (copied) {
        await editor.showsNotice(/cannot make pages to print/);
        expect(await printed()).toBe(0);
        await editor.frame.locator('.notices').getByRole('button', { name: 'Print what is shown' }).click();
      }
      expect(await printed()).toBe(copied ? 1 : 0);
      expect(asked.some((one) => one.includes('/downloadas/'))).toBe(copied);
    }
    expect([...free.problems, ...tied.problems]).toEqual([]);
  });
});
