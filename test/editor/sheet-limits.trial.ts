import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx, overlongXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { cellText, delivered, goTo, put, shows } from './sheet-page.ts';

const small = buildXlsx([
  ['Item', 'Price'],
  ['Nails', 3.5],
]);

describe.skipIf(!hasBrowser)('what a spreadsheet has no room or no time for', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    sourceUrl = serve(small);
  });
  afterAll(() => world?.close());

  const serve = (bytes: Uint8Array) => world.world.integrator.serve(`${newName('limits')}.xlsx`, { bytes });
  const visit = (key: string, url = sourceUrl) =>
    world.visit({ key, user: 'ann', sourceUrl: url, documentType: 'cell' });
  /** Types all of a text at once into a cell, and presses Enter. */
  async function enter(editor: EditorPage, name: string, text: string): Promise<void> {
    await goTo(editor, name);
    await editor.page.keyboard.press('F2');
    await editor.frame.locator('.cell-input').fill(text);
    await editor.page.keyboard.press('Enter');
  }

  it('[PV16] a workbook that is too large is said to be so, also where nothing shows it', async () => {
    const ann = await visit(newName('sheet'), serve(overlongXlsx()));
    await ann.frame.getByText('The document is too big to be opened.').waitFor();
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -84 });
    await ann.frame.getByRole('button', { name: 'Try again' }).click();
    await ann.frame.getByText('The document is too big to be opened.').waitFor();
    await ann.page.close();
  });

  it('[KD12] a workbook that an editor of others holds is not opened, and says so', async () => {
    const key = newName('sheet');
    await world.world.joinOpaque({ key, user: 'zoe', sourceUrl, fileType: 'xlsx' }, {
      load: async () => undefined,
      apply: () => undefined,
    } as never);
    const ann = await visit(key);
    await ann.frame.getByText('The document is open in another kind of editor').waitFor();
    expect((await ann.event('onError')).data).toMatchObject({ errorCode: -23 });
    await ann.page.close();
  });

  it('[XS70] what has no room in a cell stays in the field, and a sentence says why', async () => {
    const ann = await visit(newName('sheet'));
    const typed = ann.frame.locator('.cell-input');
    for (const [name, text, sentence] of [
      ['D1', `=${'1+'.repeat(4_096)}1`, /^A cell has no room for more than 8,192 characters of this kind\.$/],
      ['D2', 'x'.repeat(32_768), /^A cell has no room for more than 32,767 characters of this kind\.$/],
      [
        ...(['D4', `=${'ABS('.repeat(300)}1${')'.repeat(300)}`] as const),
        /^Functions stand in each other on more than 64 levels\./,
      ],
    ] as const) {
      await enter(ann, name, text);
      await ann.showsNotice(sentence);
      expect(await typed.inputValue()).toBe(text);
      await ann.page.keyboard.press('Escape');
    }
    await put(ann, 'D3', 'fits');
    await shows(ann, 'D3', 'fits');
    await put(ann, 'D5', '=B2*2');
    await shows(ann, 'D5', '7');
    expect(ann.problems).toEqual([]);
    await ann.page.close();
  });

  it('[XS69] [CE22] [CE52] people are told while a workbook is calculated for the first time, and a formula without end keeps nobody up', async () => {
    const key = newName('sheet');
    const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
    let calculate = () => {};
    const until = new Promise<void>((resolve) => {
      calculate = resolve;
    });
    await context.route(/calculation-worker/, async (route) => {
      await until;
      await route.continue();
    });
    const url = serve(buildXlsx([[1], [2, '=A1+A2'], [3, '=IFNA(A3,0)']]));
    const ann = await world.visit({ key, user: 'ann', sourceUrl: url, documentType: 'cell', context });
    await ann.showsNotice(/^Formulas are being calculated\./);
    expect(await cellText(ann, 'B2')).toBe('=A1+A2');
    calculate();
    await shows(ann, 'B2', '3');
    await expect.poll(() => ann.notices()).toEqual([]);
    await put(ann, 'D12', '=SUM(MAP(SEQUENCE(1000000),LAMBDA(a,SUM(SEQUENCE(100)))))');
    await put(ann, 'D13', '=A3*2');
    await shows(ann, 'D13', '6');
    await goTo(ann, 'D12');
    expect(await cellText(ann, 'D12')).not.toContain('_xlfn');
    const cell = (await ann.frame.locator('.cell-input').boundingBox())!;
    await ann.page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2);
    await ann.frame.locator('.cell-hint', { hasText: 'this formula took too long' }).waitFor();
    // Whether a busy converter calculates it in time is another matter (CE24).
    const { grid } = (await delivered(world, key, ann)).sheets[0]!;
    expect(grid.cell(12, 3).formula?.text).toBe('A3*2');
    expect(ann.problems).toEqual([]);
  });
});
