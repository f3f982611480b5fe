import type { Mark, Node } from 'prosemirror-model';
import { removeRow, TableMap } from 'prosemirror-tables';
import type { Transform } from 'prosemirror-transform';
import type { WordDocumentJson, WordRevision } from '../../../../model/word/document.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { removeBreak } from './paragraph-break.ts';
import type { Decision } from './revision.ts';

const { marks, nodes } = wordSchema;

/** Marks that are properties of runs, which a tracked change of these says as they were. */
const runProperties: ReadonlySet<string> = new Set([
  'bold',
  'italic',
  'strike',
  'underline',
  'size',
  'font',
  'color',
  'highlight',
  'vertical',
  'character_style',
]);

/** A tracked change that only the file holds: of properties, a move, a row, or within what the model does not hold. */
export interface FileChange {
  readonly revision: WordRevision;
  readonly node: Node;
  readonly position: number;
}

/** The tracked changes of a file for which its model has no marks, found by what they are changes of. */
export class FileRevisions {
  /** How many there are in parts that cannot be edited. */
  readonly elsewhere: number;
  readonly #byNode = new Map<string, WordRevision>();
  readonly #byRun = new Map<number, WordRevision>();
  readonly #ofDocument: WordRevision | null = null;

  constructor({ revisions = [], revisionsElsewhere = 0 }: Partial<WordDocumentJson> = {}) {
    this.elsewhere = revisionsElsewhere;
    for (const revision of revisions) {
      if (revision.node !== null) this.#byNode.set(revision.node, revision);
      else if (revision.rx !== null) this.#byRun.set(revision.rx, revision);
      else this.#ofDocument = revision;
    }
  }

  /** The change that a node stands for, if it has not been decided on. */
  of(node: Node): WordRevision | null {
    if (node.type === nodes.doc) return node.attrs.settled === null ? this.#ofDocument : null;
    if (node.attrs.settled || (node.isInline && marks.settled.isInSet(node.marks))) return null;
    return this.#byNode.get(node.attrs.id) ?? this.#ofRun(node);
  }

  /** The changes of a range, in the order of the document; a copy of what was changed is new, and has none. */
  within(doc: Node, from: number, to: number): FileChange[] {
    if (this.#byNode.size === 0 && this.#byRun.size === 0 && !this.#ofDocument) return [];
    const found: FileChange[] = [];
    const last = this.of(doc);
    doc.nodesBetween(from, to, (node, position) => {
      const revision = this.of(node);
      // Properties of a paragraph are settled with its end, as its break is.
      const end = position + node.nodeSize - 1;
      const isMeant = node.type !== nodes.paragraph || (end >= from && end < to) || from === to;
      if (revision && isMeant) found.push({ revision, node, position });
    });
    if (last && to >= doc.content.size) found.push({ revision: last, node: doc, position: doc.content.size });
    return found;
  }

  #ofRun(node: Node): WordRevision | null {
    const mark = node.isInline ? marks.rx.isInSet(node.marks) : undefined;
    return (mark && this.#byRun.get(mark.attrs.index)) ?? null;
  }
}

/** Accepts or rejects a change that only the file holds. Positions behind it may move. */
export function settleInFile(
  tr: Transform,
  decision: Decision,
  { revision: { kind, rx, before }, node, position }: FileChange,
  range: { readonly from: number; readonly to: number },
): void {
  const settled = decision === 'accept' ? 'accepted' : 'rejected';
  const goes = decision === 'accept' ? ['deletion', 'moveFrom'] : ['insertion', 'moveTo'];
  if (node.type === nodes.doc) {
    tr.setDocAttribute('settled', settled);
    return;
  }
  const end = position + node.nodeSize;
  if (node.isInline) {
    if (rx === null && goes.includes(kind)) tr.delete(position, end);
    else settleRun(tr, Math.max(position, range.from), Math.min(end, range.to), decision, rx, before);
    return;
  }
  if (goes.includes(kind) && node.type !== nodes.paragraph) {
    removeBlock(tr, position, node);
    return;
  }
  tr.setNodeAttribute(position, 'settled', settled);
  if (node.type === nodes.paragraph && decision === 'reject' && before) {
    for (const name of propertyNames(node)) {
      const value = before[name] ?? null;
      if (node.attrs[name] !== value) tr.setNodeAttribute(position, name, value);
    }
  }
  if (goes.includes(kind)) removeBreak(tr, position);
}

function settleRun(
  tr: Transform,
  from: number,
  to: number,
  decision: Decision,
  rx: number | null,
  before: WordRevision['before'],
): void {
  if (decision === 'reject' && rx !== null) {
    for (const name of runProperties) tr.removeMark(from, to, wordSchema.marks[name as 'bold']);
    for (const [name, attrs] of Object.entries(before ?? {})) {
      const type = runProperties.has(name) ? wordSchema.marks[name as 'bold'] : undefined;
      if (type) tr.addMark(from, to, type.create(attrs as Mark['attrs']));
    }
  }
  tr.addMark(from, to, marks.settled.create({ decision: decision === 'accept' ? 'accepted' : 'rejected' }));
}

const notProperties = new Set(['id', 'origin', 'settled', 'markInserted', 'markDeleted']);
const propertyNames = ({ attrs }: Node): string[] =>
  Object.keys(attrs).filter((name) => !notProperties.has(name));

/** Takes a row, a cell or a block out. What holds it keeps what it must have. */
function removeBlock(tr: Transform, position: number, node: Node): void {
  const $at = tr.doc.resolve(position);
  const { parent } = $at;
  if (node.type === nodes.table_row && parent.childCount > 1) {
    // Nothing is asked of the transaction that a transform does not do.
    const tableStart = $at.start();
    // It does nothing that a transform could not.
    removeRow(tr as unknown as Parameters<typeof removeRow>[0], rectOf(parent, tableStart), $at.index());
    return;
  }
  const isAlone = parent.childCount === 1;
  if (node.type === nodes.table_row || (node.type === nodes.table_cell && isAlone)) {
    removeBlock(tr, $at.before(), parent);
  } else if (isAlone) tr.replaceWith(position, position + node.nodeSize, nodes.paragraph.create());
  else tr.delete(position, position + node.nodeSize);
}

function rectOf(table: Node, tableStart: number): Parameters<typeof removeRow>[1] {
  const map = TableMap.get(table);
  return { map, table, tableStart, left: 0, top: 0, right: map.width, bottom: map.height };
}
