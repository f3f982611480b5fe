import type { Mark, Node } from 'prosemirror-model';
import { removeRow, TableMap } from 'prosemirror-tables';
import type { Transform } from 'prosemirror-transform';
import type { WordDocumentJson, WordRevision } from '../../../../model/word/document.ts';
import { directMarks, wordSchema } from '../../../../model/word/schema.ts';
import { removeBreak } from './paragraph-break.ts';
import { isAloneInRow, isEmptyCell, removeCell } from './removed-cells.ts';
import type { Decision } from './revision.ts';

const { marks, nodes } = wordSchema;

/** Marks that are properties of runs, which a tracked change of these says as they were. */
const runProperties: ReadonlySet<string> = new Set([...directMarks, 'character_style']);

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

  /** Whether a cell stands for columns that its row leaves out, in the file or since a cell of it went; it is empty. */
  readonly isLeftOut = (cell: Node): boolean => {
    const { id, settled } = cell.attrs;
    if (!isEmptyCell(cell)) return false;
    const kind = this.#byNode.get(id)?.kind;
    return (
      GAP.test(id ?? '') || (settled === 'accepted' ? kind === 'deletion' : settled && kind === 'insertion')
    );
  };

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

/** The id of a cell for columns that a row of the file leaves out. */
const GAP = /^g[0-9a-z]+$/;

/** Whether what was changed goes when the change is settled. */
export function goes({ kind }: WordRevision, decision: Decision): boolean {
  return decision === 'accept'
    ? kind === 'deletion' || kind === 'moveFrom'
    : kind === 'insertion' || kind === 'moveTo';
}

/** Accepts or rejects a change that only the file holds. Positions behind it may move. */
export function settleInFile(
  tr: Transform,
  decision: Decision,
  { revision, node, position }: FileChange,
  range: { readonly from: number; readonly to: number },
  { isLeftOut }: FileRevisions,
): void {
  const { rx, before } = revision;
  const settled = decision === 'accept' ? 'accepted' : 'rejected';
  const isGoing = goes(revision, decision);
  if (node.type === nodes.doc) {
    tr.setDocAttribute('settled', settled);
    return;
  }
  const end = position + node.nodeSize;
  if (node.isInline) {
    if (rx === null && isGoing) tr.delete(position, end);
    else settleRun(tr, Math.max(position, range.from), Math.min(end, range.to), decision, rx, before);
    return;
  }
  if (isGoing && node.type === nodes.table_cell) {
    if (isAloneInRow(tr.doc, position, isLeftOut)) removeRowOf(tr, position);
    else removeCell(tr, position, settled);
    return;
  }
  if (isGoing && node.type !== nodes.paragraph) {
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
  if (isGoing) removeBreak(tr, position);
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

function removeRowOf(tr: Transform, cellPos: number): void {
  const $cell = tr.doc.resolve(cellPos);
  removeBlock(tr, $cell.before(), $cell.parent);
}

/** Takes a row or a block out. What holds it keeps what it must have. */
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
  if (node.type === nodes.table_row) removeBlock(tr, $at.before(), parent);
  else if (isAlone) tr.replaceWith(position, position + node.nodeSize, nodes.paragraph.create());
  else tr.delete(position, position + node.nodeSize);
}

function rectOf(table: Node, tableStart: number): Parameters<typeof removeRow>[1] {
  const map = TableMap.get(table);
  return { map, table, tableStart, left: 0, top: 0, right: map.width, bottom: map.height };
}
