import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import type { ChangeAuthor, LimitedAct } from '../../log/change-author.ts';
import { applyChange, applyChanges, encodeChange } from '../change.ts';
import { checkpointOf, documentAt } from '../checkpoint.ts';
import { wordSchema } from '../schema.ts';
import { AuthorRules } from './author-rules.ts';
import { documentRights, noRights } from './document-rights.ts';
import { HeldSignatures } from './signatures.ts';

const { nodes, marks } = wordSchema;
const mine = { author: 'Me', date: '2026-01-01T00:00:00Z' };
const hers = { ...mine, author: 'Ann' };
const ins = (by = mine) => marks.ins.create(by);
const del = (by = mine) => marks.del.create(by);
const text = (content: string, ...on: ReturnType<typeof ins>[]) => wordSchema.text(content, on);
const control = (key: number) => marks.within.create({ key });
const paragraph = (id: string, content: readonly Node[], attrs = {}) =>
  nodes.paragraph.create({ id, ...attrs }, content);
const end = (kind: string, ref: string) => nodes.anchor.create({ kind, ref });
const comment = (ref: string, author: string, more = {}) =>
  nodes.comment.create({ ref, author, text: `of ${author}`, ...more });
const cell = (content: string) => nodes.table_cell.create(null, paragraph(`c${content}`, [text(content)]));
const table = nodes.table.create({ id: 't' }, nodes.table_row.create(null, [cell('A'), cell('B')]));

const doc = nodes.doc.create(null, [
  paragraph('p1', [text('plain'), text('hers', ins(hers)), text('gone', del(hers)), text('own', ins())]),
  paragraph('p2', [
    end('commentRangeStart', '1'),
    text('about'),
    end('commentRangeEnd', '1'),
    comment('1', 'Ann', { id: 'k1' }),
    comment('2', 'Me', { id: 'k2', parent: '1' }),
  ]),
  paragraph('p3', [text('Name: '), text('entry', control(4)), text('.'), text('locked', control(5))]),
  table,
  nodes.block_wrap.create({ id: 'w1' }, [
    paragraph('p4', [text('free'), text('locked', control(5)), nodes.opaque_inline.create({ id: 'o1' })]),
    nodes.block_wrap.create({ id: 'w2' }, paragraph('p5', [text('locked')])),
  ]),
  paragraph('p6', [text('last')]),
]);
const rights = documentRights({ fillable: ['4', 'w1'] });

/** The place of a text in a document. */
function placeOf(content: string, within: Node = doc): number {
  let found = -1;
  within.descendants((node, position) => {
    const at = found < 0 && node.isText ? node.text!.indexOf(content) : -1;
    if (at >= 0) found = position + at;
  });
  if (found < 0) throw new Error(`there is no ${content}`);
  return found;
}
const from = placeOf;
const to = (content: string) => placeOf(content) + content.length;
function blockOf(id: string): number {
  let found = -1;
  doc.descendants((node, position) => {
    if (node.attrs.id === id) found = position;
  });
  return found;
}
const commentAt = (ref: string) => {
  let found = -1;
  doc.descendants((node, position) => {
    if (node.type === nodes.comment && node.attrs.ref === ref) found = position;
  });
  return found;
};

type Deed = (tr: Transform) => unknown;

/** Whether a replica takes every step from an author. */
function takes(author: ChangeAuthor | null, ...deeds: Deed[]): boolean {
  const rules = new AuthorRules(rights);
  const tr = new Transform(doc);
  let current = doc;
  for (const deed of deeds) deed(tr);
  if (tr.steps.length === 0) throw new Error('a deed that does nothing');
  return tr.steps.every((step) => {
    const after = applyChange(current, { change: encodeChange('c', step), author }, rules);
    if (after === 'not-allowed') return false;
    if (typeof after === 'string') throw new Error(after);
    current = after;
    return true;
  });
}
const me = (...may: LimitedAct[]): ChangeAuthor => ({ name: 'Me', may });

const textDeeds: [string, Deed][] = [
  ['replace text', (tr) => tr.replaceWith(from('plain'), to('plain'), text('forged'))],
  ['insert text', (tr) => tr.insert(from('plain'), text('forged'))],
  ['delete text', (tr) => tr.delete(from('plain'), to('plain'))],
  ['set a format', (tr) => tr.addMark(from('plain'), to('plain'), marks.bold.create())],
  ['make a heading', (tr) => tr.setNodeMarkup(blockOf('p1'), null, { id: 'p1', style: 'Heading1' })],
  ['set a property', (tr) => tr.setNodeAttribute(blockOf('p1'), 'align', 'center')],
  ['take what the model does not hold from another block', (tr) => tr.setNodeAttribute(0, 'id', 'p6')],
  ['insert a table', (tr) => tr.insert(0, table)],
  ['insert a paragraph', (tr) => tr.insert(0, paragraph('n', [text('forged')]))],
  ['delete a table', (tr) => tr.delete(blockOf('t'), blockOf('t') + table.nodeSize)],
  ['delete a cell', (tr) => tr.delete(blockOf('t') + 2, blockOf('t') + 2 + cell('A').nodeSize)],
  ['split a paragraph', (tr) => tr.split(from('plain') + 2)],
  ['join paragraphs', (tr) => tr.join(blockOf('p2'))],
  ['move a paragraph', (tr) => tr.delete(blockOf('p6'), doc.content.size)],
  ['delete an insertion of somebody else', (tr) => tr.delete(from('hers'), to('hers'))],
  ['accept an insertion of somebody else', (tr) => tr.removeMark(from('hers'), to('hers'), ins(hers))],
  ['accept an own insertion', (tr) => tr.removeMark(from('own'), to('own'), ins())],
  ['accept a deletion of somebody else', (tr) => tr.delete(from('gone'), to('gone'))],
  ['reject a deletion of somebody else', (tr) => tr.removeMark(from('gone'), to('gone'), del(hers))],
  ['take over a deletion', (tr) => tr.addMark(from('gone'), to('gone'), del())],
  ['say that text was inserted', (tr) => tr.addMark(from('plain'), to('plain'), ins())],
  ['insert in the name of somebody else', (tr) => tr.insert(from('plain'), text('forged', ins(hers)))],
  ['delete in the name of somebody else', (tr) => tr.addMark(from('plain'), to('plain'), del(hers))],
  ['say that somebody else broke the line', (tr) => tr.setNodeAttribute(blockOf('p1'), 'markInserted', hers)],
];
const commentDeeds: [string, Deed][] = [
  ['change a comment of somebody else', (tr) => tr.setNodeAttribute(commentAt('1'), 'text', 'forged')],
  ['take over a comment', (tr) => tr.setNodeAttribute(commentAt('1'), 'author', 'Me')],
  ['sign an own comment otherwise', (tr) => tr.setNodeAttribute(commentAt('2'), 'author', 'Ann')],
  ['delete a comment of somebody else', (tr) => tr.delete(commentAt('1'), commentAt('1') + 1)],
  [
    'move a comment of somebody else',
    (tr) => tr.delete(commentAt('1'), commentAt('1') + 1).insert(1, comment('1', 'Ann', { id: 'k1' })),
  ],
  ['take away what a comment is about', (tr) => tr.delete(blockOf('p2') + 1, blockOf('p2') + 2)],
  ['comment in the name of somebody else', (tr) => tr.insert(1, comment('3', 'Ann'))],
  ['comment in the name of somebody new', (tr) => tr.insert(1, comment('3', 'Zoe'))],
  ['take the number of a comment of somebody else', (tr) => tr.insert(1, comment('1', 'Me'))],
  ['take the place of a comment in the file', (tr) => tr.insert(1, comment('3', 'Me', { id: 'k1' }))],
  ['say that a comment is about more', (tr) => tr.insert(1, end('commentRangeStart', '1'))],
  ['set a bookmark', (tr) => tr.insert(1, end('bookmarkStart', 'b'))],
];
const ownComments: [string, Deed][] = [
  ['comment', (tr) => tr.insert(to('plain'), [end('commentRangeEnd', 'n'), comment('n', 'Me')])],
  [
    'comment, then say what it is about',
    (tr) => {
      tr.insert(to('plain'), [end('commentRangeEnd', 'n'), comment('n', 'Me')]);
      tr.insert(from('plain'), end('commentRangeStart', 'n'));
    },
  ],
  ['answer', (tr) => tr.insert(commentAt('2') + 1, comment('n', 'Me', { parent: '1' }))],
  ['change an own comment', (tr) => tr.setNodeAttribute(commentAt('2'), 'text', 'better')],
  ['delete an own comment', (tr) => tr.delete(commentAt('2'), commentAt('2') + 1)],
  ['resolve', (tr) => tr.setNodeAttribute(commentAt('1'), 'done', true)],
];
const ownReviews: [string, Deed][] = [
  ['insert tracked', (tr) => tr.insert(to('plain'), text('new', ins()))],
  ['insert a formatted picture tracked', (tr) => tr.insert(1, nodes.tab.create(null, null, [ins()]))],
  ['delete tracked', (tr) => tr.addMark(from('plain'), to('plain'), del())],
  ['delete an insertion of somebody else tracked', (tr) => tr.addMark(from('hers'), to('hers'), del())],
  [
    'delete a comment of somebody else tracked',
    (tr) => tr.addMark(commentAt('1'), commentAt('1') + 1, del()),
  ],
  ['break the line after a paragraph tracked', (tr) => tr.setNodeAttribute(0, 'markDeleted', mine)],
  ['take an own insertion back', (tr) => tr.delete(from('own'), to('own'))],
  ['format an own insertion', (tr) => tr.addMark(from('own'), to('own'), marks.bold.create())],
  [
    'delete tracked and take it back',
    (tr) => tr.addMark(from('plain'), to('plain'), del()).removeMark(from('plain'), to('plain'), del()),
  ],
  [
    'insert a paragraph tracked',
    (tr) => tr.insert(0, paragraph('n', [text('x', ins())], { markInserted: mine })),
  ],
];
const entries: [string, Deed][] = [
  ['fill in a control', (tr) => tr.replaceWith(from('entry'), to('entry'), text('value', control(4)))],
  ['put letters into a control', (tr) => tr.insert(from('entry') + 1, text('x', control(4)))],
  ['fill in a control of paragraphs', (tr) => tr.insert(from('free'), text('more '))],
  ['break a line in a control of paragraphs', (tr) => tr.split(from('free') + 2)],
];
const noEntries: [string, Deed][] = [
  ...textDeeds,
  ...commentDeeds,
  ['empty a control', (tr) => tr.delete(from('entry'), to('entry'))],
  ['lead text out of a control', (tr) => tr.insert(to('entry'), text('x'))],
  ['take text into a control', (tr) => tr.addMark(from('Name'), to('Name'), control(4))],
  ['fill in a locked control', (tr) => tr.insert(from('.') + 2, text('x', control(5)))],
  ['delete a locked control in another', (tr) => tr.delete(from('free') + 4, from('free') + 10)],
  ['delete what the model does not know in a control', (tr) => tr.delete(blockOf('o1'), blockOf('o1') + 1)],
  ['change a locked control of paragraphs', (tr) => tr.insert(blockOf('p5') + 1, text('x'))],
  ['take a control away', (tr) => tr.delete(blockOf('w1'), blockOf('p6'))],
  ['name a control otherwise', (tr) => tr.setNodeAttribute(blockOf('w1'), 'id', 'w9')],
];

describe('by whom changes apply', () => {
  it.each(textDeeds)('[RL2] who may only review cannot %s', (_name, deed) => {
    expect(takes(me('review', 'comment'), deed)).toBe(false);
  });
  it.each(commentDeeds)('[RL2] who may only review cannot %s', (_name, deed) => {
    expect(takes(me('review', 'comment'), deed)).toBe(false);
  });
  it.each([...ownReviews, ...ownComments])('[RL2] who may review and comment can %s', (_name, deed) => {
    expect(takes(me('review', 'comment'), deed)).toBe(true);
  });
  it.each(ownComments)('[RL2] who may review but not comment cannot %s', (_name, deed) => {
    expect(takes(me('review'), deed)).toBe(false);
  });

  it('[RL2] a deletion that somebody made in an own insertion stays with what stays of it', () => {
    const strike: Deed = (tr) => tr.addMark(from('own'), to('own'), del(hers));
    const struck = new Transform(doc);
    strike(struck);
    const unstruck = new Transform(struck.doc).removeMark(from('own'), to('own'), del(hers));
    const rules = new AuthorRules();
    expect(rules.take(struck.doc, unstruck.doc, unstruck.steps[0]!, me('review'))).toBe(false);
    const deleted = new Transform(struck.doc).delete(from('own'), to('own'));
    expect(rules.take(struck.doc, deleted.doc, deleted.steps[0]!, me('review'))).toBe(true);
    const restored = new Transform(deleted.doc).step(deleted.steps[0]!.invert(struck.doc));
    expect(rules.take(deleted.doc, restored.doc, restored.steps[0]!, me('review'))).toBe(true);
  });

  it.each([...textDeeds, ...commentDeeds, ...ownReviews])(
    '[RL3] who may only comment cannot %s',
    (_name, deed) => {
      expect(takes(me('comment'), deed)).toBe(false);
    },
  );
  it.each(ownComments)('[RL3] who may only comment can %s', (_name, deed) => {
    expect(takes(me('comment'), deed)).toBe(true);
  });

  it.each(noEntries)('[RL4] who may only fill in forms cannot %s', (_name, deed) => {
    expect(takes(me('fill'), deed)).toBe(false);
  });
  it.each(entries)('[RL4] who may only fill in forms can %s', (_name, deed) => {
    expect(takes(me('fill'), deed)).toBe(true);
  });

  it.each([...textDeeds, ...commentDeeds, ...ownReviews, ...ownComments, ...entries])(
    '[RL4] who may do nothing cannot %s',
    (_name, deed) => {
      expect(takes(me(), deed)).toBe(false);
    },
  );

  const forgeries: [string, Deed][] = [
    ['insert', (tr) => tr.insert(1, text('x', ins({ author: 'Zoe', date: hers.date })))],
    [
      'insert at another time',
      (tr) => tr.insert(1, text('x', ins({ author: 'Ann', date: mine.date.replace('01', '02') }))),
    ],
    ['delete', (tr) => tr.addMark(1, 3, del({ author: 'Zoe', date: hers.date }))],
    ['break a line', (tr) => tr.setNodeAttribute(0, 'markInserted', { author: 'Ann', date: null })],
    ['comment', (tr) => tr.insert(1, comment('n', 'Ann'))],
    ['comment with nobody’s name', (tr) => tr.insert(1, comment('n', ''))],
    ['take over a place of the file', (tr) => tr.insert(1, text('x', marks.ins.create({ ...mine, key: 3 })))],
  ];
  it.each(forgeries)('[RL5] nobody can %s with a name that is not their own', (_name, deed) => {
    expect(takes({ name: 'Me' }, deed)).toBe(false);
    expect(takes(null, deed)).toBe(true);
  });

  it('[RL5] who may do everything cuts, pastes, restores and settles what others signed', () => {
    const about = doc.slice(blockOf('p1'), blockOf('p2') + doc.child(1).nodeSize);
    const restore = (tr: Transform) => tr.replace(0, 0, about);
    const cut = (tr: Transform) => tr.delete(0, about.size);
    expect(takes({ name: 'Zoe' }, cut, restore)).toBe(true);
    expect(takes({ name: 'Zoe' }, (tr) => tr.split(from('hers') + 1))).toBe(true);
    expect(takes({ name: 'Zoe' }, (tr) => tr.removeMark(from('hers'), to('hers'), ins(hers)))).toBe(true);
    expect(takes({ name: 'Zoe' }, (tr) => tr.setNodeAttribute(commentAt('1'), 'text', 'better'))).toBe(true);
  });

  it('[RL6] a replica that began at a checkpoint knows which signatures the document has held', () => {
    const zoe = { name: 'Zoe' };
    const cut = new Transform(doc).delete(0, doc.child(0).nodeSize);
    const pasted = new Transform(cut.doc).insert(0, doc.child(0));
    const [before, after] = [cut, pasted].map(({ steps }) => ({
      change: encodeChange('c', steps[0]!),
      author: zoe,
    }));
    const rules = new AuthorRules();
    const early = applyChanges(doc, [before!], 0, rules);
    expect(early.skipped).toEqual([]);
    const digest = '0'.repeat(16);
    const made = checkpointOf(doc, early.doc, {
      index: 1,
      digest,
      skipped: 0,
      gone: rules.goneFrom(early.doc),
    });
    const read = documentAt(doc, JSON.parse(JSON.stringify(made)));
    const late = new AuthorRules(noRights, new HeldSignatures(read.checkpoint.gone));
    const forged = {
      change: encodeChange('c', new Transform(doc).insert(1, comment('n', 'Eve')).steps[0]!),
      author: zoe,
    };
    for (const one of [rules, late]) {
      const { skipped, doc: end } = applyChanges(read.doc, [forged, after!], 1, one);
      expect(skipped).toEqual([{ index: 1, reason: 'not-allowed' }]);
      expect(end.eq(doc)).toBe(true);
    }
    expect(() => documentAt(doc, { ...JSON.parse(JSON.stringify(made)), gone: undefined })).toThrow(
      TypeError,
    );
  });

  it('[RL11] what is only tried is not held to have been in the document', () => {
    const zoe = { name: 'Zoe' };
    const signed = new Transform(doc).insert(1, comment('n', 'Eve')).steps[0]!;
    const change = encodeChange('c', signed);
    const rules = new AuthorRules();
    expect(applyChange(doc, { change, author: zoe }, rules)).toBe('not-allowed');
    expect(applyChange(doc, { change, author: { name: 'Eve' } }, rules.fork())).not.toBe('not-allowed');
    expect(applyChange(doc, { change, author: zoe }, rules)).toBe('not-allowed');
  });
});
