/** Who listens to what other nodes say of a document. */
export interface DocumentListener {
  /** A node said something; what one node says arrives in its order, what several say in any. */
  said(nodeId: string, text: string): void;
  /** Messages may have been missed: what has to be known is to be looked up. */
  interrupted(): void;
}

/**
 * What the nodes that serve a document tell each other, as it happens. A message may be lost: it is a hint at what the
 * change log and the other cells hold, never the only place of something.
 */
export interface DocumentBus {
  /** Tells all other nodes that listen to the document. Never waits, never fails; the own node is not told. */
  say(documentKey: string, text: string): void;

  /** Says the same as soon as it can, alone, and resolves with whether anybody heard it. Rejects when that is not known. */
  call(documentKey: string, text: string): Promise<boolean>;

  /** Whether the others can be heard now, as far as is known here. */
  isConnected(): boolean;

  /** Listens from when this resolves; what it resolves with ends it. One listener for a document and node. */
  listen(documentKey: string, listener: DocumentListener): Promise<() => void>;
}
