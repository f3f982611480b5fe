import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { accessibleWorld, looksAreAccessible, shoot } from './accessible-world.ts';
import { violations } from './axe.ts';

describe.skipIf(!hasBrowser)('every part of the editor is usable by everybody', () => {
  const people = accessibleWorld();

  looksAreAccessible(people, [
    ['ED11', 'contrast', { editorConfig: { customization: { uiTheme: 'theme-contrast-dark' } } }],
    ['ED12', 'german', { editorConfig: { lang: 'de' } }],
  ]);

  it('[ED10] the document, its menus, dialogs and panels have nothing that axe finds wrong', async () => {
    const key = newName('axe');
    const ann = await people.visit('axe', { key });
    const bob = await people.visit('axe', { key, user: 'Bob Third' });
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
});
