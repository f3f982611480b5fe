import { Plugin, type Transaction } from 'prosemirror-state';
import { isShared } from './local-steps.ts';
import { touchedBlocks } from './touched-blocks.ts';

/** A block that a transaction would change and somebody holds. */
export function blockedBy<Holder>(
  transaction: Transaction,
  holderOf: (blockId: string) => Holder | null,
): { blockId: string; holder: Holder } | null {
  for (const [at, step] of transaction.steps.entries()) {
    for (const blockId of touchedBlocks(step, transaction.docs[at]!)) {
      const holder = holderOf(blockId);
      if (holder !== null) return { blockId, holder };
    }
  }
  return null;
}

/** Keeps this user out of blocks that others hold. */
export function heldBlocks(holderOf: (blockId: string) => object | null, isFree: () => boolean): Plugin {
  return new Plugin({
    filterTransaction: (transaction) =>
      !transaction.docChanged ||
      isShared(transaction) ||
      isFree() ||
      blockedBy(transaction, holderOf) === null,
  });
}
