import fc from 'fast-check';
import { type Attrs, Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { AuthorRules } from '../../../../model/word/rights/author-rules.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { changesIn } from './changes.ts';
import { insertTracked } from './insert-tracked.ts';
import { type Decision, revisionOf } from './revision.ts';
import { settle } from './settle.ts';
import { track } from './track.ts';
import { untracked } from './untracked.ts';

const { nodes, marks } = wordSchema;
const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const revision = revisionOf('Me', now);
const earlier = { author: 'Me', date: '2026-01-02T03:03:00Z' };
const others = { author: 'Ann', date: '2026-01-01T00:00:00Z' };

const markSets: readonly (readonly Mark[])[] = [
  [],
  [marks.bold.create()],
  [marks.ins.create(earlier)],
  [marks.ins.create(others)],
  [marks.del.create(others)],
  [marks.ins.create(others), marks.del.create(earlier)],
];

const run = (most: number) =>
  fc
    .tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.nat(most))
    .map(([text, set]) => wordSchema.text(text, [...markSets[set]!]));

const revisions = (most: number): fc.Arbitrary<Attrs> =>
  fc
    .nat(most)
    .map(
      (choice) => [{}, { markInserted: earlier }, { markInserted: others }, { markDeleted: others }][choice]!,
    );

/** Documents of paragraphs, with tracked changes of this author and another one if wanted. */
const documents = (tracked: boolean): fc.Arbitrary<Node> =>
  fc
    .array(
      fc.tuple(
        fc.array(run(tracked ? markSets.length - 1 : 1), { maxLength: 4 }),
        revisions(tracked ? 3 : 0),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((paragraphs) =>
      nodes.doc.create(
        null,
        paragraphs.map(([content, attrs], index) =>
          nodes.paragraph.create(index === paragraphs.length - 1 ? {} : attrs, Fragment.fromArray(content)),
        ),
      ),
    );

/** Something that somebody does, at places given as parts of the document. */
type Deed = readonly [kind: number, one: number, other: number];
const deeds = fc.array(
  fc.tuple(fc.nat(6), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 1,
    maxLength: 3,
  },
);

function textPlace(doc: Node, part: number): number {
  const places: number[] = [];
  doc.descendants((node, position) => {
    if (node.isTextblock) for (let at = 0; at <= node.content.size; at++) places.push(position + 1 + at);
    return !node.isTextblock;
  });
  return places[Math.min(places.length - 1, Math.floor(part * places.length))]!;
}

/** As it comes from the clipboard. */
function fresh(content: Fragment): Fragment {
  return Fragment.fromArray(
    content.content.map((node) =>
      node.isText
        ? node.mark(marks.del.removeFromSet(marks.ins.removeFromSet(node.marks)))
        : node.type.create({ ...node.attrs, markInserted: null, markDeleted: null }, fresh(node.content)),
    ),
  );
}

function act(tr: Transaction, [kind, one, other]: Deed): void {
  const [from, to] = [textPlace(tr.doc, one), textPlace(tr.doc, other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  switch (kind) {
    case 0:
      tr.insertText('XY', from);
      break;
    case 1:
      tr.delete(from, to);
      break;
    case 2:
      tr.insertText('Z', from, to);
      break;
    case 3:
      tr.split(from);
      break;
    case 4:
      tr.deleteRange(from, to);
      break;
    case 5: {
      const { content, openStart, openEnd } = tr.doc.slice(from, to);
      const slice = new Slice(fresh(content), openStart, openEnd);
      tr.replace(textPlace(tr.doc, (one + other) / 2), textPlace(tr.doc, (one + other) / 2), slice);
      break;
    }
    default:
      tr.insert(tr.doc.resolve(from).after(1), nodes.paragraph.create(null, wordSchema.text('new')));
  }
}

function settled(doc: Node, decision: Decision): Node {
  const tr = new Transform(doc);
  settle(tr, decision, { from: 0, to: doc.content.size });
  tr.doc.check();
  return tr.doc;
}

/** What people see: text with its look, paragraph by paragraph. */
const seen = (doc: Node) =>
  doc.children.map((node) =>
    node.children.map((child) => `${child.text}${child.marks.map(({ type }) => type.name)}`),
  );

const stateOf = (doc: Node) => EditorState.create({ doc });

describe('tracking', () => {
  for (const tracked of [false, true]) {
    it(`[RV1] accepting a tracked transaction gives what it did, rejecting it what was before${tracked ? ', also among earlier changes' : ''}`, () => {
      fc.assert(
        fc.property(documents(tracked), deeds, (doc, all) => {
          const state = stateOf(doc);
          const { tr } = state;
          for (const deed of all) act(tr, deed);
          const plain = untracked(state, tr);
          const result = track(state, tr, { revision, removesBlocks: true });
          result.doc.check();
          expect(seen(settled(result.doc, 'accept'))).toEqual(seen(settled(plain.doc, 'accept')));
          expect(seen(settled(result.doc, 'reject'))).toEqual(seen(settled(doc, 'reject')));
        }),
        { numRuns: 1_000 },
      );
    });
  }

  for (const tracked of [false, true]) {
    it(`[RL10] every replica takes each step of a tracked transaction, its rejection and their undoing from a reviewer${tracked ? ', also among earlier changes' : ''}`, () => {
      fc.assert(
        fc.property(documents(tracked), deeds, (given, all) => {
          // Between the halves of an empty paragraph a new one would take its place: the editor refuses that by itself.
          fc.pre(all.findLastIndex(([kind]) => kind === 6) <= 0);
          const doc = identified(given);
          const state = stateOf(doc);
          const { tr } = state;
          for (const deed of all) act(tr, deed);
          const result = track(state, tr, { revision, removesBlocks: false });
          const rules = new AuthorRules();
          takesAll(rules, result);
          const back = new Transform(result.doc);
          for (const [at, step] of [...result.steps.entries()].reverse())
            back.step(step.invert(result.docs[at]!));
          takesAll(rules.fork(), back);
          const rejection = new Transform(result.doc);
          const concerns = (_kind: string, author: string) => author === revision.author;
          settle(rejection, 'reject', { from: 0, to: result.doc.content.size, concerns });
          takesAll(rules, rejection);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('[RV2] deletes for good what the author inserted, and leaves struck what others did', () => {
    const doc = docOf([
      wordSchema.text('own', [marks.ins.create(earlier)]),
      wordSchema.text('others', [marks.ins.create(others)]),
      wordSchema.text('gone', [marks.del.create(others)]),
    ]);
    const result = done(doc, (tr) => tr.delete(1, doc.content.size - 1));
    expect(seen(result.doc)).toEqual([['othersins,del', 'gonedel']]);
    expect(
      result.doc
        .child(0)
        .child(0)
        .marks.map(({ attrs }) => attrs.author),
    ).toEqual(['Ann', 'Me']);
  });

  it('[RV3] leaves the cursor before what was struck, and behind it for the key that deletes forward', () => {
    const doc = docOf([wordSchema.text('abcd')]);
    const at = (head: number) =>
      stateOf(doc).apply(stateOf(doc).tr.setSelection(TextSelection.create(doc, head)));
    const backward = tracked(at(3), (tr) => tr.delete(2, 3));
    expect([backward.selection.from, backward.selection.empty]).toEqual([2, true]);
    const forward = tracked(at(3), (tr) => tr.delete(3, 4));
    expect(forward.selection.from).toBe(4);
    const typed = tracked(at(3), (tr) => tr.insertText('X', 2, 4));
    expect([seen(typed.doc), typed.selection.from]).toEqual([[['a', 'bcdel', 'Xins', 'd']], 5]);
  });

  it('[RV4] what is typed inside of struck text goes behind it, and is not struck', () => {
    const doc = docOf([wordSchema.text('gone', [marks.del.create(others)]), wordSchema.text('!')]);
    const result = done(doc, (tr) => tr.insertText('new', 3));
    expect(seen(result.doc)).toEqual([['gonedel', 'newins', '!']]);
    const plain = untracked(stateOf(doc), stateOf(doc).tr.insertText('new', 3));
    expect(seen(plain.doc)).toEqual([['godel', 'new', 'nedel', '!']]);
  });

  it('[RV5] a split marks the break of the first half, and deleting one’s own break joins again', () => {
    const doc = docOf([wordSchema.text('onetwo')]);
    const split = done(doc, (tr) => tr.split(4));
    expect(split.doc.children.map(({ attrs }) => [attrs.markInserted, attrs.markDeleted])).toEqual([
      [revision, null],
      [null, null],
    ]);
    const joined = done(split.doc, (tr) => tr.join(5));
    expect(joined.doc.eq(doc)).toBe(true);
    const struck = done(docOf([wordSchema.text('one')], [wordSchema.text('two')]), (tr) => tr.join(5));
    expect(struck.doc.children.map(({ attrs }) => attrs.markDeleted)).toEqual([revision, null]);
  });

  it('[RV5] revisions of a break stay with the break when somebody splits and joins untracked', () => {
    const doc = nodes.doc.create(null, [
      nodes.paragraph.create({ markInserted: others }, wordSchema.text('onetwo')),
      nodes.paragraph.create(null, wordSchema.text('three')),
    ]);
    const state = stateOf(doc);
    const inserted = ({ doc: { children } }: Transaction) =>
      children.map(({ attrs }) => attrs.markInserted?.author ?? null);
    expect(inserted(untracked(state, state.tr.split(4)))).toEqual([null, 'Ann', null]);
    expect(inserted(untracked(state, state.tr.join(8)))).toEqual([null]);
  });

  it('[RV6] a whole paragraph is struck with its break; accepting that leaves the properties of the next', () => {
    const doc = nodes.doc.create(null, [
      nodes.paragraph.create({ style: 'Heading1' }, wordSchema.text('head')),
      nodes.paragraph.create(null, wordSchema.text('text')),
    ]);
    const first = done(doc, (tr) => tr.delete(0, 6));
    expect(
      settled(first.doc, 'accept').children.map(({ attrs, textContent }) => [attrs.style, textContent]),
    ).toEqual([[null, 'text']]);
    const last = done(doc, (tr) => tr.delete(6, 12));
    expect(last.doc.children.map(({ attrs }) => attrs.markDeleted !== null)).toEqual([true, false]);
    expect(
      settled(last.doc, 'accept').children.map(({ attrs, textContent }) => [attrs.style, textContent]),
    ).toEqual([['Heading1', 'head']]);
    expect(settled(last.doc, 'reject').eq(doc)).toBe(true);
  });

  it('[RV6] rejecting a new paragraph in an empty heading leaves the heading', () => {
    const doc = nodes.doc.create(null, nodes.paragraph.create({ id: 'p1', style: 'Heading1' }));
    const attrs = { style: null, id: 'new', origin: 'p1' };
    const result = done(doc, (tr) => tr.split(1, 1, [{ type: nodes.paragraph, attrs }]));
    expect(settled(result.doc, 'reject').child(0).attrs).toMatchObject({ id: 'p1', style: 'Heading1' });
  });

  it('[RV7] formatting and tables are changed untracked; a reviewer’s deletion of rows strikes their text', () => {
    const bold = done(docOf([wordSchema.text('text')]), (tr) => tr.addMark(1, 3, marks.bold.create()));
    expect(seen(bold.doc)).toEqual([['tebold', 'xt']]);
    const cell = (text: string) =>
      nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text(text)));
    const row = (...texts: string[]) => nodes.table_row.create(null, texts.map(cell));
    const doc = nodes.doc.create(null, [
      nodes.table.create(null, [row('a', 'b'), row('c', 'd')]),
      nodes.paragraph.create(),
    ]);
    const rowSize = doc.child(0).child(0).nodeSize;
    const removal = (removesBlocks: boolean) =>
      track(stateOf(doc), stateOf(doc).tr.delete(1, 1 + rowSize), { revision, removesBlocks }).doc;
    expect(removal(true).child(0).childCount).toBe(1);
    const struck = removal(false);
    expect(struck.child(0).childCount).toBe(2);
    expect(changesIn(struck).map(({ kind, text }) => [kind, text])).toEqual([
      ['deletion', 'a'],
      ['deletion', 'b'],
    ]);
    const emptied = done(doc, (tr) =>
      tr.replace(3, 6, new Slice(Fragment.from(nodes.paragraph.create()), 0, 0)),
    );
    expect(emptied.doc.child(0).child(0).child(0).childCount).toBe(1);
    expect(changesIn(emptied.doc).map(({ kind, text }) => [kind, text])).toEqual([['deletion', 'a']]);
  });

  it('[FD24] a table pasted at the end with an empty paragraph before it is inserted, whatever of that has a place', () => {
    const cell = nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text('a')));
    const table = nodes.table.create(null, nodes.table_row.create(null, cell));
    const slice = new Slice(Fragment.from([nodes.paragraph.create(), table]), 1, 0);
    const doc = docOf([wordSchema.text('one')]);
    const result = done(doc, (tr) => tr.replace(doc.content.size, doc.content.size, slice));
    expect(result.doc.children.map(({ type }) => type.name)).toEqual(['paragraph', 'table']);
    expect(changesIn(result.doc).map(({ kind, text }) => [kind, text])).toEqual([['insertion', 'a']]);
  });

  it('[FD24] a table that comes to stand within a paragraph is inserted between its halves', () => {
    const cell = nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text('a')));
    const table = nodes.table.create(null, nodes.table_row.create(null, cell));
    const tr = new Transform(docOf([wordSchema.text('one')]));
    insertTracked(tr, 2, new Slice(Fragment.from(table), 0, 0), revision);
    expect(tr.doc.children.map(({ type }) => type.name)).toEqual(['paragraph', 'table', 'paragraph']);
    expect(changesIn(tr.doc).map(({ text }) => text)).toContain('a');
    tr.doc.check();
  });

  it('[RV8] comments and anchors are neither struck nor inserted, and stay where text is deleted', () => {
    const anchor = (kind: string) => nodes.anchor.create({ kind, ref: 'c1' });
    const doc = docOf([
      wordSchema.text('a'),
      anchor('commentRangeStart'),
      wordSchema.text('b'),
      anchor('commentRangeEnd'),
      nodes.comment.create({ ref: 'c1', text: 'why' }),
      wordSchema.text('c'),
    ]);
    const result = done(doc, (tr) => tr.delete(1, doc.content.size - 1));
    const kinds = (node: Node) =>
      node.child(0).children.map((child) => `${child.type.name} ${child.marks.length}`);
    expect(kinds(result.doc)).toEqual(['text 1', 'anchor 0', 'text 1', 'anchor 0', 'comment 0', 'text 1']);
    expect(kinds(settled(result.doc, 'accept'))).toEqual(['anchor 0', 'anchor 0', 'comment 0']);
  });

  it('[RV9] what somebody does within five minutes beside their change is part of it, later it is another', () => {
    const letters = (date: string) => {
      const doc = docOf([wordSchema.text('a', [marks.ins.create({ author: 'Me', date })])]);
      return done(doc, (tr) => tr.insertText('b', 2)).doc.child(0).childCount;
    };
    expect([letters('2026-01-02T03:00:00Z'), letters('2026-01-02T02:00:00Z')]).toEqual([1, 2]);
  });

  it('[RV9] a transaction that needs nothing is passed on as it is, with what else it says', () => {
    const doc = docOf([wordSchema.text('a', [marks.ins.create(revision)])]);
    const state = stateOf(doc);
    const own = state.tr.insertText('b', 2);
    expect(track(state, own, { revision, removesBlocks: true })).toBe(own);
    const given = state.tr.delete(1, 2).setMeta('note', 'kept').scrollIntoView();
    given.setMeta('rule', { transform: given, text: 'x' });
    const result = track(state, given, { revision, removesBlocks: true });
    expect([result.getMeta('note'), result.scrolledIntoView, result.getMeta('rule').transform]).toEqual([
      'kept',
      true,
      result,
    ]);
  });
});

/** Paragraphs as of an opened file. */
const identified = (doc: Node): Node =>
  nodes.doc.create(
    null,
    doc.children.map((node, at) => node.type.create({ ...node.attrs, id: `p${at}` }, node.content)),
  );

function takesAll(rules: AuthorRules, { steps, docs, doc }: Transform): void {
  const me = { name: revision.author, may: ['review'] as const };
  for (const [at, step] of steps.entries()) {
    const after = docs[at + 1] ?? doc;
    const taken = rules.take(docs[at]!, after, step, me);
    if (!taken) throw new Error(`${JSON.stringify(step)}\n${docs[at]}\n${after}`);
  }
}

function docOf(...paragraphs: Node[][]): Node {
  return nodes.doc.create(
    null,
    paragraphs.map((content) => nodes.paragraph.create(null, content)),
  );
}

function tracked(state: EditorState, make: (tr: Transaction) => Transaction): Transaction {
  const result = track(state, make(state.tr), { revision, removesBlocks: true });
  result.doc.check();
  return result;
}

const done = (doc: Node, make: (tr: Transaction) => Transaction) => tracked(stateOf(doc), make);
