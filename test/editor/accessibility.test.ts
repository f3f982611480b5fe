import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { violations } from './axe.ts';
import { type EditorPage, EditorWorld, hasBrowser } from './editor-world.ts';

/** Screenshots of the states are kept here when it is set. */
const shots = process.env.SCREENSHOTS_DIR;

describe.skipIf(!hasBrowser)('the editor is usable by everybody', { timeout: 120_000 }, () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildDocx({
      paragraphs: ['A heading', 'Some text of a paragraph that is read.', 'The end.'],
    });
    sourceUrl = world.world.integrator.serve('accessible.docx', { bytes });
    if (shots) await mkdir(shots, { recursive: true });
  }, 120_000);
  afterAll(() => world?.close());

  const shoot = async ({ page }: EditorPage, name: string) => {
    if (shots) await page.screenshot({ path: path.join(shots, `editor-${name}.png`) });
  };

  it('[ED10] the document, its menus, dialogs and panels have nothing that axe finds wrong', async () => {
    const key = newName('axe');
    const ann = await world.visit({ key, user: 'Ann Other', sourceUrl });
    const bob = await world.visit({ key, user: 'Bob Third', sourceUrl });
    const { frame, page } = ann;
    expect(await violations(frame)).toEqual([]);
    await shoot(ann, 'document');
    for (const menu of ['File', 'Edit', 'View', 'Insert', 'Format', 'Table', 'Together', 'Help']) {
      await frame.getByRole('button', { name: menu, exact: true }).first().click();
      await frame.getByRole('menu', { name: menu }).waitFor();
      expect(await violations(frame)).toEqual([]);
      await shoot(ann, `menu-${menu.toLowerCase()}`);
      await page.keyboard.press('Escape');
    }
    const dialogs = [
      ['File', 'Download as'],
      ['Insert', 'Link'],
      ['Insert', 'Picture'],
      ['Insert', 'Table'],
      ['Format', 'Spacing and indents'],
      ['Help', 'Keyboard shortcuts'],
      ['Help', 'Word count'],
    ] as const;
    for (const [menu, entry] of dialogs) {
      await frame.getByRole('button', { name: menu, exact: true }).first().click();
      await frame.getByRole('menuitem', { name: entry }).click();
      await frame.getByRole('dialog').first().waitFor();
      expect(await violations(frame)).toEqual([]);
      await shoot(ann, `dialog-${entry.toLowerCase().replaceAll(' ', '-')}`);
      await page.keyboard.press('Escape');
    }
    for (const panel of ['People', 'Comments', 'Chat']) {
      await frame.getByRole('button', { name: panel, exact: true }).click();
      await frame.getByRole('complementary', { name: panel }).waitFor();
      expect(await violations(frame)).toEqual([]);
      await shoot(ann, `panel-${panel.toLowerCase()}`);
    }
    await bob.page.close();
  });

  it.for([
    ['ED11', 'dark', { colorScheme: 'dark' as const }, {}],
    ['ED11', 'contrast', {}, { customization: { uiTheme: 'theme-contrast-dark' } }],
    ['ED12', 'arabic', {}, { lang: 'ar' }],
    ['ED12', 'german', {}, { lang: 'de' }],
    ['ED13', 'phone', { viewport: { width: 375, height: 720 } }, {}],
  ] as const)('[%s] in %s, too', async ([, name, visit, editorConfig]) => {
    const ann = await world.visit({
      key: newName(`axe-${name}`),
      user: 'Ann Other',
      sourceUrl,
      ...visit,
      editorConfig,
    });
    expect(await violations(ann.frame)).toEqual([]);
    await shoot(ann, name);
    const overflow = await ann.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('[ED14] everything is reached by the keyboard: from the text to the toolbar, its buttons, and back', async () => {
    const ann = await world.visit({ key: newName('keys'), user: 'Ann', sourceUrl });
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
