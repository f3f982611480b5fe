import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { ReplaceStep, type Step, Transform } from 'prosemirror-transform';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { BREAK_DELETIONS, REVIEW_EDITS } from '../support/review-edits.ts';
import { tableSteps } from './table-edits.ts';

const { marks, nodes } = wordSchema;

/** What decides one random change: which kind, two places as shares of the document, and a piece of text. */
export interface Draw {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
export const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.nat(),
  from: share,
  to: share,
  text: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
});

type Edit = (transform: Transform, from: number, to: number, text: string) => unknown;

const EDITS: readonly Edit[] = [
  (tr, from, _to, text) => tr.insert(from, wordSchema.text(text)),
  (tr, from, to) => tr.delete(from, to),
  (tr, from, to) => tr.addMark(from, to, marks.bold.create()),
  (tr, from, to) => tr.addMark(from, to, marks.size.create({ halfPoints: 30 })),
  (tr, from, to) => tr.addMark(from, to, marks.link.create({ href: 'https://example.org/?a=1&b=2' })),
  (tr, from, to) => tr.addMark(from, to, marks.ins.create({ author: 'Me' })),
  (tr, from, to) => tr.addMark(from, to, marks.del.create({ author: 'Me', date: '2024-02-03T04:05:06Z' })),
  (tr, from, to) => tr.removeMark(from, to, marks.bold),
  (tr, from, to) => tr.removeMark(from, to, marks.link),
  (tr, from) => tr.split(from),
  (tr, from) => tr.join(from),
  (tr, from) =>
    tr.setNodeMarkup(from, null, { ...tr.doc.nodeAt(from)?.attrs, align: 'right', listId: 'new-bullet-1' }),
  (tr, from) => tr.insert(from, nodes.image.create({ src: 'media/new.png', width: 9525, height: 9525 })),
  (tr, from) => tr.insert(from, nodes.paragraph.create({ origin: 'p0' }, wordSchema.text('made'))),
  (tr, from) => tr.insert(from, newTable()),
  (tr, from) => tr.setNodeAttribute(from, 'rowspan', 3),
  (tr, from) => tr.setNodeAttribute(from, 'colspan', 2),
  (tr, from, to) => tr.step(new ReplaceStep(to, to, tr.doc.slice(Math.min(from, to), Math.max(from, to)))),
  (tr, from) => tr.insert(from, nodes.table_row.create(null, [newCell('in a new row')])),
  (tr, from) => tr.delete(from, from + (tr.doc.nodeAt(from)?.nodeSize ?? 0)),
  (tr, from) => tr.setNodeAttribute(from, 'shading', 'FFCC00'),
  (tr, from) => tr.setNodeAttribute(from, 'rtl', true),
  (tr, from) => tr.setNodeAttribute(from, 'verticalAlign', 'center'),
  (tr, from) => tr.setNodeAttribute(from, 'header', true),
  (tr, from) => tr.setNodeAttribute(from, 'align', 'center'),
  (tr, from) => tr.setNodeAttribute(from, 'colwidth', [40]),
  runTableCommand,
  runTableCommand,
  runTableCommand,
  ...REVIEW_EDITS,
];

/** Edits of reviewers more often than others. */
const REVIEWS: readonly Edit[] = [...EDITS, ...REVIEW_EDITS, ...REVIEW_EDITS, ...BREAK_DELETIONS];

function runTableCommand(tr: Transform, from: number, to: number): void {
  const size = tr.doc.content.size + 1;
  const draw = { kind: from + to, from: from / size, to: to / size };
  for (const step of tableSteps(tr.doc, draw)) tr.step(step);
}

function newCell(text: string): Node {
  return nodes.table_cell.create(null, nodes.paragraph.create(null, wordSchema.text(text)));
}

function newTable(): Node {
  return nodes.table.create(null, [nodes.table_row.create(null, [newCell('a'), newCell('b')])]);
}

/** Steps of one random edit, none when it does not fit where it was drawn. */
export function stepsOf(doc: Node, { kind, from, to, text }: Draw, edits = EDITS): Step[] {
  const transform = new Transform(doc);
  const size = doc.content.size;
  try {
    const [start, end] = [Math.floor(from * size), Math.floor(to * size)].sort((a, b) => a - b);
    edits[kind % edits.length]!(transform, start!, end!, text);
  } catch {
    return [];
  }
  return transform.steps;
}

/** The log that random edits make of a document, with those that the schema refuses. */
export function changesOf(opened: Node, draws: readonly Draw[], edits = EDITS): string[] {
  const changes: string[] = [];
  let doc = opened;
  for (const one of draws) {
    for (const step of stepsOf(doc, one, edits)) {
      const change = encodeChange('client', step);
      const after = applyChange(doc, change);
      if (typeof after !== 'string') doc = after;
      changes.push(change);
    }
  }
  return changes;
}

/** Random edits that apply, and the changes that take them back, last one first. */
export function undoneChangesOf(
  opened: Node,
  draws: readonly Draw[],
): { readonly changes: string[]; readonly undo: string[] } {
  const changes: string[] = [];
  const undo: string[] = [];
  let doc = opened;
  for (const one of draws) {
    for (const step of stepsOf(doc, one)) {
      const change = encodeChange('client', step);
      const after = applyChange(doc, change);
      if (typeof after === 'string') continue;
      changes.push(change);
      undo.unshift(encodeChange('client', step.invert(doc)));
      doc = after;
    }
  }
  return { changes, undo };
}

/** The log that reviewers make of a document. */
export function reviewsOf(opened: Node, draws: readonly Draw[]): string[] {
  return changesOf(opened, draws, REVIEWS);
}

/** Texts of the paragraphs that have any. */
export function paragraphTexts(doc: Node): string[] {
  const texts: string[] = [];
  doc.descendants((node) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size);
    if (text !== '') texts.push(text);
    return false;
  });
  return texts;
}
