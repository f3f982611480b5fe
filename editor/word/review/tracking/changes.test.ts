import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { changesIn, findAgain } from './changes.ts';
import { settle } from './settle.ts';
import { neighbourOf } from './settle-changes.ts';

const { nodes, marks } = wordSchema;
const ann = { author: 'Ann', date: '2026-01-01T00:00:00Z' };
const bob = { author: 'Bob', date: '2026-01-02T00:00:00Z' };
const inserted = (text: string, by = ann) => wordSchema.text(text, [marks.ins.create(by)]);
const deleted = (text: string, by = ann) => wordSchema.text(text, [marks.del.create(by)]);
const paragraph = (attrs: object, ...content: Node[]) => nodes.paragraph.create(attrs, content);

const doc = nodes.doc.create(null, [
  paragraph({ markInserted: ann }, wordSchema.text('one '), inserted('two')),
  paragraph(
    { markDeleted: bob },
    inserted('three', { ...ann, date: '2026-01-01T00:09:00Z' }),
    nodes.image.create({ src: 'media/a.png' }, null, [marks.ins.create(ann)]),
    wordSchema.text(' '),
    deleted('four', bob),
  ),
  paragraph({}, wordSchema.text('five', [marks.ins.create(ann), marks.del.create(bob)])),
]);

describe('tracked changes of a document', () => {
  it('[RV11] are listed in its order: one for all that an author did in one place, over runs and paragraphs', () => {
    expect(changesIn(doc).map(({ kind, author, date, text }) => [kind, author, date, text])).toEqual([
      ['insertion', 'Ann', ann.date, 'two¶three\ufffc'],
      ['deletion', 'Bob', bob.date, 'four¶five'],
      ['insertion', 'Ann', ann.date, 'five'],
    ]);
  });

  it('[RV11] are found again when the text before them has changed', () => {
    const before = changesIn(doc);
    const { doc: after } = new Transform(doc).insert(1, wordSchema.text('more '));
    expect(findAgain(changesIn(after), before, before[1]!)?.from).toBe(before[1]!.from + 5);
    const { doc: without } = new Transform(doc).delete(before[1]!.from, before[1]!.from + 2);
    expect(findAgain(changesIn(without), before, before[1]!)).toBeUndefined();
  });

  it('[RV11] are gone through in both directions, from one end to the other', () => {
    const all = changesIn(doc);
    const [first, second, third] = all;
    expect(neighbourOf(all, { from: 0, to: 0 }, 1)).toBe(first);
    expect(neighbourOf(all, first!, 1)).toBe(second);
    expect(neighbourOf(all, { from: doc.content.size, to: doc.content.size }, 1)).toBe(first);
    expect(neighbourOf(all, { from: 0, to: 0 }, -1)).toBe(third);
  });

  it('[RV12] are accepted or rejected one by one: the others stay', () => {
    const [, deletion] = changesIn(doc);
    const tr = new Transform(doc);
    settle(tr, 'accept', {
      ...deletion!,
      concerns: (kind, author) => kind === 'deletion' && author === 'Bob',
    });
    expect(changesIn(tr.doc).map(({ text }) => text)).toEqual(['two¶three\ufffc']);
    expect(tr.doc.children.map(({ textContent }) => textContent)).toEqual(['one two', 'three ']);
    const back = new Transform(doc);
    settle(back, 'reject', { from: 0, to: doc.content.size, concerns: (kind) => kind === 'deletion' });
    expect(changesIn(back.doc).map(({ kind }) => kind)).toEqual(['insertion', 'insertion']);
    expect(back.doc.textContent).toBe('one twothree fourfive');
  });

  it('[RV12] are settled as far as the selection goes', () => {
    const tr = new Transform(doc);
    settle(tr, 'reject', { from: 5, to: 7 });
    expect(tr.doc.child(0).textContent).toBe('one o');
  });
});
