/** Who receives what other nodes publish about a document. */
export interface DocumentListener {
  /** A message of a node. Those of one node arrive in its order, those of several in any. */
  received(nodeId: string, text: string): void;
  /** Messages may have been missed: what has to be known is to be looked up. */
  interrupted(): void;
}

/**
 * Messages between the nodes that serve a document, as it happens. A message may be lost: it is a hint at what the
 * change log and the shared values hold, never the only place of something.
 */
export interface DocumentBus {
  /** Sends a message to all other nodes that listen to the document. Never waits, never fails; not to the own node. */
  publish(documentKey: string, text: string): void;

  /** The same at once and alone. Resolves with whether a node received it. Rejects when that is not known. */
  publishConfirmed(documentKey: string, text: string): Promise<boolean>;

  /** Whether the others can be heard now, as far as is known here. */
  isConnected(): boolean;

  /** Listens from when this resolves; what it resolves with ends it. One listener for a document and node. */
  listen(documentKey: string, listener: DocumentListener): Promise<() => void>;
}
