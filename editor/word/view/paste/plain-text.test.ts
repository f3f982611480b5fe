import { Fragment, Slice } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { sliceOfText, textOfSlice } from './plain-text.ts';

const { nodes, marks } = wordSchema;

describe('text without formatting', () => {
  it('[VW23] each line is a paragraph like that of the cursor, in the marks there; a tab is a tab', () => {
    const bold = marks.bold.create();
    const parent = nodes.paragraph.create(
      { id: 'p4', style: 'S', listId: '2' },
      wordSchema.text('ab', [bold]),
    );
    const doc = nodes.doc.create(null, parent);
    const { content, openStart, openEnd } = sliceOfText('one\ttwo\r\n\nthree\u0007\u200b', doc.resolve(2));
    expect([openStart, openEnd]).toEqual([1, 1]);
    expect(
      content.content.map((node) =>
        node.textBetween(0, node.content.size, '', (leaf) => `<${leaf.type.name}>`),
      ),
    ).toEqual(['one<tab>two', '', 'three']);
    expect(content.firstChild!.attrs).toMatchObject({ id: null, origin: 'p4', style: 'S', listId: '2' });
    expect(content.firstChild!.firstChild!.marks).toEqual([bold]);
  });

  it('[VW23] copied text has a line for each paragraph and tabs between cells', () => {
    const p = (value: string) => nodes.paragraph.create(null, wordSchema.text(value));
    const cell = (value: string) => nodes.table_cell.create(null, p(value));
    const table = nodes.table.create(null, [
      nodes.table_row.create(null, [cell('a'), cell('b')]),
      nodes.table_row.create(null, [cell('c'), cell('d')]),
    ]);
    const field = nodes.opaque_inline.create({ kind: 'field', label: '12' });
    const last = nodes.paragraph.create(null, [wordSchema.text('page '), field, nodes.line_break.create()]);
    expect(textOfSlice(new Slice(Fragment.fromArray([p('one'), table, last]), 0, 0))).toBe(
      'one\na\tb\nc\td\npage 12\n',
    );
  });
});
