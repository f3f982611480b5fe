import type { Transaction } from 'prosemirror-state';

const key = 'review-as-it-is';

/** Marks a transaction that is no writing of text, such as a comment or the acceptance of a change: never tracked. */
export const asItIs = (transaction: Transaction): Transaction => transaction.setMeta(key, true);

export const isAsItIs = (transaction: Transaction): boolean => transaction.getMeta(key) === true;
