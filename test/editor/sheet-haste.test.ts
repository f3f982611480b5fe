import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';
import { goTo, put, selected, shows } from './sheet-page.ts';

describe.skipIf(!hasBrowser)('people in haste in a spreadsheet', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price'],
      ['Wood', 7],
      ['Nails', 1],
      ['Glue', 2],
    ]);
    sourceUrl = world.world.integrator.serve('haste.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = (key: string, user: string, more: Partial<EditorVisit> = {}) =>
    world.visit({ key, user, sourceUrl, documentType: 'cell', ...more });

  /** A browser profile whose pages get no code of these names before it is released; what they asked for then is done. */
  const withHeld = async (...names: string[]) => {
    const context = await world.newContext({ viewport: { width: 1200, height: 800 } });
    const asked: string[] = [];
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const name of names)
      await context.route(`**/assets/${name}-*.js`, async (route) => {
        asked.push(route.request().url());
        await held;
        await route.continue();
      });
    const release = async ({ frame }: EditorPage) => {
      await eventually(
        async () => asked.length,
        (count) => count === names.length,
      );
      end();
      for (const address of asked) await frame.evaluate(`import(${JSON.stringify(address)})`);
    };
    return { context, release };
  };

  it('[XS240] a notice that offers to take back a change goes with the next one; all rows are sorted where others have moved them', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    const offered = (name: string) => ann.frame.locator('.notices').getByRole('button', { name });
    await put(ann, 'E1', 'first');
    await put(ann, 'F1', 'second');
    await goTo(ann, 'E1:F1');
    await ann.choose('Format', 'Merge cells');
    await offered('Undo').waitFor();
    await put(ann, 'E3', 'later');
    await offered('Undo').waitFor({ state: 'detached' });
    await goTo(ann, 'A2:A4');
    await ann.choose('Data', 'Sort A to Z');
    await offered('Sort them too').waitFor();
    await ann.page.keyboard.press('Control+z');
    await offered('Sort them too').waitFor({ state: 'detached' });
    await goTo(ann, 'A2:A4');
    await ann.choose('Data', 'Sort A to Z');
    await offered('Sort them too').waitFor();
    await goTo(bob, '1:2');
    await bob.page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'A3', 'Item');
    await offered('Sort them too').click();
    for (const person of [ann, bob]) {
      await goTo(person, 'A1');
      for (const [row, item, price] of [
        [4, 'Glue', '2'],
        [5, 'Nails', '1'],
        [6, 'Wood', '7'],
      ] as const) {
        await shows(person, `A${row}`, item);
        await shows(person, `B${row}`, price);
      }
      await shows(person, 'E5', 'later');
    }
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS241] who has gone elsewhere before what finds a change was there stays there when it is taken back', async () => {
    const { context, release } = await withHeld('changed-place');
    const ann = await visit(newName('sheet'), 'ann', { context });
    await put(ann, 'A2', 'Steel');
    await ann.page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Wood');
    await goTo(ann, 'B:B');
    await ann.page.keyboard.press('Control+x');
    await goTo(ann, 'A1');
    await release(ann);
    await selected(ann, 'A1');
    await ann.page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'A2', '7');
    await shows(ann, 'B2', 'Wood');
    await goTo(ann, 'D9');
    await ann.page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Wood');
    expect(ann.problems).toEqual([]);
  });

  it('[XS242] what is typed on, or composed, after somebody has removed its cell gets into no other cell', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    const removeRow = async (name: string) => {
      await goTo(bob, name);
      await bob.page.keyboard.press('Shift+Space');
      await bob.page.keyboard.press('Control+-');
    };
    const notice = ann.frame.locator('.notice:focus');
    await goTo(ann, 'A2');
    await ann.page.keyboard.type('Ste');
    await removeRow('A2');
    await notice.waitFor();
    await ann.page.keyboard.type('el');
    await ann.page.keyboard.press('Enter');
    await ann.showsNotice(/You had typed: Ste$/);
    await ann.page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });
    await shows(ann, 'A2', 'Nails');
    // The field has the keys again.
    await ann.page.keyboard.press('ArrowDown');
    await selected(ann, 'A3');
    const cdp = await ann.page.context().newCDPSession(ann.page);
    await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await removeRow('A3');
    await notice.waitFor();
    await ann.showsNotice(/You had typed: に$/);
    await ann.page.keyboard.press('Escape');
    await ann.page.keyboard.type('Bolts');
    await ann.page.keyboard.press('Enter');
    await shows(ann, 'A3', 'Bolts');
    // In the bar, too.
    await put(ann, 'A5', 'Rope');
    await goTo(ann, 'A5');
    await put(ann, 'A6', 'Tape');
    await goTo(ann, 'A5');
    await ann.frame.locator('.formula-field textarea').click();
    await ann.page.keyboard.type(' of');
    await removeRow('A5');
    await notice.waitFor();
    await ann.page.keyboard.type(' hemp');
    await ann.page.keyboard.press('Enter');
    await ann.showsNotice(/You had typed: Rope of$/);
    for (const person of [ann, bob]) {
      await goTo(person, 'A1');
      await shows(person, 'A2', 'Nails');
      await shows(person, 'A3', 'Bolts');
      await shows(person, 'A5', 'Tape');
    }
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS243] what is asked for before its code is there is done to the cells that were selected, wherever others have moved them; who is elsewhere stays there', async () => {
    const { context, release } = await withHeld('sorting', 'summing');
    const key = newName('sheet');
    const ann = await visit(key, 'ann', { context });
    const bob = await visit(key, 'bob');
    await goTo(ann, 'B2');
    await ann.choose('Data', 'Sort A to Z');
    await goTo(ann, 'B5');
    await ann.page.keyboard.press('Alt+=');
    await put(ann, 'E8', 'elsewhere');
    await ann.saved();
    await goTo(bob, '1:1');
    await bob.page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'E9', 'elsewhere');
    await goTo(ann, 'E9');
    await release(ann);
    await selected(ann, 'E9');
    expect(await ann.frame.locator('.cell-input').inputValue()).toBe('');
    for (const person of [ann, bob]) {
      await goTo(person, 'A1');
      for (const [row, item] of [...['Item', 'Nails', 'Glue', 'Wood'].entries()])
        await shows(person, `A${row + 2}`, item);
      await shows(person, 'E9', 'elsewhere');
      await shows(person, 'B6', '');
    }
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS243] what is pasted by the menu is pasted where it was asked for, however late the browser answers', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    await goTo(ann, 'A2:A4');
    await ann.page.keyboard.press('Control+c');
    await ann.frame.evaluate(() => {
      const answer = new Promise<never>((_resolve, reject) => {
        window.addEventListener('refuse', () => reject(new Error('refused')), { once: true });
      });
      navigator.clipboard.read = () => answer;
    });
    await goTo(ann, 'E2');
    await ann.choose('Edit', 'Paste');
    await goTo(bob, '1:1');
    await bob.page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'A3', 'Wood');
    await goTo(ann, 'B7');
    await ann.frame.evaluate(() => window.dispatchEvent(new Event('refuse')));
    await shows(bob, 'E3', 'Wood');
    await selected(ann, 'B7');
    for (const person of [ann, bob]) {
      await goTo(person, 'A1');
      for (const [row, item] of [...['', 'Wood', 'Nails', 'Glue', ''].entries()])
        await shows(person, `E${row + 2}`, item);
      await shows(person, 'B7', '');
    }
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS244] a drag is of the cells and columns where others have moved them meanwhile', async () => {
    const key = newName('sheet');
    const ann = await visit(key, 'ann');
    const bob = await visit(key, 'bob');
    const { mouse } = ann.page;
    const corner = (await ann.frame.locator('.grid-scroller').boundingBox())!;
    // Headers are 38 pixels wide and 22 high, cells 64 by 20.
    const moveTo = (column: number, row: number, x = 32, y = 10) =>
      mouse.move(corner.x + 38 + column * 64 + x, corner.y + 22 + row * 20 + y, { steps: 3 });
    const insert = async (line: string) => {
      await goTo(bob, line);
      await bob.page.keyboard.press('Control+Shift+Equal');
      await bob.saved();
    };
    await goTo(ann, 'B3:B4');
    await moveTo(1, 3, 63, 19);
    await mouse.down();
    await moveTo(1, 5);
    await insert('1:1');
    await selected(ann, 'B4:B5');
    await moveTo(1, 6);
    await mouse.up();
    await selected(ann, 'B4:B7');
    for (const person of [ann, bob]) {
      await goTo(person, 'A1');
      for (const [at, text] of ['Price', '7', '1', '2', '3', '4'].entries())
        await shows(person, `B${at + 2}`, text);
    }
    // The edge of a column.
    await mouse.move(corner.x + 38 + 64, corner.y + 10);
    await mouse.down();
    await mouse.move(corner.x + 38 + 90, corner.y + 10, { steps: 3 });
    await insert('A:A');
    await shows(ann, 'C2', 'Price');
    await mouse.move(corner.x + 38 + 100, corner.y + 10, { steps: 3 });
    await mouse.up();
    const width = async (name: string) => {
      await goTo(ann, name);
      return (await ann.frame.locator('.cell-input').boundingBox())!.width - 1;
    };
    await expect.poll(() => width('B1')).toBe(100);
    await expect.poll(() => width('A1')).toBe(64);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XS245] the caret is where the formula bar was pressed', async () => {
    const ann = await visit(newName('sheet'), 'ann');
    await goTo(ann, 'A2');
    await ann.frame.locator('.formula-field textarea').click();
    await ann.page.keyboard.type(' of oak');
    await ann.page.keyboard.press('Enter');
    await shows(ann, 'A2', 'Wood of oak');
    await goTo(ann, 'A3');
    await ann.page.keyboard.type('Scre');
    await ann.frame.locator('.formula-field textarea').click();
    await ann.page.keyboard.type('ws');
    await ann.page.keyboard.press('Enter');
    await shows(ann, 'A3', 'Screws');
    expect(ann.problems).toEqual([]);
  });
});
