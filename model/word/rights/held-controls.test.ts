import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import type { ChangeAuthor } from '../../log/change-author.ts';
import { applyChange, encodeChange } from '../change.ts';
import { checkpointOf, documentAt } from '../checkpoint.ts';
import { wordSchema } from '../schema.ts';
import { AuthorRules } from './author-rules.ts';
import { documentRights, type Protection } from './document-rights.ts';

const { nodes, marks } = wordSchema;
const text = (content: string, ...keys: number[]) =>
  wordSchema.text(
    content,
    keys.map((key) => marks.within.create({ key })),
  );
const paragraph = (id: string, ...content: Node[]) => nodes.paragraph.create({ id }, content);

const HELD_LINE = 1;
const STAYING_LINE = 2;
const control = (ref: string | number, held: 'locked' | 'group' | null, stays: boolean) => ({
  ref: String(ref),
  held,
  stays,
  showsPlaceholder: false,
});
const rights = documentRights({
  fillable: [String(STAYING_LINE), 'free'],
  controls: [
    control(HELD_LINE, 'locked', false),
    control(STAYING_LINE, null, true),
    control('held', 'locked', true),
    control('group', 'group', false),
    control('atom', null, true),
  ],
});
const doc = nodes.doc.create(null, [
  paragraph('p1', text('plain '), text('fixed', HELD_LINE), text(' and '), text('entry', STAYING_LINE)),
  paragraph('p2', text('between '), nodes.opaque_inline.create({ id: 'atom' })),
  nodes.block_wrap.create({ id: 'held' }, [paragraph('p3', text('kept')), paragraph('p4', text('also'))]),
  nodes.block_wrap.create({ id: 'group' }, [
    paragraph('p5', text('label')),
    nodes.block_wrap.create({ id: 'free' }, paragraph('p6', text('answer'))),
  ]),
  paragraph('p7', text('last')),
]);

function placeOf(wanted: string): number {
  let found = -1;
  doc.descendants((node, position) => {
    const at = found < 0 && node.isText ? node.text!.indexOf(wanted) : -1;
    if (at >= 0) found = position + at;
  });
  return found;
}
function blockOf(id: string): { from: number; to: number } {
  let found = { from: -1, to: -1 };
  doc.descendants((node, position) => {
    if (node.attrs.id === id) found = { from: position, to: position + node.nodeSize };
  });
  return found;
}
const from = placeOf;
const to = (wanted: string) => placeOf(wanted) + wanted.length;

type Deed = (tr: Transform) => unknown;
function takes(deed: Deed, author: ChangeAuthor | null = { name: 'Me' }, given = rights): boolean {
  const rules = new AuthorRules(given);
  const tr = new Transform(doc);
  deed(tr);
  if (tr.steps.length === 0) throw new Error('a deed that does nothing');
  let current = doc;
  return tr.steps.every((step) => {
    const after = applyChange(current, { change: encodeChange('c', step), author }, rules);
    if (after === 'not-allowed') return false;
    if (typeof after === 'string') throw new Error(after);
    current = after;
    return true;
  });
}
const dropping = (id: string): Deed => {
  const { from: start, to: end } = blockOf(id);
  return (tr) => tr.delete(start, end);
};

const refused: [string, Deed][] = [
  ['type in one in a line', (tr) => tr.insert(from('fixed') + 2, text('x', HELD_LINE))],
  ['cut one in a line in two', (tr) => tr.insert(from('fixed') + 2, text('x'))],
  ['break a line in one', (tr) => tr.split(from('fixed') + 2)],
  ['take a part of one away', (tr) => tr.delete(from('fixed'), from('fixed') + 2)],
  ['take a part of one and text beside it away', (tr) => tr.delete(from('plain'), from('fixed') + 2)],
  [
    'lead text into one',
    (tr) => tr.addMark(from(' and'), to(' and'), marks.within.create({ key: HELD_LINE })),
  ],
  ['lead text out of one', (tr) => tr.removeMark(from('fixed'), from('fixed') + 2, marks.within)],
  ['format one', (tr) => tr.addMark(from('fixed'), to('fixed'), marks.bold.create())],
  ['type in one around paragraphs', (tr) => tr.insert(from('kept') + 1, text('x'))],
  ['add a paragraph to one', (tr) => tr.insert(blockOf('p4').from, paragraph('new'))],
  ['take a paragraph from one', dropping('p3')],
  ['make a heading in one', (tr) => tr.setNodeAttribute(blockOf('p3').from, 'style', 'Heading1')],
  ['change the words of a group', (tr) => tr.insert(from('label'), text('x'))],
  ['take a control from a group', dropping('free')],
  ['delete one that stays', dropping('held')],
  [
    'delete one that stays with what is around it',
    (tr) => tr.delete(blockOf('p2').from, blockOf('group').from),
  ],
  ['empty one in a line that stays', (tr) => tr.delete(from('entry'), to('entry'))],
  ['delete one that the model does not hold', (tr) => tr.delete(to('between '), to('between ') + 1)],
];
const allowed: [string, Deed][] = [
  ['type beside it', (tr) => tr.insert(from('plain'), text('x')).insert(to(' and') + 1, text('y'))],
  ['delete it whole', (tr) => tr.delete(from('fixed'), to('fixed'))],
  ['delete it with what is around it', (tr) => tr.delete(from('plain'), to('fixed') + 2)],
  ['copy it', (tr) => tr.insert(1, text('fixed', HELD_LINE))],
  [
    'delete it and put it back',
    (tr) => tr.delete(from('fixed'), to('fixed')).insert(from('fixed'), text('fixed', HELD_LINE)),
  ],
  ['fill in one that stays', (tr) => tr.insert(from('entry') + 1, text('x', STAYING_LINE))],
  [
    'comment on it',
    (tr) => tr.insert(from('fixed') + 2, nodes.anchor.create({ kind: 'commentRangeStart', ref: 'n' })),
  ],
  ['fill in a control of a group', (tr) => tr.replaceWith(from('answer'), to('answer'), text('mine'))],
  ['add a line to a control of a group', (tr) => tr.split(from('answer') + 2)],
  ['delete a group whole', dropping('group')],
  [
    'change blocks beside it',
    (tr) => tr.insert(0, paragraph('new')).insert(tr.doc.content.size, paragraph('end')),
  ],
];

describe('content controls that are held', () => {
  it.each(refused)('[FD48] nobody can %s', (_what, deed) => {
    expect(takes(deed)).toBe(false);
    expect(takes(deed, null)).toBe(true);
  });
  it.each(allowed)('[FD48] everybody can %s', (_what, deed) => {
    expect(takes(deed)).toBe(true);
  });
});

/** What stands in held and staying controls of a document. */
function heldIn(current: Node) {
  const found = { fixed: [] as string[], held: [] as string[], atoms: 0, entries: 0 };
  let last: Node | null = null;
  current.descendants((node, _position, parent) => {
    if (node.type === nodes.block_wrap && node.attrs.id === 'held') found.held.push(node.textContent);
    if (node.attrs.id === 'atom') found.atoms += 1;
    const key = marks.within.isInSet(node.marks)?.attrs.key;
    if (key === HELD_LINE && last && parent?.children.includes(last))
      found.fixed.push(found.fixed.pop() + node.text!);
    else if (key === HELD_LINE) found.fixed.push(node.text ?? '');
    if (key === STAYING_LINE) found.entries += 1;
    if (node.isInline) last = key === HELD_LINE ? node : null;
  });
  return found;
}

describe('content controls under random changes', () => {
  it('[FD48] whatever people do, held content is whole or gone, and what stays is there', () => {
    const place = fc.nat(doc.content.size);
    const change = fc.tuple(
      place,
      place,
      fc.constantFrom('type', 'delete', 'copy', 'mark', 'split'),
      place,
      place,
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 15 }), (changes) => {
        const rules = new AuthorRules(rights);
        let current = doc;
        for (const [one, other, kind, a, b] of changes) {
          const tr = new Transform(current);
          const size = current.content.size;
          const [start, end] = [Math.min(one, other, size), Math.min(Math.max(one, other), size)];
          const [first, last] = [Math.min(a, b, size), Math.min(Math.max(a, b), size)];
          try {
            if (kind === 'type') tr.replaceWith(start, end, text('x'));
            else if (kind === 'delete') tr.delete(start, end);
            else if (kind === 'copy') tr.replace(start, start, current.slice(first, last));
            else if (kind === 'mark') tr.addMark(start, end, marks.bold.create());
            else tr.split(start);
          } catch {
            continue;
          }
          for (const step of tr.steps) {
            const after = applyChange(
              current,
              { change: encodeChange('c', step), author: { name: 'Me' } },
              rules,
            );
            if (typeof after === 'string') break;
            current = after;
          }
          const now = heldIn(current);
          expect(now.held.length).toBeGreaterThan(0);
          expect(now.held.every((one) => one === 'keptalso')).toBe(true);
          expect(now.fixed.filter((one) => one !== 'fixed')).toEqual([]);
          expect(now.atoms).toBeGreaterThan(0);
          expect(now.entries).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the protection of a document', () => {
  const under = (protection: Protection) =>
    documentRights({ fillable: ['free'], settings: { protection: { edit: protection } } });
  const mine = { author: 'Me', date: null };
  const deeds: Record<string, Deed> = {
    text: (tr) => tr.insert(from('last'), text('x')),
    tracked: (tr) => tr.insert(from('last'), wordSchema.text('x', [marks.ins.create(mine)])),
    comment: (tr) => tr.insert(from('last'), nodes.comment.create({ ref: 'n', author: 'Me', text: 'x' })),
    filled: (tr) => tr.insert(from('answer'), text('x')),
    lifted: (tr) => tr.setDocAttribute('lifted', true),
  };
  const taken = (protection: Protection, author: ChangeAuthor) =>
    Object.keys(deeds).filter((name) => takes(deeds[name]!, author, under(protection)));

  it.each<[Protection, string[]]>([
    ['readOnly', ['lifted']],
    ['comments', ['comment', 'lifted']],
    ['trackedChanges', ['tracked', 'comment', 'lifted']],
    ['forms', ['filled', 'lifted']],
  ])('[FD49] %s leaves to who may do everything its own part, and to lift it', (protection, expected) => {
    expect(taken(protection, { name: 'Me' })).toEqual(expected);
  });

  it('[FD49] of who may not do everything it leaves what both allow, and not to lift it', () => {
    expect(taken('trackedChanges', { name: 'Me', may: ['comment'] })).toEqual(['comment']);
    expect(taken('forms', { name: 'Me', may: ['review', 'comment'] })).toEqual([]);
  });

  it('[RL13] who may not protect does not lift it, nor puts it back', () => {
    const author: ChangeAuthor = { name: 'Me', mayNot: ['protect'] };
    expect(taken('comments', author)).toEqual(['comment']);
    const lifted = new Transform(doc).setDocAttribute('lifted', true).doc;
    const change = encodeChange('c', new Transform(lifted).setDocAttribute('lifted', false).steps[0]!);
    const putBack = (by: ChangeAuthor) =>
      applyChange(lifted, { change, author: by }, new AuthorRules(under('comments')));
    expect(putBack(author)).toBe('not-allowed');
    expect(putBack({ name: 'Me', mayNot: ['filter'] })).not.toBe('not-allowed');
  });

  it('[FD49] when it is lifted it leaves everything, also to a replica that begins at a checkpoint', () => {
    const rules = new AuthorRules(under('readOnly'));
    const lift = encodeChange('c', new Transform(doc).setDocAttribute('lifted', true).steps[0]!);
    const lifted = applyChange(doc, { change: lift, author: { name: 'Me' } }, rules) as Node;
    const made = checkpointOf(doc, lifted, { index: 1, digest: '0'.repeat(16), skipped: 0, gone: [] });
    const read = documentAt(doc, JSON.parse(JSON.stringify(made))).doc;
    expect(read.eq(lifted)).toBe(true);
    const change = encodeChange('c', new Transform(doc).insert(from('last'), text('x')).steps[0]!);
    for (const start of [lifted, read]) {
      const author = { name: 'You' };
      expect(applyChange(start, { change, author }, new AuthorRules(under('readOnly')))).not.toBe(
        'not-allowed',
      );
    }
  });
});
