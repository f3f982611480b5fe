import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { cellText, goTo, put, selected, shows } from './sheet-page.ts';

describe.skipIf(!hasBrowser)('keys on the cells', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 1, 4],
      ['Glue', 2, 1],
      ['nail', 7, 2],
    ]);
    sourceUrl = world.world.integrator.serve('keys.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = () => world.visit({ key: newName('sheet'), user: 'ann', sourceUrl, documentType: 'cell' });
  const press = async ({ page }: EditorPage, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const typedIn = ({ frame }: EditorPage) => frame.locator('.cell-input').inputValue();
  const shownSheet = ({ frame }: EditorPage) => frame.getByRole('tab', { selected: true }).textContent();

  it('[XS65] [XS137] [XC47] lead from cell to cell, to the ends of rows and of what is used, by pages and to other sheets', async () => {
    const ann = await visit();
    await goTo(ann, 'B2');
    for (const [key, name] of [
      ['ArrowRight', 'C2'],
      ['Shift+ArrowDown', 'C2:C3'],
      ['Home', 'A2'],
      ['Shift+End', 'A2:C2'],
      ['End', 'C2'],
      ['Control+Home', 'A1'],
      ['Control+Shift+End', 'A1:C4'],
      ['Control+End', 'C4'],
      ['Control+Shift+Digit8', 'A1:C4'],
      ['Control+.', 'A1:C4'],
      ['Control+ArrowUp', 'A1'],
      ['Control+Shift+ArrowRight', 'A1:C1'],
      ['Tab', 'B1'],
    ] as const) {
      await press(ann, key);
      await selected(ann, key === 'Tab' ? 'A1:C1' : name);
    }
    await goTo(ann, 'B2');
    await press(ann, 'Tab', 'Tab', 'Enter');
    await selected(ann, 'B3');
    await press(ann, 'Shift+Enter', 'Shift+Tab');
    await selected(ann, 'A2');
    const name = ann.frame.locator('.name-box');
    await press(ann, 'PageDown');
    await expect.poll(async () => Number((await name.inputValue()).slice(1))).toBeGreaterThan(10);
    await press(ann, 'PageUp');
    await selected(ann, 'A2');
    await press(ann, 'Shift+PageDown');
    await expect.poll(async () => Number((await name.inputValue()).split(':A')[1])).toBeGreaterThan(10);
    await goTo(ann, 'A2');
    await press(ann, 'Alt+PageDown');
    await expect.poll(() => name.inputValue()).toMatch(/^[I-Z]2$/);
    await press(ann, 'Alt+PageUp');
    await selected(ann, 'A2');
    await press(ann, 'Shift+F11');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    await press(ann, 'Control+PageUp');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet1');
    await selected(ann, 'A2');
    await press(ann, 'Control+PageDown');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    // The first key on a tab that was dragged is not taken for the end of that.
    const tabs = ann.frame.getByRole('tab');
    await tabs.nth(1).dragTo(tabs.nth(0), { targetPosition: { x: 3, y: 8 } });
    await expect.poll(() => tabs.allTextContents()).toEqual(['Sheet2', 'Sheet1']);
    await tabs.nth(0).press('Enter');
    await ann.frame.getByRole('menu').waitFor();
    await press(ann, 'Escape');
    expect(ann.problems).toEqual([]);
  });

  it('[XS66] type, edit, break lines, fill what is selected, put in and take out rows and columns', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    await goTo(ann, 'A2');
    await press(ann, 'F2');
    await page.keyboard.type('!');
    await press(ann, 'Alt+Enter');
    await page.keyboard.type('two');
    await expect.poll(() => typedIn(ann)).toBe('Nails!\ntwo');
    // What is edited is not left by arrows.
    await press(ann, 'Home', 'ArrowLeft', 'Delete', 'Tab');
    await shows(ann, 'A2', 'Nails!two');
    await selected(ann, 'B2');
    await page.keyboard.type('lost');
    await press(ann, 'Escape');
    await shows(ann, 'B2', '1');
    await page.keyboard.type('5');
    await press(ann, 'ArrowDown');
    await selected(ann, 'B3');
    await shows(ann, 'B2', '5');
    await goTo(ann, 'E2:F3');
    await page.keyboard.type('all');
    await press(ann, 'Control+Enter');
    for (const name of ['E2', 'F3']) await shows(ann, name, 'all');
    // A formula is in each cell what a copy of it would be, and is said with its cell.
    await goTo(ann, 'K2:K3');
    await page.keyboard.type('=C2*$C$2');
    await press(ann, 'Control+Enter');
    await goTo(ann, 'K3');
    await expect.poll(() => frame.locator('.formula-field textarea').inputValue()).toBe('=C3*$C$2');
    await expect
      .poll(() => frame.locator('.cell-input').getAttribute('aria-label'))
      .toMatch(/^K3, .*, formula =C3\*\$C\$2$/);
    await goTo(ann, 'L1:M9000');
    await page.keyboard.type('many');
    await press(ann, 'Control+Enter');
    await ann.showsNotice(/^At most 10,000 cells can be taken at once\.$/);
    await expect.poll(() => typedIn(ann)).toBe('many');
    await press(ann, 'Escape');
    await goTo(ann, 'H1');
    await press(ann, 'Control+;', 'Enter');
    const today = await page.evaluate(() => new Date().toLocaleDateString('en-US'));
    await shows(ann, 'H1', today);
    await put(ann, 'I1', '=1+1');
    await shows(ann, 'I1', '2');
    await goTo(ann, 'I2');
    await press(ann, "Control+'");
    await expect.poll(() => typedIn(ann)).toBe('=1+1');
    await press(ann, 'Escape', 'Control+Shift+"');
    await expect.poll(() => typedIn(ann)).toBe('2');
    await press(ann, 'Escape');
    await goTo(ann, 'A2');
    await press(ann, 'Control+Alt+-');
    await shows(ann, 'A2', 'Glue');
    await press(ann, 'Control+Alt+=');
    await shows(ann, 'A3', 'Glue');
    await goTo(ann, 'B1:B4');
    await press(ann, 'Control+Space', 'Control+-');
    await shows(ann, 'B1', 'Count');
    await press(ann, 'Control+z');
    await shows(ann, 'B1', 'Price');
    await goTo(ann, 'G1');
    await page.keyboard.type('=B1');
    await press(ann, 'F4', 'F4');
    await expect.poll(() => typedIn(ann)).toBe('=B$1');
    await page.keyboard.type('&');
    await press(ann, 'Control+ArrowLeft', 'Shift+ArrowDown');
    await expect.poll(() => typedIn(ann)).toBe('=B$1&C1:C2');
    await press(ann, 'F2', 'ArrowLeft', 'Escape');
    await goTo(ann, 'A1:A1');
    await press(ann, 'Control+c');
    await goTo(ann, 'D7');
    await press(ann, 'Control+v');
    await shows(ann, 'D7', 'Item');
    await press(ann, 'Control+x');
    await goTo(ann, 'D9');
    await press(ann, 'Control+v');
    await shows(ann, 'D9', 'Item');
    await shows(ann, 'D7', '');
    // A sign that is composed of several keys is typed over the cell.
    const keys = await page.context().newCDPSession(page);
    await goTo(ann, 'D8');
    await keys.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await expect
      .poll(() => frame.locator('.cell-input').evaluate((field) => field.className))
      .toBe('cell-input');
    await keys.send('Input.insertText', { text: '日' });
    await press(ann, 'Enter');
    await shows(ann, 'D8', '日');
    expect(ann.problems).toEqual([]);
  });

  it('[XS151] [XS153] [XS154] [XS157] [XS161] [XS167] [XS176] fill merged cells once, add up what is selected, enter days in a text, repeat a format, and go to what is taken back', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    await press(ann, 'Shift+F11');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    await press(ann, 'Control+PageUp');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet1');
    await goTo(ann, 'E1:F2');
    const merging = frame.getByRole('button', { name: 'Merge cells' });
    await merging.click();
    await expect.poll(() => merging.getAttribute('aria-pressed')).toBe('true');
    await goTo(ann, 'E1');
    await press(ann, 'Shift+ArrowRight');
    await selected(ann, 'E1:G2');
    await goTo(ann, 'E1');
    await page.keyboard.type('5');
    await press(ann, 'Control+Enter');
    await put(ann, 'E4', '=SUM(E1:F2)');
    await shows(ann, 'E4', '5');
    await goTo(ann, 'B5:C5');
    await press(ann, 'Alt+=');
    await shows(ann, 'B5', '10');
    await shows(ann, 'C5', '7');
    await press(ann, 'Control+PageDown');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    await press(ann, 'Control+z');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet1');
    await selected(ann, 'B5:C5');
    await shows(ann, 'C5', '');
    await goTo(ann, 'B2:C2');
    await press(ann, 'Alt+=');
    await shows(ann, 'D2', '5');
    await goTo(ann, 'A7');
    await page.keyboard.type('on ');
    await press(ann, 'Control+;', 'Enter');
    await expect.poll(() => cellText(ann, 'A7')).toMatch(/^on \d\d?\/\d\d?\/\d{4}$/);
    const bold = () => frame.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed');
    await goTo(ann, 'A2');
    await press(ann, 'Control+b');
    await goTo(ann, 'C4');
    expect(await bold()).toBe('false');
    await press(ann, 'F4');
    await expect.poll(bold).toBe('true');
    await goTo(ann, 'E5');
    await page.keyboard.type('=SUM(');
    await press(ann, 'ArrowLeft', 'Control+Space');
    await expect.poll(() => typedIn(ann)).toBe('=SUM(D:D');
    await press(ann, 'Escape');
    expect(ann.problems).toEqual([]);
  });

  it('[XS168] [XS136] [XS138] [XS149] [XS160] [XS185] leave a formula that cannot be one in its field, also in that of a dialog', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    await goTo(ann, 'E2');
    await page.keyboard.type('=1+');
    await press(ann, 'Enter');
    await ann.showsNotice(/^Something is missing behind “\+”\./);
    await expect.poll(() => typedIn(ann)).toBe('=1+');
    await page.keyboard.type('2 3');
    // A press elsewhere leaves it there, too.
    await frame.getByRole('button', { name: 'Bold' }).click();
    await ann.showsNotice(/^There is no sign before “3”/);
    await press(ann, 'Backspace', 'Backspace');
    await page.keyboard.type('+LEN("abc');
    await press(ann, 'Enter');
    await shows(ann, 'E2', '6');
    await goTo(ann, 'E2');
    await expect.poll(() => frame.locator('.formula-field textarea').inputValue()).toBe('=1+2+LEN("abc")');
    await page.keyboard.type('=A1:');
    await press(ann, 'Enter');
    await ann.showsNotice(/^Something is missing behind “:”\./);
    await press(ann, 'Escape');
    await shows(ann, 'E2', '6');
    await frame.locator('.notice').waitFor({ state: 'detached' });
    await ann.choose('Data', 'Names');
    const names = ann.frame.getByRole('dialog', { name: 'Names' });
    await names.getByLabel('Name', { exact: true }).fill('total');
    await names.getByLabel('Stands for').fill('=SUM(');
    await expect.poll(() => names.getByRole('alert').textContent()).toMatch(/^“SUM” needs more/);
    await names.getByLabel('Stands for').fill('=SUM($A$1:$A$3');
    await names.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => names.getByRole('list').textContent()).toContain('=SUM($A$1:$A$3)');
    await press(ann, 'Escape');
    // What is selected is named by its field, and gone to by the list beside it.
    await goTo(ann, 'B2:C3');
    await goTo(ann, 'Prices');
    await ann.showsNotice(/Prices/);
    await goTo(ann, 'A1');
    await frame.getByRole('button', { name: 'Go to a name' }).click();
    await expect.poll(() => frame.getByRole('menuitem').allTextContents()).toEqual(['Prices']);
    await press(ann, 'Enter');
    await selected(ann, 'B2:C3');
    // Several ranges have one name.
    await goTo(ann, 'A1:A2,C1:C2');
    await goTo(ann, 'Ends');
    await ann.showsNotice(/^Ends stands for A1:A2, C1:C2 now\.$/);
    await put(ann, 'E5', '=COUNTA(Ends)');
    await shows(ann, 'E5', '4');
    // The name of a function in another language is put right by a button, and a notice gives the focus back.
    await put(ann, 'E6', '=SUMME(B2:B3)');
    await ann.showsNotice(/^Functions have their English names: SUM, not SUMME\.$/);
    await frame.getByRole('button', { name: 'Use SUM' }).click();
    await shows(ann, 'E6', '3');
    await put(ann, 'E7', '=ANZAHL(B2:B3)');
    await ann.showsNotice(/^Functions have their English names: COUNT, not ANZAHL\.$/);
    await frame.locator('.notice', { hasText: 'ANZAHL' }).getByRole('button', { name: 'Close' }).click();
    await page.keyboard.type('after');
    await press(ann, 'Enter');
    await shows(ann, 'E8', 'after');
    expect(ann.problems).toEqual([]);
  });

  it('[XS169] [XS177] take the entries of a column, proposed or from a list, and make links of addresses', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const field = frame.locator('.cell-input');
    const chosen = () =>
      field.evaluate((one) => {
        const { value, selectionStart, selectionEnd } = one as HTMLTextAreaElement;
        return value.slice(selectionStart, selectionEnd);
      });
    await goTo(ann, 'A5');
    await page.keyboard.type('g');
    await expect.poll(() => typedIn(ann)).toBe('glue');
    await expect.poll(chosen).toBe('lue');
    await press(ann, 'Enter');
    await shows(ann, 'A5', 'Glue');
    // Two entries begin so.
    await page.keyboard.type('na');
    await expect.poll(() => typedIn(ann)).toBe('na');
    await page.keyboard.type('ils');
    await expect.poll(() => typedIn(ann)).toBe('nails');
    await press(ann, 'Escape');
    await page.keyboard.type('it');
    await expect.poll(() => typedIn(ann)).toBe('item');
    await press(ann, 'Delete');
    await expect.poll(() => typedIn(ann)).toBe('it');
    await press(ann, 'Enter');
    await shows(ann, 'A6', 'it');
    await page.keyboard.type('Item 2');
    await press(ann, 'Tab');
    await shows(ann, 'A7', 'Item 2');
    await goTo(ann, 'A8');
    await press(ann, 'Alt+ArrowDown');
    const list = frame.getByRole('menu').getByRole('menuitem');
    await expect
      .poll(() => list.allTextContents())
      .toEqual(['Glue', 'it', 'Item', 'Item 2', 'nail', 'Nails']);
    await press(ann, 'ArrowDown', 'Enter');
    await shows(ann, 'A8', 'it');
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await put(ann, 'D5', 'www.example.com');
    await shows(ann, 'D5', 'www.example.com');
    await goTo(ann, 'D5');
    const underlined = () => frame.getByRole('button', { name: 'Underline' }).getAttribute('aria-pressed');
    await expect.poll(underlined).toBe('true');
    await press(ann, 'Control+z');
    await expect.poll(underlined).toBe('false');
    await shows(ann, 'D5', 'www.example.com');
    await press(ann, 'Control+z');
    await shows(ann, 'D5', '');
    await goTo(ann, 'F9');
    await press(ann, 'Alt+ArrowDown');
    await ann.showsNotice(/^Nobody has entered a text right above or below this cell\.$/);
    expect(ann.problems).toEqual([]);
  });

  it('[XS67] [XS155] [XS171] what is looked for is found in one sheet or in all, as a whole or in formulas, one by one, and replaced', async () => {
    const ann = await visit();
    const { frame } = ann;
    await put(ann, 'D2', '=SUM(B2:B3)');
    await press(ann, 'Shift+F11');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    await put(ann, 'C3', 'Nails');
    await press(ann, 'Control+PageUp');
    await goTo(ann, 'A1');
    await press(ann, 'Control+f');
    const field = frame.locator('.find-bar input[type="search"]');
    const count = frame.locator('.find-count');
    const choice = (name: string) => frame.locator('.find-bar').getByRole('checkbox', { name });
    await field.fill('nail');
    await expect.poll(() => count.textContent()).toBe('2 matches');
    await press(ann, 'Enter');
    await expect.poll(() => count.textContent()).toBe('1 of 2');
    await selected(ann, 'A2');
    await press(ann, 'Shift+Enter');
    await selected(ann, 'A4');
    await choice('Whole cell').check();
    await expect.poll(() => count.textContent()).toBe('1 match');
    await choice('Whole cell').uncheck();
    await choice('All sheets').check();
    await expect.poll(() => count.textContent()).toBe('3 matches');
    await field.press('Enter');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet2');
    await selected(ann, 'C3');
    await choice('Match case').check();
    await expect.poll(() => count.textContent()).toBe('1 match');
    await choice('Match case').uncheck();
    const replacement = frame.getByLabel('Replace with');
    await replacement.fill('screw');
    await frame.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect.poll(() => count.textContent()).toBe('1 of 2');
    await expect.poll(() => shownSheet(ann)).toContain('Sheet1');
    await frame.getByRole('button', { name: 'Replace all' }).click();
    await expect.poll(() => count.textContent()).toBe('0 matches');
    await field.fill('scr?w');
    await expect.poll(() => count.textContent()).toBe('3 matches');
    await field.fill('*ws');
    await expect.poll(() => count.textContent()).toBe('2 matches');
    await field.fill('scr~?w');
    await expect.poll(() => count.textContent()).toBe('0 matches');
    await choice('All sheets').uncheck();
    await field.fill('s*w*');
    await replacement.fill('nut');
    await expect.poll(() => count.textContent()).toBe('2 matches');
    await frame.getByRole('button', { name: 'Replace all' }).click();
    await shows(ann, 'A2', 'nut');
    await field.fill('n?t');
    await replacement.fill('screw');
    await expect.poll(() => count.textContent()).toBe('2 matches');
    await frame.getByRole('button', { name: 'Replace all' }).click();
    await field.fill('sum');
    await choice('In formulas').check();
    await expect.poll(() => count.textContent()).toBe('1 match');
    await press(ann, 'Escape');
    for (const [name, text] of [
      ['A2', 'screw'],
      ['A4', 'screw'],
      ['D2', '3'],
    ] as const)
      await shows(ann, name, text);
    await press(ann, 'Control+PageDown');
    await shows(ann, 'C3', 'screws');
    await press(ann, 'Control+PageUp');
    await goTo(ann, 'A1:B2');
    await press(ann, 'Control+h');
    await field.fill('screw');
    await expect.poll(() => count.textContent()).toBe('1 match');
    await choice('In A1:B2 only').uncheck();
    await expect.poll(() => count.textContent()).toBe('2 matches');
    await choice('In A1:B2 only').check();
    await replacement.fill('bolt');
    await frame.getByRole('button', { name: 'Replace all' }).click();
    // The focus is in the bar still.
    await press(ann, 'Escape');
    await frame.locator('.find-bar').waitFor({ state: 'detached' });
    await shows(ann, 'A2', 'bolt');
    await shows(ann, 'A4', 'screw');
    expect(ann.problems).toEqual([]);
  });

  it('[XS68] [XS210] [SU59] a comment is written, answered, changed, resolved, found again from its panel, and taken away', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const panel = frame.locator('.side-panel');
    await goTo(ann, 'B3');
    await press(ann, 'Shift+F2');
    await page.keyboard.type('Too cheap?');
    await press(ann, 'Control+Enter');
    const thread = panel.locator('.thread');
    await expect.poll(() => thread.locator('.comment-text').allTextContents()).toEqual(['Too cheap?']);
    await press(ann, 'ArrowDown');
    await selected(ann, 'B4');
    await press(ann, 'ArrowUp');
    await thread.getByRole('button', { name: 'Answer' }).click();
    await page.keyboard.type('No.');
    await press(ann, 'Control+Enter');
    await expect.poll(() => thread.locator('.comment-text').allTextContents()).toEqual(['Too cheap?', 'No.']);
    await thread.getByRole('button', { name: 'Edit comment' }).first().click();
    await page.keyboard.type(' Or too dear?');
    await press(ann, 'Control+Enter');
    await expect
      .poll(() => thread.locator('.comment-text').allTextContents())
      .toEqual(['Too cheap? Or too dear?', 'No.']);
    await press(ann, 'Shift+F11');
    await thread.getByRole('button', { name: 'Sheet1 B3' }).click();
    await expect.poll(() => shownSheet(ann)).toContain('Sheet1');
    await selected(ann, 'B3');
    await expect
      .poll(() => panel.getByRole('button', { name: 'Comment', exact: true }).isDisabled())
      .toBe(true);
    // What only programs for reading aloud see must not make the page longer than the window.
    const loose = await frame.locator('.visually-hidden').evaluateAll((all) =>
      all
        .filter((one) => {
          let at = one.parentElement;
          while (at && !/auto|scroll/.test(getComputedStyle(at).overflowY)) at = at.parentElement;
          return at !== null && !at.contains((one as HTMLElement).offsetParent);
        })
        .map((one) => one.outerHTML),
    );
    expect(loose).toEqual([]);
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await panel.getByLabel('Show 1 resolved').waitFor();
    await thread.getByRole('button', { name: 'Reopen' }).click();
    await thread.getByRole('button', { name: 'Delete comment' }).last().click();
    await expect
      .poll(() => thread.locator('.comment-text').allTextContents())
      .toEqual(['Too cheap? Or too dear?']);
    await thread.getByRole('button', { name: 'Delete comment' }).click();
    await expect.poll(() => thread.count()).toBe(0);
    expect(ann.problems).toEqual([]);
  });
});
