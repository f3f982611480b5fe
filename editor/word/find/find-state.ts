import { type EditorState, PluginKey, type Transaction } from 'prosemirror-state';
import type { DecorationSet } from 'prosemirror-view';
import type { Match, Matches } from './matches.ts';

/** What is searched for, what is known of it, and what of that is marked. */
export interface FindState {
  /** Null while nothing is searched for. */
  readonly matches: Matches | null;
  /** So far. */
  readonly count: number;
  /** All of the document has been searched. */
  readonly isComplete: boolean;
  /** Those in view. */
  readonly shown: readonly Match[];
  readonly decorations: DecorationSet;
}

export type FindUpdate = Partial<Pick<FindState, 'matches' | 'count' | 'isComplete' | 'shown'>>;

export const findKey = new PluginKey<FindState>('find');

/** The search of a state; undefined where nothing can be searched. */
export const findState = (state: EditorState): FindState | undefined => findKey.getState(state);

/** Says something new of the search; nothing that others or the history hear of. */
export function updateFind(transaction: Transaction, update: FindUpdate): Transaction {
  return transaction.setMeta(findKey, update).setMeta('addToHistory', false);
}
