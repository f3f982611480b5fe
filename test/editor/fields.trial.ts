import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import type { DocxFixture } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { contentsField } from '../support/field-documents.ts';
import { fieldsOf } from '../support/field-reader.ts';
import { EditorWorld } from './editor-world.ts';
import { EditedDocument, type Person, plain, run } from './person.ts';

type Doing = readonly [name: string, act: (ann: Person) => Promise<void>, paragraphs: readonly string[]];

const doings: readonly Doing[] = [
  [
    'the paragraph that looks empty is joined with the one before',
    async (ann) => {
      await ann.cursorAfter('Two');
      await ann.press('ArrowDown', 'Home', 'Backspace');
    },
    ['Before', 'One', 'Two', 'After'],
  ],
  [
    'the first entry is selected with its break and deleted',
    async (ann) => {
      await ann.cursorAfter('One');
      await ann.press('Home', 'Shift+ArrowDown', 'Delete');
    },
    ['Before', 'Two', '', 'After'],
  ],
  [
    'something is typed over what reaches from before the field into it',
    async (ann) => {
      await ann.cursorAfter('Bef');
      await ann.press('Shift+ArrowDown');
      await ann.type('x');
    },
    ['Befxe', 'Two', '', 'After'],
  ],
  [
    'the last entry and what follows the field are cut and put in at the end',
    async (ann) => {
      await ann.cursorAfter('Tw');
      await ann.press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+End', 'Control+x', 'End');
      await ann.press('Control+End', 'Enter', 'Control+v');
    },
    ['Before', 'One', 'Tw', 'o', '', 'After'],
  ],
];

const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const protectedFrom = (attributes: string): DocxFixture => ({
  paragraphs: ['First line:'],
  relationships: [{ id: 'rIdS', type: 'settings', target: 'settings.xml' }],
  parts: {
    'word/settings.xml': `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:documentProtection ${attributes}/></w:settings>`,
  },
});

describe.skipIf(!hasBrowser)('fields across paragraphs in the page', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it.each(doings)('[FD16] the file has whole fields and all text: %s', async (_name, act, paragraphs) => {
    const document = new EditedDocument(world, 'fields', { body: contentsField });
    const ann = await document.open();
    await act(ann);
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const read = fieldsOf(after['word/document.xml']!);
    expect(read).toEqual({ isBalanced: true, paragraphs });
    expect(after['word/document.xml']).toContain('instrText');
  });

  const isEditable = ({ editor }: Person) =>
    editor.frame.locator('.ProseMirror').getAttribute('contenteditable');

  it('[FD53] a protection is honoured and told until somebody lifts it, for everybody and in the file', async () => {
    const fixture = protectedFrom('w:edit="comments" w:enforcement="1"');
    const document = new EditedDocument(world, 'protected', fixture);
    const ann = await document.open();
    await ann.editor.showsNotice(/^This document is protected: it can only be commented on\./);
    const bob = await document.open('Bob');
    expect([await isEditable(ann), await isEditable(bob)]).toEqual(['false', 'false']);
    await ann.choose('File', 'Lift protection');
    await bob.editor.showsNotice(/^The document is no longer protected\.$/);
    await eventually(
      async () => [await isEditable(ann), await isEditable(bob)],
      (editable) => editable.every((one) => one === 'true'),
    );
    await bob.editor.typeAfter('First line:', ' free');
    await ann.editor.showsText('First line: free');
    expect([...ann.editor.problems, ...bob.editor.problems]).toEqual([]);
    const after = await document.delivered(ann, bob);
    expect(after['word/settings.xml']).toContain(
      '<w:documentProtection w:edit="comments" w:enforcement="0"/>',
    );
    expect(after['word/document.xml']).toContain('> free<');
  });

  it('[FD54] a password is asked for, and told where it is wrong', async () => {
    const hash = 'w:cryptAlgorithmSid="4" w:cryptSpinCount="1" w:hash="aGFzaA==" w:salt="c2FsdA=="';
    const fixture = protectedFrom(`w:edit="readOnly" w:enforcement="1" ${hash}`);
    const ann = await new EditedDocument(world, 'password', fixture).open();
    await ann.choose('File', 'Lift protection');
    const dialog = ann.editor.frame.getByRole('dialog');
    await dialog.locator('[name="password"]').fill('wrong');
    await dialog.getByRole('button', { name: 'Lift protection' }).click();
    await dialog.getByText('This is not the password.').waitFor();
    expect(await isEditable(ann)).toBe('false');
    expect(ann.editor.problems).toEqual([]);
    await ann.editor.page.close();
  });

  it('[FD55] [FD56] a placeholder is typed over, and a locked control says that it is locked', async () => {
    const body =
      plain('Before') +
      `<w:p>${run('Name: ')}${control('<w:showingPlcHdr/><w:text/>', run('Your name here'))}</w:p>` +
      `<w:p>${control('<w:lock w:val="sdtContentLocked"/>', run('Fixed words'))}</w:p>`;
    const document = new EditedDocument(world, 'controls', { body });
    const ann = await document.open();
    const { left, y } = await ann.boxOf('name here');
    await ann.editor.page.mouse.click(left + 3, y);
    await ann.told();
    await ann.type('Zoe');
    await ann.editor.showsText(/Name: Zoe/);
    await ann.select('words');
    await ann.type('x');
    await ann.editor.showsNotice(/^This field is locked$/);
    await ann.press('Delete');
    expect(await ann.editor.text()).toMatch(/Name: Zoe\s+Fixed words$/);
    expect(ann.editor.problems).toEqual([]);
    const xml = (await document.delivered(ann))['word/document.xml']!;
    expect(xml).toContain('Fixed words');
    expect(xml).toContain('Zoe');
    expect(xml).not.toMatch(/showingPlcHdr|Your name/);
  });
});
