import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentsField } from '../support/field-documents.ts';
import { fieldsOf } from '../support/field-reader.ts';
import { EditorWorld, hasBrowser } from './editor-world.ts';
import { EditedDocument, type Person } from './person.ts';

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

describe.skipIf(!hasBrowser)('fields across paragraphs in the page', { timeout: 120_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  }, 120_000);
  afterAll(() => world?.close());

  it.each(doings)('[FD16] the file has whole fields and all text: %s', async (name, act, paragraphs) => {
    const key = `fields-${doings.findIndex(([one]) => one === name)}`;
    const document = new EditedDocument(world, key, { body: contentsField });
    const ann = await document.open();
    await act(ann);
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const read = fieldsOf(after['word/document.xml']!);
    expect(read).toEqual({ isBalanced: true, paragraphs });
    expect(after['word/document.xml']).toContain('instrText');
  });
});
