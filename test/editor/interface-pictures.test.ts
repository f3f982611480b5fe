import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { buildWmf } from '../support/wmf-fixture.ts';
import { EditorWorld } from './editor-world.ts';
import { EditedDocument, plain, run } from './person.ts';

/** A picture of 300 by 200 pixels, as a script of the page. */
const draw = `(async () => {
  const canvas = new OffscreenCanvas(300, 200);
  canvas.getContext('2d').fillRect(0, 0, 300, 200);
  return canvas.convertToBlob({ type: 'image/png' });
})()`;

describe.skipIf(!hasBrowser)('pictures, menus and the rest of the interface', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EF20] pictures come from a file, the clipboard and by dropping; size and description can be changed', async () => {
    const context = await world.newContext({ viewport: { width: 1500, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const document = new EditedDocument(world, 'pictures', { paragraphs: ['file: ', 'paste: ', 'drop: '] });
    const ann = await document.open('Ann', { context });
    const { frame } = ann.editor;
    const pictures = frame.locator('.picture-shown');
    const shown = (count: number) =>
      eventually(
        () => pictures.count(),
        (found) => found === count,
      );
    await ann.cursorAfter('file:');
    await ann.tool('Picture').click();
    const dialog = frame.getByRole('dialog', { name: 'Insert picture' });
    await dialog
      .locator('[name="files"]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL_PNG) });
    await ann.confirm({ alt: 'A dot' }, 'Insert');
    await shown(1);
    await frame.evaluate(
      `${draw}.then((blob) => navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]))`,
    );
    await ann.cursorAfter('paste:');
    await ann.press('Control+v');
    await shown(2);
    await frame.evaluate(`${draw}.then((blob) => {
      const data = new DataTransfer();
      data.items.add(new File([blob], 'dropped.png', { type: 'image/png' }));
      const line = [...document.querySelectorAll('.ProseMirror p')].find((one) => one.textContent.startsWith('drop'));
      const { left, top } = line.getBoundingClientRect();
      line.dispatchEvent(new DragEvent('drop', { dataTransfer: data, clientX: left + 2, clientY: top + 5, bubbles: true, cancelable: true }));
    })`);
    await shown(3);
    await pictures.nth(1).click();
    await ann.press('Alt+Shift+ArrowRight');
    await pictures.nth(2).click({ button: 'right' });
    await frame.getByRole('menu').getByRole('menuitem', { name: 'Picture properties' }).click();
    await ann.confirm({ alt: 'It was dropped', width: '3' });
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const xml = after['word/document.xml'] ?? '';
    const sizes = [...xml.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"\/>/g)].map(([, cx, cy]) => [
      Number(cx),
      Number(cy),
    ]);
    expect(sizes).toEqual([
      [9_525, 9_525],
      [310 * 9_525, 207 * 9_525],
      [1_080_000, 720_000],
    ]);
    expect([...xml.matchAll(/descr="([^"]*)"/g)].map(([, alt]) => alt)).toContain('A dot');
    expect(xml).toContain('descr="It was dropped"');
    const media = Object.keys(after).filter((name) => name.startsWith('word/media/'));
    expect(media).toHaveLength(3);
    expect(after['[Content_Types].xml']).toContain('Extension="png"');
    expect(after['word/_rels/document.xml.rels']).toContain(media[0]!.slice('word/'.length));
    await context.close();
  });

  it('[EF21] the menu of a place offers what can be done there, by mouse and by key', async () => {
    const cell = (text: string) => `<w:tc><w:tcPr/><w:p>${run(text)}</w:p></w:tc>`;
    const document = new EditedDocument(world, 'context', {
      paragraphs: ['select me'],
      body: `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${cell('in a cell')}</w:tr></w:tbl>${plain('end')}`,
    });
    const ann = await document.open();
    const { frame, page } = ann.editor;
    const menu = frame.getByRole('menu', { name: 'What can be done here' });
    await ann.select('select me');
    await ann.press('Shift+F10');
    await menu.waitFor();
    await ann.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await ann.type('typed');
    await ann.editor.showsText(/^typed\n/);
    const { left, y } = await ann.boxOf('in a cell');
    await page.mouse.click(left + 5, y, { button: 'right' });
    await menu.getByRole('menuitem', { name: 'Insert row below' }).click();
    await ann.editor.showsText('typed\nin a cell\n\nend');
    const { left: at, y: line } = await ann.boxOf('typed');
    await page.mouse.click(at + 5, line, { button: 'right' });
    expect(await menu.count()).toBe(0);
    expect(ann.editor.problems).toEqual([]);
    await page.close();
  });

  it('[VW35] metafiles are drawn, in the text and as previews, and what only says that it is one is a broken picture', async () => {
    const kinds = [
      'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
      'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
      'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
    ].join(' ');
    const drawing = (frame: string, link: string) =>
      `<w:p><w:r><w:drawing ${kinds}><wp:${frame}><wp:extent cx="952500" cy="476250"/><wp:docPr id="1" name="p" descr="${link}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="${link}"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:${frame}></w:drawing></w:r></w:p>`;
    const document = new EditedDocument(world, 'metafiles', {
      body: drawing('inline', 'good') + drawing('anchor', 'good') + drawing('inline', 'bad') + plain('end'),
      parts: { 'word/media/good.wmf': buildWmf(), 'word/media/bad.emf': 'metafile' },
      contentTypes: { wmf: 'image/x-wmf', emf: 'image/x-emf' },
      relationships: [
        { id: 'good', type: 'image', target: 'media/good.wmf' },
        { id: 'bad', type: 'image', target: 'media/bad.emf' },
      ],
    });
    const ann = await document.open();
    const { frame, page } = ann.editor;
    const widths = () =>
      frame
        .locator('.ProseMirror img:not(.ProseMirror-separator)')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
    await eventually(widths, (found) => isDeepStrictEqual(found, [100, 100, 0]));
    await frame.locator('.picture-broken').waitFor();
    expect(await frame.locator('.picture-shown').count()).toBe(1);
    await page.close();
  });

  it('[EF22] words are counted, the page is zoomed and printed without the interface, and help lists the keys', async () => {
    const document = new EditedDocument(world, 'rest', {
      paragraphs: ['Three words here', 'and four more words'],
    });
    const ann = await document.open();
    const { frame, page } = ann.editor;
    await ann.select('Three words');
    await ann.choose('Help', 'Word count');
    const counts = frame.getByRole('dialog', { name: 'Word count' }).getByRole('row', { name: 'Words' });
    await expect.poll(() => counts.getByRole('cell').allTextContents()).toEqual(['7', '2']);
    await ann.press('Escape');
    const width = async () => (await frame.locator('.ProseMirror').boundingBox())?.width ?? 0;
    const before = await width();
    await ann.choose('View', '150%');
    await eventually(width, (now) => Math.abs(now / before - 1.5) < 0.02);
    await ann.press('End');
    await ann.type('!');
    await ann.editor.showsText(/^Three words here!\n/);
    await ann.press('Control+/');
    await frame.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl+B').waitFor();
    await ann.press('Escape');
    await ann.choose('View', 'Full screen');
    await eventually(
      () => frame.evaluate(() => document.fullscreenElement !== null),
      (full) => full,
    );
    await frame.evaluate(() => document.exitFullscreen());
    await page.emulateMedia({ media: 'print' });
    expect(await frame.getByText('Three words here!').isVisible()).toBe(true);
    for (const part of ['.menu-bar', '.format-toolbar', '.title-bar', '.status-bar']) {
      expect(await frame.locator(part).isVisible(), part).toBe(false);
    }
    expect(ann.editor.problems).toEqual([]);
    await page.close();
  });
});
