import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rangeName } from '../../editor/cell/grid/cell-areas.ts';
import { itemsOf } from '../../model/cell/workbook.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { violations } from './axe.ts';
import { EditorWorld } from './editor-world.ts';
import { cellText, delivered, goTo, put, selected, shows } from './sheet-page.ts';

/** What other programs, and somebody with bad intentions, put on the clipboard, by the cell that it is pasted into. */
const fragments = {
  J30: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--
    .xl65 {color:white; background:navy; mso-number-format:"\\@";} --></style></head><body><!--StartFragment-->
    <table><tr><td class=xl65>00123</td><td>longer</td><td>beside</td></tr>
    <tr><td><a href="https://example.com/excel">site</a></td>
      <td colspan=2 style='mso-ignore:colspan'>longer than its cell</td></tr><tr><td>below</td></tr>
    <![if supportMisalignedColumns]><tr style='display:none'><td width=64></td></tr><![endif]></table></body></html>`,
  J40: `<google-sheets-html-origin><style><!--td {border: 1px solid #ccc;}--></style><table data-sheets-root="1"><tr>
    <td data-sheets-value='{"1":3,"3":1234.5}' data-sheets-numberformat='{"1":4,"2":"#,##0.00"}'>1.234,50</td>
    <td data-sheets-value='{"1":4,"4":1}'>WAHR</td>
    <td data-sheets-hyperlink="https://example.com/google">here</td></tr></table></google-sheets-html-origin>`,
  J50: `<style>${'a'.repeat(200_000)}</style><table><tr><td><script>document.title = 'taken'</script>
    <a href="javascript:document.title = 'taken'">bad</a></td></tr></table>`,
  J55: '<meta charset="utf-8"><a href="https://example.com/alone">A page</a>',
};

/** What some of their cells show. */
const pasted = {
  ...{ J30: '00123', L30: 'beside', J32: 'below', J33: '', J40: '1,234.50', K40: 'TRUE' },
  ...{ J50: 'bad', J51: '', J55: 'A page' },
};

describe.skipIf(!hasBrowser)('a spreadsheet in the editor', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 3.5, 4],
      ['Glue', 2, 1],
    ]);
    sourceUrl = world.world.integrator.serve('sheet.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = (key: string, user: string) => world.visit({ key, user, sourceUrl, documentType: 'cell' });

  it('[XS20] two people type, one takes back only what is theirs, and the file has what remains', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    expect(await cellText(ann, 'A2')).toBe('Nails');
    await goTo(ann, 'A4');
    await ann.page.keyboard.type('Wood');
    await ann.page.keyboard.press('Tab');
    await ann.page.keyboard.type('12%');
    await ann.page.keyboard.press('Enter');
    await shows(bob, 'A4', 'Wood');
    await shows(bob, 'B4', '12%');
    await put(bob, 'C2', '9');
    await shows(ann, 'C2', '9');
    await ann.page.keyboard.press('Control+z');
    await shows(bob, 'B4', '');
    expect([await cellText(bob, 'A4'), await cellText(bob, 'C2')]).toEqual(['Wood', '9']);
    const { grid } = (await delivered(world, key, ann, bob)).sheets[0]!;
    expect([grid.cell(3, 0).value, grid.cell(3, 1).value, grid.cell(1, 2).value]).toEqual(['Wood', null, 9]);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[CE23] [CE24] what one types is calculated on both screens and in the file', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    await put(ann, 'D2', '=B2*C2');
    await shows(ann, 'D2', '14');
    await shows(bob, 'D2', '14');
    await put(bob, 'C2', '10');
    await shows(bob, 'D2', '35');
    await shows(ann, 'D2', '35');
    const { grid } = (await delivered(world, key, ann, bob)).sheets[0]!;
    const { formula, value } = grid.cell(1, 3);
    expect([formula?.text, value]).toEqual(['B2*C2', 35]);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS22] [XS23] [XS24] [XS25] [XS42] a formula is completed, picks its cells by keys, spills, and is in the file as others know it; why one has no value is said', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const { frame, page } = ann;
    await goTo(ann, 'D3');
    await page.keyboard.type('=stdev.s');
    await frame.locator('[role="option"]', { hasText: 'STDEV.S' }).waitFor();
    await page.keyboard.press('Tab');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowUp', 'F4']) await page.keyboard.press(key);
    const typed = frame.locator('.cell-input');
    await expect.poll(() => typed.inputValue()).toBe('=STDEV.S($B$2:$B$3');
    await page.keyboard.press('Enter');
    await shows(ann, 'D3', '1.060660172');
    await put(ann, 'E2', '=b2:b3*2');
    await shows(ann, 'E2', '7');
    await shows(ann, 'E3', '4');
    // Who types the next name before a frame has shown the entry goes there.
    await goTo(ann, 'F1');
    await page.keyboard.type('Sum');
    const named = await frame.evaluate(async () => {
      const press = { key: 'Enter', bubbles: true, cancelable: true };
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', press));
      // What follows from a key happens before the next event.
      await Promise.resolve();
      const box = document.querySelector<HTMLInputElement>('.name-box')!;
      box.focus();
      document.execCommand('insertText', false, 'F2');
      return box.value;
    });
    expect(named).toBe('F2');
    await page.keyboard.press('Enter');
    await shows(ann, 'F1', 'Sum');
    await page.keyboard.type('=F2+1');
    await page.keyboard.press('Control+Enter');
    await shows(ann, 'F2', '0');
    const cell = (await typed.boundingBox())!;
    await page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2);
    await frame.locator('.cell-hint', { hasText: 'depends on its own value' }).waitFor();
    const { grid } = (await delivered(world, key, ann)).sheets[0]!;
    expect(grid.cell(2, 3).formula?.text).toBe('_xlfn.STDEV.S($B$2:$B$3)');
    const { formula, value } = grid.cell(1, 4);
    expect([formula?.toJSON(), value, grid.cell(2, 4).value]).toEqual([
      { t: 'B2:B3*2', a: ['dynamic', 2, 1] },
      7,
      4,
    ]);
    expect(ann.problems).toEqual([]);
  });

  it('[XS11] [XS21] [XS50] [XP7] [XS162] [XS166] [XS141] [XS142] is scrolled, read aloud, searched and changed by keys, and axe finds nothing wrong', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const { frame, page } = ann;
    expect(await violations(frame)).toEqual([]);
    await goTo(ann, 'XFD1048576');
    await shows(ann, 'XFD1048576', '');
    const canvas = frame.locator('.grid-scroller');
    expect(await canvas.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000_000);
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+ArrowDown');
    await selected(ann, 'A3');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await goTo(ann, 'A6');
    await page.keyboard.press('Control+v');
    await shows(ann, 'A6', 'Glue');
    await shows(ann, 'B6', '2');
    await goTo(ann, 'A8');
    await page.keyboard.press('Enter');
    await shows(ann, 'B8', '2');
    await goTo(ann, 'A9');
    await page.keyboard.press('Enter');
    await selected(ann, 'A10');
    await goTo(ann, 'B2:B3');
    await page.keyboard.press('Control+c');
    await goTo(ann, 'C2');
    await page.keyboard.press('Control+Alt+v');
    const dialog = frame.getByRole('dialog', { name: 'Paste special' });
    await dialog.getByRole('radio', { name: 'Everything', exact: true }).waitFor();
    expect(await violations(frame)).toEqual([]);
    for (const key of ['ArrowDown', 'Tab', 'ArrowDown', 'Tab', 'Tab', 'Space', 'Enter'])
      await page.keyboard.press(key);
    await shows(ann, 'C2', '7.5');
    await shows(ann, 'D2', '2');
    await page.keyboard.press('Control+z');
    await shows(ann, 'D2', '');
    await shows(ann, 'C2', '4');
    // The frame is still there for another one, until something is typed, or Escape.
    await put(ann, 'A12', 'typed');
    await page.keyboard.press('Enter');
    await selected(ann, 'A14');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await selected(ann, 'A15');
    const pasteHtml = (html: string, text: string) =>
      frame.evaluate(
        ([html, text]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/html', html!);
          clipboardData.setData('text/plain', text!);
          const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
          document.activeElement!.dispatchEvent(event);
        },
        [html, text],
      );
    await goTo(ann, 'F17');
    await pasteHtml('<table><tr><td rowspan="65534" colspan="2">wide</td><td>beside</td></tr></table>', '');
    await shows(ann, 'F17', 'wide');
    await shows(ann, 'H17', 'beside');
    await goTo(ann, 'F18');
    const huge = '<tr><td rowspan="65534" colspan="1000">huge</td></tr>'.repeat(1_000);
    await pasteHtml(`<table>${huge}</table>`, 'as text');
    await shows(ann, 'F18', 'as text');
    await goTo(ann, 'F19');
    await pasteHtml('<table><tr><td sdval="1" sdnum="1033;0;BOOLEAN">TRUE</td></tr></table>', 'TRUE');
    await put(ann, 'G19', '=ISLOGICAL(F19)');
    await shows(ann, 'G19', 'TRUE');
    for (const [place, html] of Object.entries(fragments)) {
      await goTo(ann, place);
      await pasteHtml(html, 'not read');
    }
    for (const [name, text] of Object.entries(pasted)) {
      await goTo(ann, name);
      await shows(ann, name, text);
    }
    await goTo(ann, 'A1');
    await goTo(ann, 'F21');
    await pasteHtml('<p>before</p><table><tr><td>x</td><td>y</td></tr></table>', 'before\nx\ty');
    await shows(ann, 'F21', 'before');
    await shows(ann, 'G22', 'y');
    await put(ann, 'F24', '=1/3');
    await goTo(ann, 'F24');
    // What has not been calculated yet has no value to copy.
    await eventually(
      () => cellText(ann, 'F24'),
      (text) => text.startsWith('0.33'),
    );
    await page.keyboard.press('Control+c');
    await goTo(ann, 'G24');
    await page.keyboard.press('Control+Shift+V');
    await put(ann, 'H24', '=ISFORMULA(G24)&(G24-F24=0)');
    await shows(ann, 'H24', 'FALSETRUE');
    await goTo(ann, '2:3');
    await page.keyboard.press('Alt+Shift+ArrowRight');
    const group = frame.getByRole('button', { name: 'Rows 2 to 3' });
    expect(await group.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await eventually(
      () => group.getAttribute('aria-expanded'),
      (isOpen) => isOpen === 'false',
    );
    expect(await frame.locator('[role="gridcell"][data-cell="A3"]').count()).toBe(0);
    expect(await violations(ann.frame)).toEqual([]);
    await page.keyboard.press('Control+z');
    await shows(ann, 'A3', 'Glue');
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+f');
    await frame.locator('.find-bar input[type="search"]').fill('glue');
    await eventually(
      () => frame.locator('.find-count').textContent(),
      (text) => text?.startsWith('3 ') === true,
    );
    expect(ann.problems).toEqual([]);
    const workbook = await delivered(world, key, ann);
    const [sheet] = workbook.sheets;
    expect(
      [...itemsOf(sheet!, 'link').values()].map(({ area, address }) => `${rangeName(area)} ${address}`),
    ).toEqual([
      'J31 https://example.com/excel',
      'L40 https://example.com/google',
      'J55 https://example.com/alone',
    ]);
    expect(itemsOf(sheet!, 'merge').size).toBe(1);
    const { font, fill } = workbook.formats.at(sheet!.grid.cell(29, 9).format);
    expect([font?.color, fill?.color]).toEqual([{ rgb: 'FFFFFF' }, { rgb: '000080' }]);
  });
});
