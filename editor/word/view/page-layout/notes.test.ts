import { EditorState } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { noteNumbering, noteNumbers, notesInOrder, positionOfNote } from './notes.ts';

const { nodes } = wordSchema;
const reference = (ref: string, kind = 'footnote') =>
  nodes.opaque_inline.create({ kind: `w:${kind}Reference`, ref });

describe('references to notes', () => {
  it('[VW27] are numbered as they come, footnotes and endnotes each for themselves', () => {
    const state = EditorState.create({
      doc: nodes.doc.create(null, [
        nodes.paragraph.create(null, [reference('5'), wordSchema.text('a'), reference('2')]),
        nodes.paragraph.create(null, [reference('9', 'endnote'), reference('1')]),
      ]),
      plugins: [noteNumbering()],
    });
    expect(notesInOrder(state).map(({ ref }) => ref)).toEqual(['5', '2', '9', '1']);
    expect(noteNumbers(notesInOrder(state))).toEqual(['1', '2', 'i', '3']);
    const shorter = state.apply(state.tr.delete(1, 2));
    expect(noteNumbers(notesInOrder(shorter))).toEqual(['1', 'i', '2']);
    expect(positionOfNote(shorter, 0)).toBe(2);
    expect(positionOfNote(shorter, 7)).toBeNull();
  });
});
