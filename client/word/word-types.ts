import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import type { Step } from 'prosemirror-transform';

/** Text documents: ProseMirror's documents, steps and transactions. */
export interface WordTypes {
  readonly document: Node;
  readonly operation: Step;
  readonly change: Transaction;
}
