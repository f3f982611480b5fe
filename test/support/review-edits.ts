import type { Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { wordSchema } from '../../model/word/schema.ts';

const { nodes } = wordSchema;

/** An edit of comments or tracked marks at two positions of a document. */
export type ReviewEdit = (transform: Transform, from: number, to: number, text: string) => unknown;

const DATE = '2025-01-02T03:04:05Z';

const anchor = (kind: 'Start' | 'End', ref: string) =>
  nodes.anchor.create({ kind: `commentRange${kind}`, ref });

export const REVIEW_EDITS: readonly ReviewEdit[] = [
  (tr, from, to, text) => {
    const ref = `n${tr.doc.content.size}`;
    tr.insert(to, [anchor('End', ref), nodes.comment.create({ ref, author: 'Me', date: DATE, text })]);
    tr.insert(from, anchor('Start', ref));
  },
  (tr, from, to, text) =>
    onComment(tr, from, ({ attrs }, position) => {
      const answer = { ref: `a${to}`, parent: attrs.ref, author: text, initials: 'M', text };
      tr.insert(position + 1, nodes.comment.create(answer));
    }),
  (tr, from, to, text) =>
    onComment(tr, from, ({ attrs }, position) => {
      const lines = to % 2 === 0 ? `${attrs.text}\n${text}` : `${text}\n${attrs.text}`;
      tr.setNodeAttribute(position, 'text', lines);
    }),
  (tr, from) =>
    onComment(tr, from, ({ attrs }, position) => tr.setNodeAttribute(position, 'done', !attrs.done)),
  (tr, from) => onComment(tr, from, (_node, position) => tr.delete(position, position + 1)),
  (tr, from, to) => tr.insert(to, anchor(from % 2 === 0 ? 'Start' : 'End', '0')),
  (tr, from, _to, text) => tr.setNodeAttribute(from, 'markInserted', { author: text, date: DATE }),
  (tr, from) => tr.setNodeAttribute(from, 'markInserted', null),
];

/** Tracked deletions of breaks between paragraphs: programs show the paragraphs before and after as one. */
export const BREAK_DELETIONS: readonly ReviewEdit[] = [
  (tr, from, _to, text) => tr.setNodeAttribute(from, 'markDeleted', { author: text, date: null }),
  (tr, from) => tr.setNodeAttribute(from, 'markDeleted', null),
];

function onComment(tr: Transform, from: number, edit: (node: Node, position: number) => unknown): void {
  const places: [Node, number][] = [];
  tr.doc.descendants((node, position) => {
    if (node.type === nodes.comment) places.push([node, position]);
  });
  const place = places[from % places.length];
  if (place) edit(...place);
}
