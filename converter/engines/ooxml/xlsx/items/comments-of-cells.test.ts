import { expect, test } from 'vitest';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import { commentsOfCells } from './comments-of-cells.ts';

type Comment = ItemOf<'comment'>;
const comment = (row: number, more: Partial<Comment> = {}): Comment => ({
  ...{ cell: [row, 0], author: 'Ann', date: null, text: 'a' },
  ...more,
});
const parentsOf = (comments: ReadonlyMap<string, Comment>) =>
  Object.fromEntries([...comments].map(([id, { parent }]) => [id, parent ?? null]));

test('[XE73] answers answer the first of their thread, and those that answer nobody begin one', () => {
  const comments = new Map([
    ['first', comment(0)],
    ['answer', comment(0, { parent: 'first' })],
    ['toAnswer', comment(0, { parent: 'answer' })],
    ['toNobody', comment(1, { parent: 'gone' })],
    ['toItself', comment(2, { parent: 'toItself' })],
    ['one', comment(3, { parent: 'other' })],
    ['other', comment(4, { parent: 'one' })],
    ['note', comment(5, { isNote: true })],
    ['toNote', comment(6, { parent: 'note' })],
  ]);
  expect(parentsOf(commentsOfCells(new Map(), comments))).toEqual({
    ...{ first: null, answer: 'first', toAnswer: 'first', toNobody: null, toItself: null },
    ...{ one: null, other: null, note: null, toNote: null },
  });
});

test('[XE73] what the file has stays, and a long line of answers is one thread', () => {
  const ofFile = new Map([['lost', comment(0, { parent: 'gone' })]]);
  expect(commentsOfCells(ofFile, ofFile)).toBe(ofFile);
  const line = new Map(
    Array.from({ length: 20_000 }, (_, at) => [`${at}`, comment(0, at > 0 ? { parent: `${at - 1}` } : {})]),
  );
  expect(new Set(Object.values(parentsOf(commentsOfCells(new Map(), line))))).toEqual(new Set([null, '0']));
});

test('[XE73] a cell may have very many: those of the file stay, further threads answer the first', () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => `${at}`);
  const notes = new Map(numbers.map((id) => [id, comment(0, { isNote: true })]));
  expect(commentsOfCells(notes, notes)).toBe(notes);
  const threads = new Map(numbers.map((id) => [id, comment(0)]));
  expect(new Set(Object.values(parentsOf(commentsOfCells(new Map(), threads))))).toEqual(
    new Set([null, '0']),
  );
});
