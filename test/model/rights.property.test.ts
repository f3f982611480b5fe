import fc from 'fast-check';
import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { expect, test } from 'vitest';
import { settle } from '../../editor/word/review/tracking/settle.ts';
import type { AuthoredChange, ChangeAuthor, LimitedAct } from '../../model/log/change-author.ts';
import { applyChange, applyChanges, encodeChange } from '../../model/word/change.ts';
import { checkpointOf, documentAt } from '../../model/word/checkpoint.ts';
import { AuthorRules } from '../../model/word/rights/author-rules.ts';
import { documentRights } from '../../model/word/rights/document-rights.ts';
import { HeldSignatures } from '../../model/word/rights/signatures.ts';
import { wordSchema } from '../../model/word/schema.ts';

const { nodes, marks } = wordSchema;
const date = '2026-01-01T00:00:00Z';
const names = ['Ann', 'Bob', 'Zoe'];
const roles: readonly (readonly LimitedAct[] | undefined)[] = [
  undefined,
  ['review', 'comment'],
  ['review'],
  ['comment'],
  ['fill'],
  [],
];
const rights = documentRights({ fillable: ['4', 'w1'] });

const paragraph = (id: string, ...content: Node[]) => nodes.paragraph.create({ id }, content);
const start = nodes.doc.create(null, [
  paragraph(
    'p1',
    wordSchema.text('first'),
    wordSchema.text('bobs', [marks.ins.create({ author: 'Bob', date })]),
  ),
  paragraph(
    'p2',
    nodes.anchor.create({ kind: 'commentRangeStart', ref: '1' }),
    wordSchema.text('about'),
    nodes.anchor.create({ kind: 'commentRangeEnd', ref: '1' }),
    nodes.comment.create({ ref: '1', id: 'k1', author: 'Ann', text: 'why' }),
    wordSchema.text('struck', [marks.del.create({ author: 'Ann', date })]),
  ),
  nodes.block_wrap.create({ id: 'w1' }, paragraph('p3', wordSchema.text('form'))),
  paragraph('p4', wordSchema.text('Name: '), wordSchema.text('entry', [marks.within.create({ key: 4 })])),
  paragraph('p5', wordSchema.text('last')),
]);

/** Something that somebody sends, at places given as parts of the document. */
interface Deed {
  readonly who: number;
  readonly role: number;
  readonly kind: number;
  readonly one: number;
  readonly other: number;
  readonly signer: number;
}
const part = fc.double({ min: 0, max: 1, noNaN: true });
const deeds = fc.array(
  fc.record({
    who: fc.nat(names.length - 1),
    role: fc.nat(roles.length - 1),
    kind: fc.nat(15),
    one: part,
    other: part,
    // Mostly the author.
    signer: fc.nat(2 * names.length),
  }),
  { minLength: 1, maxLength: 14 },
);

function make(tr: Transform, { who, kind, one, other, signer }: Deed, number: number): void {
  const { size } = tr.doc.content;
  const [from, to] = [Math.floor(one * size), Math.floor(other * size)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const near = Math.min(to, from + 4);
  const signed = names[signer] ?? names[who]!;
  const by = { author: signed, date };
  const inside = tr.doc
    .resolve(from)
    .marks()
    .filter(({ type }) => type === marks.within);
  const ref = `n${number}`;
  const comments: number[] = [];
  const paragraphs: number[] = [];
  tr.doc.descendants((node, position) => {
    if (node.type === nodes.comment) comments.push(position);
    if (node.type === nodes.paragraph) paragraphs.push(position);
  });
  const pick = (list: number[]) => list[Math.floor(other * list.length)] ?? 0;
  const steps: readonly (() => unknown)[] = [
    () => tr.insert(from, wordSchema.text('xy', inside)),
    () => tr.insert(from, wordSchema.text('in', [marks.ins.create(by), ...inside])),
    () => tr.addMark(from, near, marks.del.create(by)),
    () => tr.addMark(from, near, marks.ins.create(by)),
    () => tr.removeMark(from, to, marks.ins),
    () => tr.removeMark(from, to, marks.del),
    () => tr.delete(from, near),
    () => tr.delete(from, to),
    () => tr.addMark(from, near, marks.bold.create()),
    () => tr.setNodeAttribute(pick(paragraphs), 'style', 'Title'),
    () =>
      tr.setNodeAttribute(
        pick(paragraphs),
        other < 0.5 ? 'markInserted' : 'markDeleted',
        one < 0.7 ? by : null,
      ),
    () => tr.split(from),
    () => tr.join(from),
    () => tr.insert(from, nodes.comment.create({ ref, author: signed, text: ref })),
    () => tr.setNodeAttribute(pick(comments), one < 0.5 ? 'text' : 'done', one < 0.5 ? ref : other < 0.5),
    () => tr.delete(pick(comments), pick(comments) + 1),
  ];
  steps[kind]!();
}

function changesOf(all: readonly Deed[]): AuthoredChange[] {
  let doc = start;
  const changes: AuthoredChange[] = [];
  for (const [number, deed] of all.entries()) {
    const tr = new Transform(doc);
    try {
      make(tr, deed, number);
    } catch {
      continue;
    }
    const author: ChangeAuthor = { name: names[deed.who]!, may: roles[deed.role] };
    for (const step of tr.steps) changes.push({ change: encodeChange('c', step), author });
    // What comes next is made where the log leads to, whoever was allowed what.
    doc = applyChanges(start, changes, 0, new AuthorRules(rights)).doc;
  }
  return changes;
}

/** The document with some inline nodes left out, or changed, as JSON. */
function seen(doc: Node, look: (node: Node) => Node | null): unknown {
  const visit = (node: Node): Node => {
    if (!node.isTextblock) return node.copy(Fragment.from(node.children.map(visit)));
    return node.copy(Fragment.fromArray(node.children.flatMap((child) => look(child) ?? [])));
  };
  return JSON.parse(JSON.stringify(visit(doc).toJSON()));
}

const isEnd = ({ type, attrs }: Node) =>
  type === nodes.anchor && /^commentRange(?:Start|End)$/.test(attrs.kind);
const beside = (node: Node) => node.type === nodes.comment || isEnd(node);
const without = (set: readonly Mark[]) => set.filter(({ type }) => type !== marks.ins && type !== marks.del);

/** What must be the same before and after whatever somebody with these rights does. */
function sameFor(name: string, may: readonly LimitedAct[], doc: Node): unknown {
  if (may.includes('fill')) {
    const filled = new Transform(doc);
    doc.descendants((node, position) => {
      if (node.attrs.id === 'w1') filled.delete(position + 1, position + node.nodeSize - 1);
    });
    let wasEntry = false;
    return seen(filled.doc, (node) => {
      const isEntry = marks.within.isInSet(node.marks)?.attrs.key === 4 && !beside(node);
      const first = isEntry && !wasEntry;
      wasEntry = isEntry;
      return isEntry ? (first ? wordSchema.text('*') : null) : node;
    });
  }
  const rejected = new Transform(doc);
  if (may.includes('review')) {
    const concerns = (_kind: string, author: string) => author === name;
    settle(rejected, 'reject', { from: 0, to: doc.content.size, concerns });
  }
  return seen(rejected.doc, (node) => {
    if (!beside(node)) return node;
    const plain = may.includes('review') ? node.mark(without(node.marks)) : node;
    if (!may.includes('comment')) return plain;
    if (node.type !== nodes.comment) return node.attrs.ref === '1' ? plain : null;
    return node.attrs.author === name
      ? null
      : node.type.create({ ...node.attrs, done: false }, null, plain.marks);
  });
}

function authorsIn(doc: Node): Map<string, string> {
  const found = new Map<string, string>();
  doc.descendants((node) => {
    for (const { type, attrs } of node.marks) {
      if (type === marks.ins || type === marks.del)
        found.set(`${type.name} ${attrs.author} ${attrs.date}`, attrs.author);
    }
    for (const name of ['markInserted', 'markDeleted']) {
      const revision = node.attrs[name];
      if (revision) found.set(`${name} ${revision.author} ${revision.date}`, revision.author);
    }
    if (node.type === nodes.comment)
      found.set(`comment ${node.attrs.ref} ${node.attrs.author}`, node.attrs.author);
  });
  return found;
}

test('[RL7] whatever people of any role send: each leaves what is not theirs, nobody signs for another, all replicas agree', () => {
  let applied = 0;
  fc.assert(
    fc.property(deeds, part, (all, at) => {
      const changes = changesOf(all);
      const rules = new AuthorRules(rights);
      const held = authorsIn(start);
      let doc = start;
      const begin = Math.floor(at * changes.length);
      let checkpoint: string | null = null;
      const skipped: number[] = [];
      for (const [index, entry] of changes.entries()) {
        if (index === begin) {
          const log = { index, digest: '0'.repeat(16), skipped: 0, gone: rules.goneFrom(doc) };
          checkpoint = JSON.stringify(checkpointOf(start, doc, log));
        }
        const after = applyChange(doc, entry, rules);
        if (typeof after === 'string') {
          skipped.push(index);
          continue;
        }
        const { name, may } = entry.author!;
        if (may && after !== doc) applied += 1;
        for (const [signature, author] of authorsIn(after)) {
          expect(held.has(signature) || author === name).toBe(true);
          held.set(signature, author);
        }
        if (may) expect(sameFor(name, may, after)).toEqual(sameFor(name, may, doc));
        doc = after;
      }
      const again = applyChanges(start, changes, 0, new AuthorRules(rights));
      expect(again.doc.eq(doc)).toBe(true);
      expect(again.skipped.map(({ index }) => index)).toEqual(skipped);
      if (checkpoint === null) return;
      const read = documentAt(start, JSON.parse(checkpoint));
      const later = new AuthorRules(rights, new HeldSignatures(read.checkpoint.gone));
      expect(applyChanges(read.doc, changes.slice(begin), begin, later).doc.eq(doc)).toBe(true);
    }),
    { numRuns: 700 },
  );
  expect(applied).toBeGreaterThan(40);
});
