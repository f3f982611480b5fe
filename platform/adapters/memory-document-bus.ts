import type { DocumentBus, DocumentListener } from '../ports/document-bus.ts';

type Listeners = Map<string, DocumentListener>;

/** What the document buses of several nodes in one process share. A message arrives in a task of its own. */
export class MemoryBusHub {
  /** By document, by node. */
  readonly #documents = new Map<string, Listeners>();

  busOf(nodeId: string): DocumentBus {
    return {
      publish: (documentKey, text) => this.#publish(nodeId, documentKey, text),
      publishConfirmed: async (documentKey, text) => this.#publish(nodeId, documentKey, text),
      isConnected: () => true,
      listen: async (documentKey, listener) => this.#listen(nodeId, documentKey, listener),
    };
  }

  /** Returns whether somebody else listens. */
  #publish(from: string, documentKey: string, text: string): boolean {
    let isHeard = false;
    for (const [nodeId, listener] of this.#documents.get(documentKey) ?? []) {
      if (nodeId === from) continue;
      isHeard = true;
      this.deliver(from, nodeId, () => listener.received(from, text));
    }
    return isHeard;
  }

  /** Has a message arrive. What one node says to another stays in order. */
  deliver(_from: string, _to: string, arrive: () => void): void {
    queueMicrotask(arrive);
  }

  /** Reports to a node that it may have missed something of every document. */
  interrupt(nodeId: string): void {
    for (const listeners of this.#documents.values()) listeners.get(nodeId)?.interrupted();
  }

  #listen(nodeId: string, documentKey: string, listener: DocumentListener): () => void {
    const listeners: Listeners = this.#documents.get(documentKey) ?? new Map();
    this.#documents.set(documentKey, listeners.set(nodeId, listener));
    return () => {
      if (listeners.get(nodeId) === listener) listeners.delete(nodeId);
      if (listeners.size === 0) this.#documents.delete(documentKey);
    };
  }
}
