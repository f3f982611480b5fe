import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf, namesOf } from '../../model/cell/workbook.ts';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { EditorWorld } from './editor-world.ts';
import { delivered, goTo, put, shows } from './sheet-page.ts';

describe.skipIf(!hasBrowser)('rules of a spreadsheet in the editor', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 3.5, 4],
      ['Glue', 2, 1],
    ]);
    sourceUrl = world.world.integrator.serve('rules.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = (key: string, user: string) => world.visit({ key, user, sourceUrl, documentType: 'cell' });

  it('[XS31] a sheet is protected for everybody, and opened again by who knows the password', async () => {
    const key = newName('rules');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    await ann.choose('Data', 'Protect sheet');
    const dialog = ann.frame.locator('dialog');
    await dialog.getByLabel('Password (may be left empty)').fill('secret');
    await dialog.getByLabel('Password again').fill('secret');
    await ann.page.keyboard.press('Enter');
    await bob.frame.getByRole('img', { name: 'protected' }).waitFor();
    await put(bob, 'A2', 'x');
    await bob.showsNotice(/is protected/);
    await shows(bob, 'A2', 'Nails');
    await bob.choose('Data', 'Protect sheet');
    const asked = bob.frame.locator('dialog');
    await asked.getByLabel('Password').fill('wrong');
    await bob.page.keyboard.press('Enter');
    await asked.getByText('This is not the password.').waitFor();
    await asked.getByLabel('Password').fill('secret');
    await bob.page.keyboard.press('Enter');
    await asked.waitFor({ state: 'detached' });
    await put(bob, 'A2', 'Screws');
    await shows(ann, 'A2', 'Screws');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS41] [XH26] what cannot be downloaded is said, and opens at the next attempt; menus stay in the window', async () => {
    const context = await world.newContext({ viewport: { width: 1280, height: 600 } });
    const parts = /\/assets\/(?:rule-dialogs|sheet-dialogs|panel|beside)[^/]*$/;
    let refused = 0;
    await context.route(parts, (route) => {
      refused += 1;
      return route.abort();
    });
    const key = newName('rules');
    const ann = await world.visit({ key, user: 'ann', sourceUrl, documentType: 'cell', context });
    await put(ann, 'A2', 'Bolts');
    const endsInWindow = async () => {
      await ann.frame.getByRole('button', { name: 'Data', exact: true }).click();
      const focused = ann.frame.locator('.menu > button:focus');
      await focused.waitFor();
      await ann.page.keyboard.press('End');
      await focused.filter({ hasText: 'Protect workbook structure' }).waitFor();
      const { y, height } = (await focused.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(600);
      await ann.page.keyboard.press('Escape');
    };
    // What places a menu well has not come either.
    await endsInWindow();
    await ann.choose('Data', 'Names');
    await ann.showsNotice(/^This could not be downloaded\. Try again when you are connected\.$/);
    expect(refused).toBeGreaterThan(0);
    expect(await ann.frame.locator('dialog').count()).toBe(0);
    await context.unroute(parts);
    await ann.choose('Data', 'Names');
    await ann.frame.locator('dialog').waitFor();
    // Its styles have come with it.
    const isStyled =
      "[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)";
    expect(await ann.frame.evaluate(isStyled)).toBe(true);
    await ann.page.keyboard.press('Escape');
    await endsInWindow();
    await ann.choose('View', 'Comments');
    await ann.frame.locator('.side-panel').waitFor();
    await shows(ann, 'A2', 'Bolts');
    await ann.saved();
    await context.close();
  });

  it('[XS32] [CE32] [XC34] [XU16] tables, rules, names and the page are set by dialogs and keys, and are in the file', async () => {
    const key = newName('rules');
    const ann = await visit(key, 'ann');
    const { frame, page } = ann;
    const dialog = frame.locator('dialog');
    const closed = () => dialog.waitFor({ state: 'detached' });
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+t');
    await dialog.getByLabel('Name').fill('Stock');
    await page.keyboard.press('Enter');
    await closed();
    await goTo(ann, 'A1');
    await page.keyboard.press('Alt+ArrowDown');
    await frame.locator('.filter-menu button:focus').waitFor();
    await page.keyboard.press('Escape');
    await frame.locator('.filter-menu').waitFor({ state: 'detached' });
    await put(ann, 'A4', 'Wood');
    await goTo(ann, 'B2:B4');
    await ann.choose('Data', 'Data validation');
    await dialog.getByLabel('What may be typed').selectOption('decimal');
    await dialog.getByLabel('Comparison').selectOption('greaterThan');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('0');
    await dialog.getByLabel('What is said then').fill('Prices are above 0.');
    await page.keyboard.press('Enter');
    await closed();
    await put(ann, 'B4', '-5');
    await ann.showsNotice(/Prices are above 0\./);
    await page.keyboard.press('Escape');
    await goTo(ann, 'C2:C4');
    await ann.choose('Data', 'Data validation');
    await dialog.getByLabel('What may be typed').selectOption('custom');
    await dialog.getByRole('textbox', { name: 'Formula' }).fill('=SUM(C$2:C$4)<=10');
    await dialog.getByLabel('What is said then').fill('At most ten in all.');
    await page.keyboard.press('Enter');
    await closed();
    await put(ann, 'C4', '6');
    await ann.showsNotice(/At most ten in all\./);
    await page.keyboard.press('Escape');
    await put(ann, 'C4', '5');
    await shows(ann, 'C4', '5');
    await put(ann, 'E2', '=SUM(Stock[Count])');
    await put(ann, 'C1', 'Pieces');
    await shows(ann, 'E2', '10');
    await put(ann, 'E9', '=E9+1');
    await ann.showsNotice(/E9 depends on its own value/);
    await goTo(ann, 'C2:C4');
    await ann.choose('Data', 'Conditional formatting');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('2');
    await page.keyboard.press('Enter');
    await closed();
    await goTo(ann, 'C2');
    await goTo(ann, 'Rate');
    await ann.showsNotice(/Rate stands for C2/);
    await ann.choose('Data', 'Page set-up');
    await dialog.getByLabel('Orientation').selectOption('landscape');
    await dialog.getByLabel('Rows on every page').fill('1:1');
    await page.keyboard.press('Enter');
    await closed();
    const workbook = await delivered(world, key, ann);
    const [sheet] = workbook.sheets;
    expect([...itemsOf(sheet!, 'table').values()]).toMatchObject([{ name: 'Stock', area: [0, 0, 3, 2] }]);
    expect([...itemsOf(sheet!, 'validation').values()]).toMatchObject([
      { type: 'decimal', operator: 'greaterThan', formulas: ['0'], areas: [[1, 1, 3, 1]] },
      { type: 'custom', formulas: ['SUM(C$2:C$4)<=10'], areas: [[1, 2, 3, 2]] },
    ]);
    expect([sheet!.grid.cell(0, 2).value, sheet!.grid.cell(1, 4).formula?.text]).toEqual([
      'Pieces',
      'SUM(Stock[Pieces])',
    ]);
    expect([...itemsOf(sheet!, 'condition').values()]).toMatchObject([
      { type: 'cellIs', operator: 'greaterThan', formulas: ['2'], areas: [[1, 2, 3, 2]] },
    ]);
    expect([...namesOf(workbook).values()].map(({ name, formula }) => [name, formula])).toEqual(
      expect.arrayContaining([
        ['Rate', 'Sheet1!$C$2'],
        ['_xlnm.Print_Titles', 'Sheet1!$1:$1'],
      ]),
    );
    expect(sheet!.properties.page).toMatchObject({ orientation: 'landscape', paper: 9 });
    expect(ann.problems).toEqual([]);
  });
});
