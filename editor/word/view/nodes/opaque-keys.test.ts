import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { deletePastHidden, passHidden } from './opaque-keys.ts';

const { nodes } = wordSchema;
const anchor = () => nodes.anchor.create({ kind: 'bookmarkStart' });

/** `|` stands for an anchor. */
function stateOf(text: string, at: number): EditorState {
  const content = [...text].map((char) => (char === '|' ? anchor() : wordSchema.text(char)));
  const doc = nodes.doc.create(null, [
    nodes.paragraph.create(null, wordSchema.text('x')),
    nodes.paragraph.create(null, content),
  ]);
  return EditorState.create({ doc, selection: TextSelection.create(doc, 4 + at) });
}

function runOn(state: EditorState, command: Command): { done: boolean; at: number; text: string } {
  let next = state;
  const done = command(state, (transaction) => {
    next = state.apply(transaction);
  });
  const text = next.doc.children.map((block) => block.textBetween(0, block.content.size, '', '|')).join('/');
  return { done, at: next.selection.head - 4, text };
}

describe('keys beside what cannot be seen', () => {
  it('[VW31] an arrow goes over it and one letter', () => {
    expect(runOn(stateOf('a||bc', 1), passHidden(1, false))).toMatchObject({ done: true, at: 4 });
    expect(runOn(stateOf('a||bc', 3), passHidden(-1, false))).toMatchObject({ done: true, at: 0 });
    expect(runOn(stateOf('abc', 1), passHidden(1, false))).toMatchObject({ done: false, at: 1 });
  });

  it('[VW31] at the edge of the paragraph the key goes on from beyond it', () => {
    expect(runOn(stateOf('a|', 1), passHidden(1, false))).toMatchObject({ done: false, at: 2 });
  });

  it('[VW31] a letter is deleted beyond it, whole, and it stays', () => {
    expect(runOn(stateOf('a||bc', 3), deletePastHidden(-1))).toMatchObject({ done: true, text: 'x/||bc' });
    expect(runOn(stateOf('a|bc', 1), deletePastHidden(1))).toMatchObject({ done: true, text: 'x/a|c' });
    const family = stateOf('|', 1);
    const typed = family.apply(family.tr.insertText('👨‍👩‍👧', 4));
    const before = typed.apply(
      typed.tr.setSelection(TextSelection.create(typed.doc, typed.doc.content.size - 1)),
    );
    expect(runOn(before, deletePastHidden(-1)).text).toBe('x/|');
  });

  it('[VW31] backspace with nothing else before the cursor joins the paragraphs, and it stays', () => {
    expect(runOn(stateOf('||bc', 2), deletePastHidden(-1))).toMatchObject({ done: true, text: 'x||bc' });
  });
});
