import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blankXlsx } from '../../converter/engines/ooxml/xlsx/blank-xlsx.ts';
import { figures } from '../../example/server/templates/workbooks.ts';
import { itemsOf } from '../../model/cell/workbook.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { violations } from './axe.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { delivered, goTo, put } from './sheet-page.ts';

/** Heights of the bars of a series, by its colour; what stands for it in the legend is none. */
const heights = ({ frame }: EditorPage, color: string): Promise<number[]> =>
  frame
    .locator(`.chart-box path[fill="${color}"][ecmeta_ssr_type="chart"]`)
    .evaluateAll((bars) => bars.map((bar) => (bar as SVGGraphicsElement).getBBox().height));

describe.skipIf(!hasBrowser)('charts of a spreadsheet in the editor', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    sourceUrl = world.world.integrator.serve('figures.xlsx', { bytes: figures('Figures') });
  });
  afterAll(() => world?.close());

  it('[XG7] show their cells and follow them, are said in words, and axe finds nothing wrong, also on a dark page', async () => {
    const visit = (colorScheme: 'light' | 'dark') =>
      world.visit({ key: newName('charts'), user: 'ann', sourceUrl, documentType: 'cell', colorScheme });
    const ann = await visit('light');
    const chart = ann.frame.getByRole('img', {
      name: /^Loans and repairs\. Column chart: Loans and repairs/,
    });
    await chart.locator('svg').waitFor();
    expect(await chart.getAttribute('aria-label')).toContain('Loans: 12 values, from 58 to 312');
    const loans = '#1f3a5f';
    const before = await heights(ann, loans);
    expect(before).toHaveLength(12);
    expect(before[9]! / before[0]!).toBeCloseTo(312 / 61, 1);
    expect(await chart.locator('text').allTextContents()).toEqual(
      expect.arrayContaining(['Loans and repairs', 'Loans', 'Repairs', 'January']),
    );
    await put(ann, 'B5', '=122*1');
    await eventually(
      () => heights(ann, loans),
      (now) => Math.abs(now[9]! / now[0]! - 312 / 122) < 0.05,
    );
    await put(ann, 'B4', 'Lent');
    await ann.frame.getByRole('img', { name: /Lent: 12 values/ }).waitFor();
    expect(await violations(ann.frame)).toEqual([]);
    expect(ann.problems).toEqual([]);
    const dark = await visit('dark');
    await dark.frame.locator('.chart-box svg').waitFor();
    expect(await violations(dark.frame)).toEqual([]);
    expect(dark.problems).toEqual([]);
  });

  it('[XG10] [XG15] [XG16] are made of cells by keys, changed in a panel for everybody, and in the file; who may not edit changes none', async () => {
    const key = newName('charts');
    const visit = (user: string, more: { permissions?: Record<string, unknown> } = {}) =>
      world.visit({
        key,
        user,
        sourceUrl: world.world.integrator.serve('blank.xlsx', { bytes: blankXlsx('en') }),
        documentType: 'cell',
        ...more,
      });
    const ann = await visit('ann');
    const bob = await visit('bob');
    const cat = await visit('cat', { permissions: { edit: false } });
    for (const [at, row] of [
      ['Month', 'Rent', 'Food'],
      ['Jan', '900', '310'],
      ['Feb', '900', '280'],
      ['Mar', '950', '355'],
    ].entries()) {
      await goTo(ann, `A${at + 1}`);
      for (const text of row) {
        await ann.page.keyboard.type(text);
        await ann.page.keyboard.press('Tab');
      }
    }
    await goTo(ann, 'A1');
    await ann.page.keyboard.press('Alt+F1');
    const panel = ann.frame.getByRole('complementary', { name: 'Chart' });
    await panel.getByLabel('Kind').waitFor();
    const seen = (name: RegExp) => bob.frame.getByRole('img', { name }).locator('svg').waitFor();
    await seen(/Column chart.*Rent: 3 values, from 900 to 950.*Food: 3 values/);
    await panel.getByLabel('Kind').selectOption({ label: 'Lines with marks' });
    await panel.getByLabel('Title', { exact: true }).fill('Costs');
    await ann.page.keyboard.press('Enter');
    await seen(/Line chart: Costs/);
    await panel.getByRole('button', { name: 'Swap rows and columns' }).click();
    await seen(/Jan: 2 values, from 310 to 900/);
    const least = panel.getByLabel('From', { exact: true });
    await least.fill('-1,000.5');
    await ann.page.keyboard.press('Enter');
    await eventually(
      () => least.inputValue(),
      (text) => text === '-1000.5',
    );
    expect(await violations(ann.frame)).toEqual([]);
    // Nobody else's, and nobody's who only looks.
    expect(await cat.frame.getByRole('complementary', { name: 'Chart' }).count()).toBe(0);
    await cat.page.keyboard.press('Alt+F1');
    await cat.page.close();
    const workbook = await delivered(world, key, bob, ann);
    const drawings = workbook.sheets.flatMap((sheet) => [...itemsOf(sheet, 'drawing').values()]);
    expect(drawings.map(({ chart }) => chart)).toEqual([
      expect.objectContaining({
        type: 'line',
        title: 'Costs',
        minimum: -1000.5,
        series: expect.toSatisfy(({ length }) => length === 3),
      }),
    ]);
    for (const { problems } of [ann, bob, cat]) expect(problems).toEqual([]);
  });
});
