import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { itemsOf } from '../../model/cell/workbook.ts';
import { hasBrowser } from '../support/browser.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** A picture of 300 by 200 pixels, as a script of the page. */
const draw = `(async () => {
  const canvas = new OffscreenCanvas(300, 200);
  canvas.getContext('2d').fillRect(0, 0, 300, 200);
  return canvas.convertToBlob({ type: 'image/png' });
})()`;

/** How many pictures are drawn, with something to see. */
const shows = ({ frame }: EditorPage, count: number): Promise<unknown> =>
  eventually(
    () =>
      frame.evaluate(
        () =>
          [...document.querySelectorAll<HTMLImageElement>('.drawing img')].filter(
            (one) => one.naturalWidth > 0,
          ).length,
      ),
    (found) => found === count,
  );

/** The place of the picture with this description, in whole pixels of the page. */
async function boxOf({ frame }: EditorPage, name: string) {
  const { x, y, width, height } = (await frame.getByRole('img', { name, exact: true }).boundingBox())!;
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

const isAt = (editor: EditorPage, name: string, wanted: Partial<Awaited<ReturnType<typeof boxOf>>>) =>
  eventually(
    () => boxOf(editor, name),
    (box) => Object.entries(wanted).every(([side, px]) => Math.abs(box[side as 'x'] - px) <= 1),
  );

async function goTo({ frame, page }: EditorPage, name: string): Promise<void> {
  await frame.locator('.name-box').fill(name);
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasBrowser)('pictures in a spreadsheet', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    sourceUrl = world.world.integrator.serve('drawn.xlsx', { bytes: buildXlsx([['Item', 'Price']]) });
  });
  afterAll(() => world?.close());

  const visit = (key: string, user: string, more: Partial<EditorVisit> = {}) =>
    world.visit({ key, user, sourceUrl, documentType: 'cell', ...more });

  it('[XD1] [XD2] [XD3] come from files, the page and the clipboard, are moved and resized by mouse and keys, seen by others and in the file', async () => {
    const key = newName('drawn');
    const ann = await visit(key, 'ann', { events: ['onRequestInsertImage'] });
    const bob = await visit(key, 'bob');
    const { frame, page } = ann;
    await goTo(ann, 'B3');
    await ann.choose('Insert', 'Picture');
    const dialog = frame.locator('dialog');
    await frame.evaluate(`${draw}.then((blob) => {
      const data = new DataTransfer();
      data.items.add(new File([blob], 'box.png', { type: 'image/png' }));
      document.querySelector('dialog [name="files"]').files = data.files;
    })`);
    await dialog.locator('[name="alt"]').fill('Box');
    await page.keyboard.press('Enter');
    await Promise.all([shows(ann, 1), shows(bob, 1)]);
    const first = await boxOf(ann, 'Box');
    expect(first).toMatchObject({ width: 300, height: 200 });
    await frame.getByRole('img', { name: 'Picture: Box, B3' }).waitFor();
    // By keys: it has the focus.
    for (const press of ['ArrowRight', 'Control+ArrowDown', 'Shift+ArrowDown'])
      await page.keyboard.press(press);
    const moved = { x: first.x + 10, y: first.y + 1, width: 300, height: 210 };
    await isAt(ann, 'Box', moved);
    await isAt(bob, 'Box', moved);
    // By mouse: what is in it moves it, a corner changes its size, with Shift in proportion.
    await page.mouse.move(moved.x + 150, moved.y + 100);
    await page.mouse.down();
    await page.mouse.move(moved.x + 190, moved.y + 130, { steps: 3 });
    await page.mouse.up();
    await isAt(ann, 'Box', { x: moved.x + 40, y: moved.y + 30 });
    await page.mouse.move(moved.x + 340, moved.y + 240);
    await page.mouse.down();
    await page.mouse.move(moved.x + 190, moved.y + 235, { steps: 3 });
    await page.keyboard.down('Shift');
    await page.mouse.move(moved.x + 190, moved.y + 135, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await isAt(ann, 'Box', { x: moved.x + 40, width: 150, height: 105 });
    await page.keyboard.press('Control+z');
    await isAt(bob, 'Box', { x: moved.x + 40, width: 300, height: 210 });
    // A second one, of the page's storage; the server fetches it.
    await page.keyboard.press('Escape');
    await goTo(ann, 'A1');
    await ann.choose('Insert', 'Picture from storage');
    expect((await ann.event('onRequestInsertImage')).data).toEqual({ c: 'add' });
    const url = world.world.integrator.serve(`${key}.png`, { bytes: PIXEL_PNG, contentType: 'image/png' });
    const images = [{ fileType: 'png', url }];
    await ann.call('insertImage', { c: 'add', images, token: await world.world.sign({ c: 'add', images }) });
    await Promise.all([shows(ann, 2), shows(bob, 2)]);
    // One by one by keys, described, copied beside, taken out.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Alt+5');
    await frame.getByRole('img', { name: /^Picture: Box, B/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.locator('[name="alt"]').fill('A black box');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await frame.getByRole('img', { name: /^Picture: A black box, B/ }).waitFor();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await Promise.all([shows(ann, 3), shows(bob, 3)]);
    for (const _ of ['the first', 'the one of the storage']) await page.keyboard.press('Tab');
    await frame.getByRole('img', { name: 'Picture, A1' }).waitFor();
    await page.keyboard.press('Delete');
    await Promise.all([shows(ann, 2), shows(bob, 2)]);
    await ann.saved();
    await page.close();
    await bob.page.close();
    const { body } = await world.world.integrator.waitForCallback(key, ({ status }) => status === 2);
    const file = new Uint8Array(await (await fetch(String(body.url))).arrayBuffer());
    const drawings = [...itemsOf(parseWorkbook(openXlsx(file).model).sheets[0]!, 'drawing').values()];
    expect(drawings.map(({ kind, description }) => [kind, description])).toEqual([
      ['picture', 'A black box'],
      ['picture', 'A black box'],
    ]);
    expect(drawings.every(({ anchor, src }) => anchor.to !== undefined && src !== undefined)).toBe(true);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
  });

  it('[XD4] what is no picture, who may only comment, and a protected sheet are answered by a sentence', async () => {
    const key = newName('drawn');
    const ann = await visit(key, 'ann');
    const drop = (editor: EditorPage, name: string, type: string, content: string) =>
      editor.frame.evaluate(
        `(async () => {
          const data = new DataTransfer();
          data.items.add(new File([${content}], '${name}', { type: '${type}' }));
          const grid = document.querySelector('.grid-scroller');
          const { left, top } = grid.getBoundingClientRect();
          const at = { clientX: left + 200, clientY: top + 150, bubbles: true, cancelable: true };
          grid.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...at }));
        })()`,
      );
    await drop(ann, 'words.txt', 'text/plain', '"words"');
    await ann.showsNotice(/words\.txt is not a picture/);
    await drop(ann, 'broken.png', 'image/png', '"no picture"');
    await ann.showsNotice(/broken\.png is not a picture/);
    await drop(
      ann,
      'vector.svg',
      'image/svg+xml',
      `'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'`,
    );
    await ann.showsNotice(/vector\.svg is not a picture/);
    await drop(ann, 'good.png', 'image/png', `await ${draw}`);
    await shows(ann, 1);
    const box = await boxOf(ann, 'good');
    const cleo = await visit(key, 'cleo', { permissions: { edit: false, comment: true } });
    await shows(cleo, 1);
    const seen = await boxOf(cleo, 'good');
    await drop(cleo, 'more.png', 'image/png', `await ${draw}`);
    await cleo.showsNotice(/may not insert pictures/);
    await cleo.page.mouse.click(seen.x + 50, seen.y + 50);
    await cleo.frame.getByRole('img', { name: /^Picture: good/ }).waitFor();
    for (const press of ['ArrowRight', 'Delete']) await cleo.page.keyboard.press(press);
    await ann.choose('Data', 'Protect sheet');
    await ann.frame.locator('dialog').getByLabel('Password again').press('Enter');
    await ann.frame.getByRole('img', { name: 'protected' }).waitFor();
    await ann.page.mouse.click(box.x + 50, box.y + 50);
    await ann.page.keyboard.press('Delete');
    await ann.showsNotice(/is protected/);
    await shows(ann, 1);
    expect(await boxOf(cleo, 'good')).toEqual(seen);
  });
});
