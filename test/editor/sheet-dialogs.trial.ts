import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf, namesOf } from '../../model/cell/workbook.ts';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { delivered, goTo, put, shows } from './sheet-page.ts';

/** Opens a dialog, presses keys one after the other, and waits until it is gone; what begins with a space is typed. */
async function useDialog(editor: EditorPage, open: () => Promise<void>, ...keys: string[]): Promise<void> {
  const dialog = editor.frame.locator('dialog');
  await open();
  await dialog.locator(':focus').waitFor();
  await press(editor, ...keys);
  await dialog.waitFor({ state: 'detached' });
}

async function press({ page }: EditorPage, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    if (key.startsWith(' ')) await page.keyboard.type(key.slice(1));
    else await page.keyboard.press(key);
  }
}

describe.skipIf(!hasBrowser)('dialogs of a spreadsheet in the editor', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 3.5, 4],
      ['Glue', 2, 1],
      ['Wood', 2, 9],
      ['Glue', 2, 1],
    ]);
    sourceUrl = world.world.integrator.serve('dialogs.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = () => {
    const key = newName('dialogs');
    return world.visit({ key, user: 'ann', sourceUrl, documentType: 'cell' }).then((ann) => ({ key, ann }));
  };

  it('[XS56] sort, remove, split, calculate, format and link cells by keys alone', async () => {
    const { key, ann } = await visit();
    const { page, frame } = ann;
    const choose = (menu: string, entry: string) => () => ann.choose(menu, entry);
    const keys = (chord: string) => () => page.keyboard.press(chord);
    await goTo(ann, 'A1');
    const sortKeys = ['Tab', 'ArrowDown', 'Tab', 'Tab', 'Enter', 'Shift+Tab', 'Shift+Tab'];
    const thenKeys = ['ArrowDown', 'ArrowDown', 'Tab', 'ArrowDown', 'Enter'];
    await useDialog(ann, choose('Data', 'Sort by several columns'), ...sortKeys, ...thenKeys);
    await shows(ann, 'A2', 'Wood');
    await shows(ann, 'A3', 'Glue');
    await shows(ann, 'A5', 'Nails');
    const withoutCount = ['Tab', 'Tab', 'Tab', 'Space', 'Enter'];
    await useDialog(ann, choose('Data', 'Remove duplicates'), ...withoutCount);
    await ann.showsNotice(/One row was removed/);
    await shows(ann, 'A4', 'Nails');
    await shows(ann, 'A5', '');
    await put(ann, 'E2', 'left;right');
    await goTo(ann, 'E2');
    await useDialog(ann, choose('Data', 'Text to columns'), 's', 'Enter');
    await shows(ann, 'E2', 'left');
    await shows(ann, 'F2', 'right');
    await goTo(ann, 'B7');
    await useDialog(ann, keys('Shift+F3'), ' average', 'Enter');
    await expect.poll(() => frame.locator('.cell-input').inputValue()).toBe('=AVERAGE(');
    await press(ann, ' B2:B4)', 'Enter');
    await shows(ann, 'B7', '2.5');
    await goTo(ann, 'B4');
    await useDialog(ann, keys('Control+1'), 'p', 'Tab', ' 1', 'Enter');
    await shows(ann, 'B4', '350.0%');
    await goTo(ann, 'E4');
    await useDialog(ann, keys('Control+k'), ' example.org', 'Tab', ' Home', 'Enter');
    await shows(ann, 'E4', 'Home');
    await goTo(ann, 'A2:B3');
    const openBorders = async () => {
      await frame
        .locator('.format-toolbar')
        .getByRole('button', { name: 'Borders', exact: true })
        .press('Enter');
      await frame.locator('.menu > button:focus').waitFor();
      await press(ann, 'End', 'Enter');
    };
    await useDialog(ann, openBorders, 'o', 'Tab', 'd', 'Enter');
    await goTo(ann, 'A1');
    await useDialog(ann, choose('Format', 'Row height'), ' 60', 'Enter');
    await useDialog(ann, choose('Format', 'Column width'), ' 150', 'Enter');
    expect(ann.problems).toEqual([]);
    const { sheets, formats } = await delivered(world, key, ann);
    const { grid, columns, ...sheet } = sheets[0]!;
    const bordersAt = (row: number, column: number) => formats.at(grid.cell(row, column).format).border ?? {};
    expect(bordersAt(1, 0)).toMatchObject({ top: { style: 'double' }, left: { style: 'double' } });
    expect(bordersAt(2, 1)).toMatchObject({ bottom: { style: 'double' }, right: { style: 'double' } });
    expect(bordersAt(1, 0)).not.toHaveProperty('bottom');
    expect([...itemsOf(sheet, 'link').values()]).toMatchObject([
      { area: [3, 4, 3, 4], address: 'example.org' },
    ]);
    expect(grid.row(0)?.line.size).toBeGreaterThan(40);
    expect(columns.at(0).size).toBeGreaterThan(15);
  });

  it('[XS56] name cells, change tables, rules and sheets by keys alone', async () => {
    const { key, ann } = await visit();
    const { page, frame } = ann;
    const dialog = frame.locator('dialog');
    const choose = (menu: string, entry: string) => () => ann.choose(menu, entry);
    await goTo(ann, 'B2');
    const nameKeys = [' Rate', 'Tab', 'Tab', 'Tab', ' the price', 'Enter'];
    await ann.choose('Data', 'Names');
    await dialog.locator(':focus').waitFor();
    await press(ann, ...nameKeys);
    await dialog.getByText('Sheet1!$B$2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await put(ann, 'E2', '=Rate*2');
    await shows(ann, 'E2', '7');
    await goTo(ann, 'A1');
    const openTable = () => page.keyboard.press('Control+t');
    await useDialog(ann, openTable, 'Enter');
    const toTotals = ['Tab', 'Tab', ...new Array(6).fill('Tab')];
    await useDialog(ann, openTable, ' Stock', ...toTotals, 'Space', 'Enter');
    await shows(ann, 'A6', 'Total');
    // The rules of a sheet in their order, and one of them changed.
    await goTo(ann, 'B2:B5');
    const openRules = choose('Data', 'Conditional formatting');
    await useDialog(ann, openRules, 'Tab', 'Tab', ' 3', 'Enter');
    await openRules();
    await dialog.getByRole('button', { name: 'New rule' }).press('Enter');
    await dialog.locator('select:focus').waitFor();
    await press(ann, 'End', 'Tab', 'ArrowDown', ...new Array(5).fill('Tab'), 'Space', 'Enter');
    const rules = dialog.locator('.rule-list li');
    await expect.poll(() => rules.count()).toBe(2);
    await rules
      .first()
      .getByRole('button', { name: /: later$/ })
      .press('Enter');
    await expect.poll(() => rules.first().textContent()).toContain('greater than 3');
    await rules
      .first()
      .getByRole('button', { name: /^Change/ })
      .press('Enter');
    await dialog.locator('select:focus').waitFor();
    await press(ann, 'Tab', 'Tab', ' =B$3', 'Enter');
    await expect.poll(() => rules.first().textContent()).toContain('greater than =B$3');
    // The list is there before it takes keys.
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await useDialog(ann, choose('Sheet', 'Rename sheet'), ' Prices', 'Enter');
    await frame.getByRole('tab', { name: 'Prices' }).waitFor();
    await useDialog(ann, choose('Sheet', 'Tab colour'), 'ArrowRight', 'Enter');
    const protect = choose('Data', 'Protect workbook structure');
    const add = frame.getByRole('button', { name: 'Add sheet' });
    await useDialog(ann, protect, 'Enter');
    await expect.poll(() => add.isDisabled()).toBe(true);
    await page.keyboard.press('Shift+F11');
    await ann.showsNotice(/sheets of this workbook are protected/);
    await useDialog(ann, protect, 'Enter');
    await expect.poll(() => add.isDisabled()).toBe(false);
    await add.press('Enter');
    await expect.poll(() => frame.getByRole('tab').count()).toBe(2);
    // Arrows go from tab to tab.
    await frame.locator('[role="tab"][aria-selected="true"]').press('ArrowLeft');
    await frame.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Prices' }).waitFor();
    expect(ann.problems).toEqual([]);
    const workbook = await delivered(world, key, ann);
    const [sheet] = workbook.sheets;
    expect(sheet!.properties).toMatchObject({ name: 'Prices', color: expect.anything() });
    expect([...namesOf(workbook).values()]).toMatchObject([
      { name: 'Rate', formula: 'Prices!$B$2', comment: 'the price' },
    ]);
    expect([...itemsOf(sheet!, 'table').values()]).toMatchObject([
      { name: 'Stock', area: [0, 0, 5, 2], hasTotals: true },
    ]);
    const conditions = [...itemsOf(sheet!, 'condition').values()];
    expect(conditions.toSorted((one, other) => one.priority - other.priority)).toMatchObject([
      { type: 'cellIs', operator: 'greaterThan', formulas: ['B$3'], areas: [[1, 1, 4, 1]] },
      { type: 'iconSet', icons: '3ArrowsGray', reversed: true, areas: [[1, 1, 4, 1]] },
    ]);
  });
});
