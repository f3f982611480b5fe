import type { Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import { StepMap } from 'prosemirror-transform';
import { isShared } from './local-steps.ts';

/** Blocks that may be made anew, and then say from which block they take what the model does not hold. */
const named = new Set(['paragraph', 'table', 'table_row', 'table_cell']);

interface NewBlock {
  readonly node: Node;
  readonly position: number;
}

/**
 * Gives new blocks ids of this client, in the transaction of the user that made them: blocks without an id, and those
 * whose id another block has, as after a split or a paste. A block that was only moved or restored keeps its id.
 */
export function blockIds(clientId: string): Plugin {
  let count = 0;
  return new Plugin({
    appendTransaction(transactions, _before, state) {
      const own = transactions.filter((transaction) => transaction.docChanged && !isShared(transaction));
      if (own.length === 0 || own.length < transactions.filter(({ docChanged }) => docChanged).length)
        return null;
      const made = blocksMadeBy(own, state.doc);
      if (made.length === 0) return null;
      const removed = idsRemovedBy(own);
      const { tr } = state;
      const taken = new Set<string>();
      for (const { node, position } of made) {
        const id = node.attrs.id as string | null;
        const kept = id !== null && !taken.has(id) && (removed.has(id) || isAlone(state.doc, id, position));
        if (id !== null && kept) taken.add(id);
        if (kept) continue;
        count += 1;
        // In this order a half of a split paragraph is never one that nobody knows where it comes from.
        if (id !== null) tr.setNodeAttribute(position, 'origin', node.attrs.origin ?? id);
        tr.setNodeAttribute(position, 'id', `${clientId}-${count.toString(36)}`);
      }
      return tr.docChanged ? tr : null;
    },
  });
}

/** Blocks whose opening token the transactions put into the document. */
function blocksMadeBy(transactions: readonly Transaction[], doc: Node): NewBlock[] {
  const maps = transactions.flatMap(({ mapping }) => mapping.maps);
  const made = new Map<number, Node>();
  for (const [at, map] of maps.entries()) {
    const later = maps.slice(at + 1);
    map.forEach((_oldStart, _oldEnd, start, end) => {
      if (start === end) return;
      const from = later.reduce((position, next) => next.map(position, 1), start);
      const to = later.reduce((position, next) => next.map(position, -1), end);
      if (from >= to) return;
      doc.nodesBetween(from, to, (node, position) => {
        if (named.has(node.type.name) && position >= from && position < to) made.set(position, node);
        return !node.inlineContent;
      });
    });
  }
  return [...made].map(([position, node]) => ({ node, position })).sort((a, b) => a.position - b.position);
}

/** Ids of blocks whose opening token the transactions took out. */
function idsRemovedBy(transactions: readonly Transaction[]): Set<string> {
  const removed = new Set<string>();
  for (const { docs, mapping } of transactions) {
    for (const [at, map] of mapping.maps.entries()) {
      const doc = docs[at]!;
      (map === StepMap.empty ? [] : [map]).forEach((one) => {
        one.forEach((start, end) => {
          if (start === end) return;
          doc.nodesBetween(start, end, (node, position) => {
            if (position >= start && position < end && node.attrs.id) removed.add(String(node.attrs.id));
            return !node.inlineContent;
          });
        });
      });
    }
  }
  return removed;
}

/**
 * No other block has the id. A split leaves its twin right before; only what was pasted or restored is looked for
 * in the whole document, a few tenths of a millisecond in one of hundreds of pages.
 */
function isAlone(doc: Node, id: string, position: number): boolean {
  if (doc.resolve(position).nodeBefore?.attrs.id === id) return false;
  let alone = true;
  doc.descendants((node, at) => {
    if (at !== position && node.isBlock && node.attrs.id === id) alone = false;
    return alone && !node.inlineContent;
  });
  return alone;
}
