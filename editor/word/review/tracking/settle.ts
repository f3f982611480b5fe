import type { Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { type FileChange, type FileRevisions, goes, settleInFile } from './file-revisions.ts';
import { removeBreak } from './paragraph-break.ts';
import { dropLastColumns, removeWholeLines } from './removed-cells.ts';
import { type ChangeKind, type Decision, deletionOf, insertionOf, isBesideText } from './revision.ts';

const { nodes } = wordSchema;

interface Settled {
  readonly from: number;
  readonly to: number;
  /** Which changes of the range are meant; all unless given. */
  readonly concerns?: (kind: ChangeKind, author: string, isOfFile: boolean) => boolean;
  /** Changes that the file holds beside those of text. */
  readonly fileRevisions?: FileRevisions;
}

/**
 * Accepts or rejects tracked changes of a range: of text, inline nodes and breaks between paragraphs, and those that only the file
 * holds.
 */
export function settle(
  tr: Transform,
  decision: Decision,
  { from, to, concerns = () => true, fileRevisions }: Settled,
): void {
  const before = tr.mapping.maps.length;
  const range = () => {
    const mapping = tr.mapping.slice(before);
    return { from: mapping.map(from, -1), to: mapping.map(to, 1) };
  };
  if (fileRevisions) settleFileRevisions(tr, decision, { range, concerns, fileRevisions });
  settleMarked(tr, decision, { ...range(), concerns });
}

interface SettledInFile extends Required<Omit<Settled, 'from' | 'to'>> {
  /** Where the range is now. */
  readonly range: () => { readonly from: number; readonly to: number };
}

function settleFileRevisions(
  tr: Transform,
  decision: Decision,
  { range, concerns, fileRevisions }: SettledInFile,
): void {
  const meant = () =>
    fileRevisions
      .within(tr.doc, range().from, range().to)
      .filter(({ revision: { kind, author } }) => concerns(kind, author, true));
  const cells = meant().filter(
    ({ revision, node }) => node.type === nodes.table_cell && goes(revision, decision),
  );
  removeWholeLines(
    tr,
    cells.map(({ position }) => position),
    fileRevisions.isLeftOut,
  );
  const begun = tr.mapping.maps.length;
  const tables = new Set<number>();
  // From the end, so that positions before a change stay valid.
  for (const change of meant().reverse()) {
    const { node, position } = change;
    // The block that it was in may be gone.
    if (node.type !== nodes.doc && tr.doc.nodeAt(position) !== node && !sameNow(tr.doc, change)) continue;
    const now = node.type === nodes.doc ? tr.doc : tr.doc.nodeAt(position)!;
    if (node.type === nodes.table_cell) tables.add(tr.doc.resolve(position).before(-1));
    settleInFile(tr, decision, { ...change, node: now }, range(), fileRevisions);
  }
  for (const tablePos of tables)
    dropLastColumns(tr, tr.mapping.slice(begun).map(tablePos), fileRevisions.isLeftOut);
}

/** Whether the node of a change is still where it was; what is in it may be another. */
function sameNow(doc: Node, { node, position }: FileChange): boolean {
  const now = position < doc.content.size ? doc.nodeAt(position) : null;
  return now !== null && now.type === node.type && now.attrs.id === node.attrs.id;
}

function settleMarked(
  tr: Transform,
  decision: Decision,
  { from, to, concerns }: Required<Omit<Settled, 'fileRevisions'>>,
): void {
  const begun = tr.mapping.maps.length;
  const { pieces, breaks } = found(tr.doc, from, to);
  for (const { start, end, node } of pieces.reverse()) {
    const concerned = [insertionOf(node), deletionOf(node)].filter(
      (mark) =>
        mark && concerns(mark.type.name === 'ins' ? 'insertion' : 'deletion', mark.attrs.author, false),
    );
    const goes = concerned.some((mark) => isUndone(mark!.type.name === 'ins', decision));
    if (goes && !isBesideText(node)) tr.delete(start, end);
    else for (const mark of concerned) tr.removeMark(start, end, mark!);
  }
  for (const position of breaks.reverse()) {
    const at = tr.mapping.slice(begun).map(position);
    const { markInserted, markDeleted } = tr.doc.nodeAt(at)!.attrs;
    const inserted = markInserted && concerns('insertion', markInserted.author, false);
    const deleted = markDeleted && concerns('deletion', markDeleted.author, false);
    if ((inserted && isUndone(true, decision)) || (deleted && isUndone(false, decision))) removeBreak(tr, at);
    else {
      if (inserted) tr.setNodeAttribute(at, 'markInserted', null);
      if (deleted) tr.setNodeAttribute(at, 'markDeleted', null);
    }
  }
}

/** Whether what is marked goes: insertions that are rejected, deletions that are accepted. */
const isUndone = (isInsertion: boolean, decision: Decision): boolean =>
  isInsertion === (decision === 'reject');

interface Piece {
  start: number;
  end: number;
  node: Node;
}

function found(doc: Node, from: number, to: number): { pieces: Piece[]; breaks: number[] } {
  const pieces: Piece[] = [];
  const breaks: number[] = [];
  doc.nodesBetween(from, to, (node, position) => {
    if (node.type === nodes.paragraph) {
      const end = position + node.nodeSize - 1;
      const { markInserted, markDeleted } = node.attrs;
      if ((markInserted || markDeleted) && end >= from && end < to) breaks.push(position);
    }
    if (!node.isInline) return true;
    if (insertionOf(node) || deletionOf(node)) {
      pieces.push({ start: Math.max(from, position), end: Math.min(to, position + node.nodeSize), node });
    }
    return false;
  });
  return { pieces, breaks };
}
