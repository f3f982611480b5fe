import type { Node } from 'prosemirror-model';
import { AllSelection, EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { AuthorRules } from '../../../../model/word/rights/author-rules.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { matching, mentionAt, mentionedIn } from '../../../shell/comments/mentions.ts';
import { TypedAhead } from '../../../shell/comments/typed-ahead.ts';
import { untracked } from '../tracking/untracked.ts';
import {
  addComment,
  answer,
  changeComment,
  commentOfLink,
  commentText,
  linkToComment,
  newRef,
  rangeToComment,
  removeComment,
} from './comment-commands.ts';
import { commentMarks, commentsIn, markComments, placeOfThread, threadsAt } from './comment-marks.ts';
import { itemsIn, threadsOf } from './threads.ts';

const { nodes, marks } = wordSchema;
const revision = { author: 'Sales\u00a0Ann Bee', date: '2026-01-02T03:04:05Z' };
const paragraph = (...content: Node[]) => nodes.paragraph.create(null, content);
const start = EditorState.create({
  doc: nodes.doc.create(null, [
    paragraph(wordSchema.text('one two three')),
    paragraph(wordSchema.text('four')),
  ]),
  plugins: [commentMarks((author) => author !== 'Hidden')],
});

const comment = (ref: string, text = 'why?') => ({ ref, text, revision });
const commented = start.apply(addComment(start, { from: 5, to: 8 }, comment('c1')));
const select = (state: EditorState, from: number, to = from) =>
  state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
const kinds = (state: EditorState, index = 0) =>
  state.doc.child(index).children.map((node) => node.text ?? String(node.attrs.kind ?? node.type.name));
const marked = (state: EditorState) =>
  commentsIn(state)!
    .decorations.find()
    .map(({ from, to }) => state.doc.textBetween(from, to));
const threads = ({ doc }: EditorState) => threadsOf(itemsIn(doc));

describe('comments', () => {
  it('[RC2] stand between anchors around the text, with author, initials and date', () => {
    expect(kinds(commented)).toEqual([
      'one ',
      'commentRangeStart',
      'two',
      'commentRangeEnd',
      'comment',
      ' three',
    ]);
    expect(threads(commented)[0]?.comment).toMatchObject({
      ref: 'c1',
      author: revision.author,
      initials: 'AB',
      date: revision.date,
      text: 'why?',
      done: false,
    });
    expect(placeOfThread(commented, 'c1')?.text).toBe('two');
  });

  it('[RC2] are about the selection, the word at the cursor, or a place', () => {
    expect(rangeToComment(select(start, 2, 6))).toEqual({ from: 2, to: 6 });
    expect(rangeToComment(select(start, 6))).toEqual({ from: 5, to: 8 });
    const everything = start.apply(start.tr.setSelection(new AllSelection(start.doc)));
    expect(rangeToComment(everything)).toEqual({ from: 1, to: 20 });
    const empty = EditorState.create({ doc: nodes.doc.create(null, paragraph()) });
    expect(rangeToComment(empty)).toEqual({ from: 1, to: 1 });
    expect(kinds(empty.apply(addComment(empty, { from: 1, to: 1 }, comment('c9'))))).toEqual(['comment']);
  });

  it('[RC2] do not cut a link in two', () => {
    const link = marks.link.create({ href: 'https://example.org' });
    const state = EditorState.create({
      doc: nodes.doc.create(null, paragraph(wordSchema.text('linked', [link]))),
    });
    const { doc } = state.apply(addComment(state, { from: 2, to: 4 }, comment('c1')));
    expect(doc.child(0).children.every((node) => link.isInSet(node.marks))).toBe(true);
  });

  it('[RC3] are answered at the end of their thread, changed, resolved and deleted with their answers', () => {
    let state = commented.apply(answer(commented, 'c1', comment('c2', 'because'))!);
    state = state.apply(answer(state, 'c1', comment('c3', 'really'))!);
    expect(threads(state).map(({ ref, answers }) => [ref, ...answers.map((one) => one.text)])).toEqual([
      ['c1', 'because', 'really'],
    ]);
    state = state.apply(changeComment(state, 'c2', { text: 'so' })!);
    state = state.apply(changeComment(state, 'c1', { done: true })!);
    expect(threads(state)[0]).toMatchObject({ comment: { done: true }, answers: [{ text: 'so' }, {}] });
    expect(threads(state.apply(removeComment(state, 'c2')!))[0]?.answers.length).toBe(1);
    const without = state.apply(removeComment(state, 'c1')!);
    expect(without.doc.eq(start.doc)).toBe(true);
    expect(changeComment(without, 'c1', { done: false })).toBeNull();
    expect(answer(without, 'c1', comment('c4'))).toBeNull();
  });

  it('[RC3] answers to answers, and answers in a circle, belong to one thread', () => {
    const node = (ref: string, parent: string | null) => nodes.comment.create({ ref, parent });
    const items = [
      node('a', 'b'),
      node('b', 'a'),
      node('c', null),
      node('d', 'c'),
      node('e', 'd'),
      node('f', 'x'),
    ];
    const found = threadsOf(items.map((one, position) => ({ node: one, position })));
    expect(found.map(({ ref, answers }) => [ref, ...answers.map((one) => one.ref)])).toEqual([
      ['a'],
      ['b'],
      ['c', 'd', 'e'],
      ['f'],
    ]);
  });

  it('[RC4] marks move with the text and are made again only when comments change', () => {
    expect(marked(commented)).toEqual(['two']);
    const typed = commented.apply(commented.tr.insertText('xx', 7));
    expect(marked(typed)).toEqual(['txxwo']);
    expect(commentsIn(typed)!.threads).toBe(commentsIn(commented)!.threads);
    const elsewhere = typed.apply(typed.tr.insertText('yy', typed.doc.content.size - 1));
    expect(commentsIn(elsewhere)!.threads).toBe(commentsIn(commented)!.threads);
    expect(threadsAt(typed, 8)).toEqual(['c1']);
    expect(threadsAt(typed, 2)).toEqual([]);
    const resolved = typed.apply(changeComment(typed, 'c1', { done: true })!);
    expect(commentsIn(resolved)!.threads).not.toBe(commentsIn(typed)!.threads);
  });

  it('[RC4] a comment whose text is deleted is a point, and has its text again when that comes back', () => {
    const emptied = commented.apply(commented.tr.delete(6, 9));
    expect(
      commentsIn(emptied)!
        .decorations.find()
        .map(({ from, to }) => to - from),
    ).toEqual([1]);
    const again = emptied.apply(emptied.tr.insertText('new', 6));
    expect(marked(again)).toEqual(['new']);
  });

  it('[RC4] comments of authors that somebody may not see are not shown', () => {
    const hidden = { ref: 'c1', text: 'x', revision: { ...revision, author: 'Hidden' } };
    const state = start.apply(addComment(start, { from: 5, to: 8 }, hidden));
    expect([commentsIn(state)!.threads, marked(state)]).toEqual([[], []]);
  });

  it('[RC4] what a new comment is about moves with the text until it is written', () => {
    const drafted = start.apply(markComments(start.tr, { draft: { from: 5, to: 8 } }));
    const moved = drafted.apply(drafted.tr.insertText('zero ', 1));
    expect(commentsIn(moved)!.draft).toEqual({ from: 10, to: 13 });
    expect(marked(moved)).toEqual(['two']);
  });

  it('[RC5] stay when only a part of them is deleted, and go with all that they are about', () => {
    const cut = (from: number, to: number) => {
      const { tr } = commented;
      return commented.apply(untracked(commented, tr.delete(from, to)));
    };
    expect(kinds(cut(7, 14))).toEqual([
      'one ',
      'commentRangeStart',
      't',
      'commentRangeEnd',
      'comment',
      'ree',
    ]);
    expect(kinds(cut(2, 7))).toEqual([
      'o',
      'commentRangeStart',
      'wo',
      'commentRangeEnd',
      'comment',
      ' three',
    ]);
    expect(kinds(cut(2, 14))).toEqual(['oree']);
    const joined = cut(8, commented.doc.content.size - 2);
    expect(kinds(joined)).toEqual(['one ', 'commentRangeStart', 'tw', 'commentRangeEnd', 'comment', 'r']);
  });

  it('[RC6] somebody who may only comment changes nothing but comments', () => {
    const me = { name: revision.author, may: ['comment'] as const };
    const allowed = (tr: Transaction | null) => {
      const rules = new AuthorRules();
      return tr!.steps.every((step, at) => rules.take(tr!.docs[at]!, tr!.docs[at + 1] ?? tr!.doc, step, me));
    };
    expect(allowed(addComment(start, { from: 5, to: 8 }, comment('c1')))).toBe(true);
    expect(allowed(answer(commented, 'c1', comment('c2')))).toBe(true);
    expect(allowed(changeComment(commented, 'c1', { done: true }))).toBe(true);
    expect(allowed(removeComment(commented, 'c1'))).toBe(true);
    for (const tr of [
      start.tr.insertText('x', 1),
      start.tr.delete(1, 2),
      start.tr.split(3),
      start.tr.addMark(1, 3, marks.bold.create()),
      start.tr.setNodeAttribute(0, 'style', 'Title'),
      start.tr.insert(1, nodes.anchor.create({ kind: 'bookmarkStart', ref: 'x' })),
      commented.tr.delete(4, 6),
      commented.tr.replaceWith(5, 6, wordSchema.text('x')),
    ]) {
      expect(allowed(tr)).toBe(false);
    }
  });

  it('[RC7] are found by links also when the file gave them other numbers', () => {
    const link = linkToComment({ ref: 'c1', revision });
    expect(commentOfLink(commented, link)).toBe('c1');
    const renumbered = start.apply(addComment(start, { from: 5, to: 8 }, comment('7')));
    expect(commentOfLink(renumbered, link)).toBe('7');
    expect(commentOfLink(renumbered, '7')).toBe('7');
    expect(commentOfLink(renumbered, 'c2 2020-01-01T00:00:00Z')).toBeNull();
  });

  it('[RC8] have text that a file can hold, and names that the model takes', () => {
    expect(commentText('  a\u0000b\r\nc\ud800 ')).toBe('ab\nc\ufffd');
    expect(commentText('x'.repeat(40_000)).length).toBe(32_000);
    const refs = Array.from({ length: 50 }, newRef);
    expect(new Set(refs).size).toBe(50);
    for (const ref of refs) nodes.comment.create({ ref }).check();
  });
});

describe('a comment that is begun', () => {
  it('[RC13] gets what is typed before its field is there, also the keys that send it, and only that', () => {
    const ahead = new TypedAhead();
    const hear = (key: string, ctrlKey = false) => ahead.hear({ key, ctrlKey, metaKey: false });
    expect(hear('a')).toBe(false);
    ahead.begin();
    expect(['W', 'h', 'Backspace', 'y'].map((key) => hear(key))).toEqual([true, true, true, true]);
    expect(hear('z', true)).toBe(true);
    expect(ahead.take()).toEqual({ text: 'Wy', isSent: false });
    expect(hear('b')).toBe(false);
    ahead.begin();
    hear('a');
    expect(hear('Enter', true)).toBe(true);
    expect(hear('b')).toBe(true);
    expect(ahead.take()).toEqual({ text: 'a', isSent: true });
  });
});

describe('mentions', () => {
  const users = [
    { id: '1', name: 'Ann Bee', email: 'ann@example.org' },
    { id: '2', name: 'Ben', email: 'ben@example.org' },
    { id: '3', name: 'Carl', email: undefined },
  ];

  it('[RC9] begin with an @ at the start of a word', () => {
    expect(mentionAt('hello @an', 9)).toEqual({ start: 6, query: 'an' });
    expect(mentionAt('@', 1)).toEqual({ start: 0, query: '' });
    expect(mentionAt('mail ann@example', 16)).toBeNull();
    expect(mentionAt('@ann please', 11)).toBeNull();
  });

  it('[RC9] are found by name and address; those who are named and have an address are told', () => {
    expect(matching(users, 'BEE').map(({ id }) => id)).toEqual(['1']);
    expect(matching(users, 'ben@').map(({ id }) => id)).toEqual(['2']);
    expect(mentionedIn('@Ann Bee and @Carl: look', users)).toEqual(['ann@example.org']);
  });
});
