import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { Styles } from '../../styles/styles.ts';
import { type Adoption, adoptSlice, presentIds } from './adopt-slice.ts';
import { decodeSlice, encodeSlice, foreignLists } from './quire-clipboard.ts';

const { nodes, marks } = wordSchema;
const text = (value: string, ...set: Mark[]) => wordSchema.text(value, set);
const slice = (...content: Node[]) => new Slice(Fragment.fromArray(content), 0, 0);

const here: Adoption = {
  sameDocument: true,
  present: new Set(['p1', 'n1', 'a1']),
  listId: (id) => id,
  styleId: (id) => id,
};
const elsewhere: Adoption = {
  sameDocument: false,
  present: new Set(),
  listId: foreignLists({ '3': 'bullet', '4': 'other' }, () => 'tag'),
  styleId: (id) => (id === 'Heading1' ? 'Title1' : null),
};

describe('content that was copied in Quire', () => {
  it('[VW18] a copy in the same document is nobody’s block, and takes from its original what the model does not hold', () => {
    const { content } = adoptSlice(
      slice(nodes.paragraph.create({ id: 'p1', style: 'S', listId: '3' }, text('x'))),
      here,
    );
    expect(content.firstChild!.attrs).toMatchObject({ id: null, origin: 'p1', style: 'S', listId: '3' });
  });

  it('[VW18] bookmarks, comments and references to notes come along once', () => {
    const anchor = (id: string) => nodes.anchor.create({ id, kind: 'bookmarkStart', ref: 'b' });
    const note = (id: string) => nodes.opaque_inline.create({ id, kind: 'w:footnoteReference', ref: '1' });
    const copied = nodes.paragraph.create(null, [
      anchor('n1'),
      anchor('n2'),
      note('a1'),
      note('a2'),
      text('x'),
    ]);
    const paragraph = adoptSlice(slice(copied), here).content.firstChild!;
    expect(paragraph.children.map(({ attrs, isText }) => (isText ? 'x' : attrs.id))).toEqual([
      'n2',
      'a2',
      'x',
    ]);
  });

  it('[VW18] other opaque content and pictures may be there twice', () => {
    const copied = nodes.paragraph.create(null, [
      nodes.opaque_inline.create({ id: 'a1', kind: 'field', label: '7' }),
      nodes.image.create({ id: 'a1', src: 'media/a.png' }),
    ]);
    expect(adoptSlice(slice(copied), here).content.firstChild!.childCount).toBe(2);
  });

  it('[VW18] tracked changes come as if accepted', () => {
    const copied = nodes.paragraph.create({ markInserted: { author: 'a', date: null } }, [
      text('new', marks.ins.create({ author: 'a' })),
      text('old', marks.del.create({ author: 'a' })),
    ]);
    const paragraph = adoptSlice(slice(copied), here).content.firstChild!;
    expect(paragraph.textContent).toBe('new');
    expect(paragraph.firstChild!.marks).toEqual([]);
    expect(paragraph.attrs.markInserted).toBeNull();
  });

  it('[VW19] from another document nothing stays that only has a meaning there', () => {
    const ofFile = { id: 'p9', style: 'Heading1', listId: '3', listLevel: 1, settled: 'accepted' };
    const settled = marks.settled.create({ decision: 'accepted' });
    const copied = nodes.paragraph.create(ofFile, [
      text('kept', marks.bold.create(), marks.rx.create({ index: 5 }), settled),
      text('link', marks.link.create({ key: 4, href: 'https://example.org/' })),
      nodes.opaque_inline.create({ id: 'a1', kind: 'field', label: 'page 7' }),
      nodes.opaque_inline.create({ id: 'a2', kind: 'w:footnoteReference', ref: '1' }),
      nodes.image.create({ id: 'i1', src: 'media/a.png', alt: 'A cat' }),
      nodes.anchor.create({ id: 'n1', kind: 'bookmarkStart' }),
    ]);
    const paragraph = adoptSlice(slice(copied), elsewhere).content.firstChild!;
    expect(paragraph.attrs).toMatchObject({
      id: null,
      origin: null,
      style: 'Title1',
      listId: 'new-bullet-tag',
      listLevel: 1,
      settled: null,
    });
    expect(paragraph.textContent).toBe('keptlinkpage 7[A cat]');
    const names = paragraph.children.map((node) =>
      node.marks.map(({ type, attrs }) => `${type.name}${attrs.key ?? ''}`),
    );
    expect(names.flat()).toEqual(['bold', 'link']);
    paragraph.check();
  });

  it('[VW19] a list of another document stays one list', () => {
    const item = (listId: string) => nodes.paragraph.create({ listId });
    const { content } = adoptSlice(slice(item('3'), item('3'), item('4'), item('new-roman-q')), elsewhere);
    expect(content.content.map(({ attrs }) => attrs.listId)).toEqual([
      'new-bullet-tag',
      'new-bullet-tag',
      'new-decimal-tag',
      'new-roman-tag',
    ]);
  });

  it('[VW19] what is on the clipboard is checked like a change', () => {
    const styles = new Styles({ styles: [], defaults: { paragraph: {}, run: {} } });
    const copied = slice(nodes.paragraph.create({ id: 'p1' }, text('x')));
    const encoded = encodeSlice(copied, 'key', styles, () => 'bullet');
    expect(decodeSlice(encoded)?.slice.eq(copied)).toBe(true);
    for (const bad of [
      '',
      'null',
      '{}',
      encoded.replace('"p1"', '"<p>"'),
      encoded.replace('paragraph', 'table_row'),
    ]) {
      expect(decodeSlice(bad)).toBeNull();
    }
  });

  it('[VW18] knows which nodes of the file a document has', () => {
    const doc = nodes.doc.create(
      null,
      nodes.paragraph.create({ id: 'p1' }, nodes.anchor.create({ id: 'n1' })),
    );
    expect([...presentIds(doc)]).toEqual(['p1', 'n1']);
  });
});
