import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { EditorWorld } from './editor-world.ts';
import { EditedDocument, plain, run } from './person.ts';

describe.skipIf(!hasBrowser)('writing in the page', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EF10] keys do in paragraphs, lists and tables what people expect of them', async () => {
    const cell = (text: string) => `<w:tc><w:tcPr/><w:p>${text && run(text)}</w:p></w:tc>`;
    const document = new EditedDocument(world, 'keys', {
      paragraphs: ['one', 'two', 'several words here'],
      body: `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${cell('ca')}${cell('cb')}</w:tr></w:tbl>${plain('end')}`,
    });
    const ann = await document.open();
    await ann.cursorAfter('one');
    await ann.press('Delete');
    await ann.editor.showsText(/^onetwo\n/);
    await ann.press('Enter', 'Backspace', 'Home');
    await ann.type('>');
    await ann.press('End');
    await ann.type('<');
    await ann.editor.showsText(/^>onetwo<\n/);
    const word = await ann.boxOf('words');
    await ann.editor.page.mouse.dblclick((word.left + word.right) / 2, word.y);
    await ann.type('letters');
    await ann.editor.showsText(/several letters here/);
    await ann.drag('two', 'several');
    await ann.type('X');
    await ann.editor.showsText(/^>oneX letters here\n/);
    await ann.drag('ca', 'cb');
    await ann.press('Delete');
    await ann.editor.showsText(/^>oneX letters here\n\n\nend$/);
    await ann.type('typed over cells');
    await ann.editor.showsText(/here\n\ntyped over cells\nend$/);
    await ann.cursorAfter('end');
    for (const text of [' 😀', 'é', '漢字']) await ann.editor.page.keyboard.insertText(text);
    await ann.editor.showsText(/end 😀é漢字$/);
    await ann.press('Backspace', 'Backspace', 'Backspace', 'Backspace');
    await ann.editor.showsText(/end $/);
    await ann.press('Control+a', 'Delete');
    await ann.editor.showsText('');
    await ann.type('and it still works');
    await ann.press('Control+a');
    await ann.type('typed over all');
    await ann.editor.showsText('typed over all');
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    expect(after['word/document.xml']).toMatch(/<w:body><w:p>.*typed over all.*<\/w:p><w:sectPr>/);
  });

  it('[EF11] composed text and text written from right to left come out as composed', async () => {
    const document = new EditedDocument(world, 'composed', { paragraphs: ['Before: ', 'second'] });
    const ann = await document.open();
    await ann.cursorAfter('Before:');
    await ann.press('End');
    const cdp = await ann.editor.page.context().newCDPSession(ann.editor.page);
    for (const text of ['に', 'にほ', 'にほん']) {
      await cdp.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
    await cdp.send('Input.insertText', { text: '日本' });
    await ann.editor.showsText('Before: 日本\nsecond');
    await ann.cursorAfter('second');
    await ann.press('Enter');
    await ann.choose('Format', 'Right-to-left text');
    await ann.type('مرحبا');
    await ann.editor.showsText('Before: 日本\nsecond\nمرحبا');
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    expect(after['word/document.xml']).toContain('日本');
    expect(after['word/document.xml']).toContain('<w:pPr><w:bidi/></w:pPr><w:r><w:t>مرحبا</w:t></w:r>');
  });

  it('[EF12] undo and redo are of one’s own changes only, whatever another person writes', async () => {
    const document = new EditedDocument(world, 'undo', { paragraphs: ['Ann: ', 'Bob: '] });
    const ann = await document.open();
    // Before Bob comes: his name stands over the first words for a while, and the mouse would meet it.
    await ann.cursorAfter('Ann:');
    await ann.press('End');
    const bob = await document.open('Bob');
    await ann.type('mine');
    await bob.cursorAfter('Bob:');
    await bob.press('End');
    await bob.type('his own');
    await ann.editor.showsText('Ann: mine\nBob: his own');
    for (let times = 0; times < 4; times++) await ann.press('Control+z');
    for (const person of [ann, bob]) await person.editor.showsText('Ann: \nBob: his own');
    await ann.press('Control+y');
    for (const person of [ann, bob]) await person.editor.showsText('Ann: mine\nBob: his own');
    expect([...ann.editor.problems, ...bob.editor.problems]).toEqual([]);
    await bob.editor.page.close();
    await ann.editor.page.close();
  });

  it('[EF13] finds and replaces, with case and whole words, and scrolls to what it has found', async () => {
    const filler = Array.from({ length: 80 }, (_, index) => `filler ${index}`);
    const document = new EditedDocument(world, 'find', {
      paragraphs: ['Cat cat concat', ...filler, 'a cat C:\\new far away'],
    });
    const ann = await document.open();
    const { frame } = ann.editor;
    await ann.cursorAfter('Cat');
    await ann.press('Control+f');
    const bar = frame.getByRole('search');
    const count = async (wanted: string) =>
      eventually(
        async () => (await bar.locator('.find-count').textContent()) ?? '',
        (text) => text.startsWith(wanted),
      );
    await bar.getByLabel('Find', { exact: true }).fill('cat');
    await count('4');
    await bar.getByLabel('Whole word').check();
    await count('3');
    await bar.getByLabel('Match case').check();
    await count('2');
    await bar.getByLabel('Find', { exact: true }).focus();
    await ann.press('Enter', 'Enter');
    await eventually(
      () => frame.locator('.found-active').evaluate((one) => one.getBoundingClientRect().top),
      (top) => top > 0 && top < 900,
    );
    await bar.getByLabel('Replace with').fill('dog');
    await bar.getByRole('button', { name: 'Replace all' }).click();
    await ann.editor.showsText(/^Cat dog concat\n[\s\S]*a dog C:\\new far away$/);
    await bar.getByLabel('Find', { exact: true }).fill('\\new');
    await count('1');
    await ann.press('Escape');
    await ann.type('!');
    await ann.editor.showsText(/!/);
    expect(ann.editor.problems).toEqual([]);
    await ann.editor.page.close();
  });

  it('[EW40] a dialog can be filled in and confirmed with the keyboard, and gives the focus back to the text', async () => {
    const document = new EditedDocument(world, 'dialogs', { paragraphs: ['to be a link'] });
    const ann = await document.open('Ann', { editorConfig: { canRequestRename: true } });
    const { frame } = ann.editor;
    const focused = () =>
      frame.evaluate(() => {
        const { activeElement: one } = globalThis.document;
        return one?.getAttribute('name') ?? one?.getAttribute('aria-label') ?? one?.textContent ?? '';
      });
    const dialogs = [
      ['Insert', 'Table', 'rows'],
      ['Insert', 'Picture', 'files'],
      ['Format', 'Spacing', 'spaceBefore'],
      ['File', 'Rename', 'name'],
      ['Help', 'Word count', 'Close'],
    ] as const;
    await ann.cursorAfter('to be');
    for (const [menu, entry, first] of dialogs) {
      await ann.choose(menu, entry);
      await frame.locator('dialog[open]').waitFor();
      expect([entry, await focused()]).toEqual([entry, first]);
      await ann.press('Escape');
      await frame.locator('dialog[open]').waitFor({ state: 'detached' });
      expect([entry, await focused()]).toEqual([entry, 'Document']);
    }
    await ann.select('link');
    await ann.press('Control+k');
    expect(await focused()).toBe('href');
    await ann.type('quire.example');
    await ann.press('Enter');
    await frame.locator('dialog[open]').waitFor({ state: 'detached' });
    await frame.locator('.ProseMirror a', { hasText: 'link' }).waitFor();
    await ann.press('End');
    await ann.type('!');
    await ann.editor.showsText('to be a link!');
    await ann.choose('File', 'Rename');
    await frame.locator('dialog[open]').waitFor();
    await ann.type('Another name');
    await ann.press('Enter');
    expect((await ann.editor.event('onRequestRename')).data).toMatch(/^Another name/);
    expect(ann.editor.problems).toEqual([]);
    await ann.editor.page.close();
  });

  it('[EW41] the menu of selected cells is about these cells', async () => {
    const cell = (text: string) => `<w:tc><w:tcPr/><w:p>${run(text)}</w:p></w:tc>`;
    const document = new EditedDocument(world, 'merge', {
      body: `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${cell('ca')}${cell('cb')}</w:tr></w:tbl>${plain('end')}`,
    });
    const ann = await document.open();
    await ann.drag('ca', 'cb');
    const { left, right, y } = await ann.boxOf('cb');
    await ann.editor.page.mouse.click((left + right) / 2, y, { button: 'right' });
    await ann.editor.frame.getByRole('menu').getByRole('menuitem', { name: 'Merge cells' }).click();
    await eventually(
      () => ann.editor.frame.locator('.ProseMirror td').count(),
      (count) => count === 1,
    );
    expect(ann.editor.problems).toEqual([]);
    await ann.editor.page.close();
  });

  it('[EF14] text copied inside of a document, to another and from the web keeps its formatting', async () => {
    const context = await world.newContext({ viewport: { width: 1500, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const one = new EditedDocument(world, 'copy-from', {
      body: `<w:p>${run('bold text', '<w:b/>')}</w:p><w:p>${run('to here ')}</w:p>`,
    });
    const other = new EditedDocument(world, 'copy-to', { paragraphs: ['There: '] });
    const ann = await one.open('Ann', { context });
    await ann.select('bold text');
    await ann.press('Control+c');
    await ann.cursorAfter('to here');
    await ann.press('End', 'Control+v');
    await ann.editor.showsText('bold text\nto here bold text');
    const bob = await other.open('Bob', { context });
    await bob.cursorAfter('There:');
    await bob.press('End', 'Control+v');
    await bob.editor.showsText('There: bold text');
    await bob.editor.frame.evaluate(() =>
      navigator.clipboard.write([
        new ClipboardItem({ 'text/html': new Blob(['<p><i>from</i> the web</p>'], { type: 'text/html' }) }),
      ]),
    );
    await bob.press('Enter', 'Control+v');
    await bob.editor.showsText('There: bold text\nfrom the web');
    expect([...ann.editor.problems, ...bob.editor.problems]).toEqual([]);
    const first = await one.delivered(ann);
    expect(first['word/document.xml']).toMatch(
      /to here <\/w:t><\/w:r><w:r><w:rPr><w:b\/><\/w:rPr><w:t[^>]*>bold text/,
    );
    const second = await other.delivered(bob);
    expect(second['word/document.xml']).toMatch(
      /There: <\/w:t><\/w:r><w:r><w:rPr><w:b\/><\/w:rPr><w:t[^>]*>bold text/,
    );
    expect(second['word/document.xml']).toMatch(/<w:i\/>.*<w:t[^>]*>from<\/w:t>/);
    await context.close();
  });
});
