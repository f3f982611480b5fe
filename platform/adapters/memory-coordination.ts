import type {
  Coordination,
  DocumentBus,
  DocumentListener,
  SharedList,
  SharedValue,
} from '../ports/coordination.ts';
import { BoundedLists } from './bounded-lists.ts';
import type { LeaseStore } from './renewed-leases.ts';
import type { SharedValueStore, VersionedValue } from './shared-coordination.ts';

/** Coordination in the memory of one process, for a server that is the only one on its database. */
export class MemoryCoordination implements Coordination {
  readonly #documents = new Map<string, Map<string, unknown>>();
  readonly #lists = new BoundedLists();

  async update<State, Result>(
    documentKey: string,
    value: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result> {
    const values = this.#documents.get(documentKey);
    const before = (values?.get(value.name) as State | undefined) ?? value.empty;
    const [after, result] = step(before);
    if (after !== before) this.#put(documentKey, value.name, after);
    return result;
  }

  async append(documentKey: string, list: SharedList, entry: unknown): Promise<void> {
    this.#lists.append(documentKey, list, JSON.stringify(entry));
  }

  async entries<Entry>(documentKey: string, { name }: SharedList): Promise<readonly Entry[]> {
    return this.#lists.entries(documentKey, name).map((entry) => JSON.parse(entry) as Entry);
  }

  async clear(documentKey: string, { name }: SharedList): Promise<void> {
    this.#lists.clear(documentKey, name);
  }

  #put(documentKey: string, name: string, state: unknown): void {
    const values = this.#documents.get(documentKey);
    if (values) values.set(name, state);
    else this.#documents.set(documentKey, new Map([[name, state]]));
  }
}

/**
 * Values that nobody reads for this time are dropped, such as those of a worker that died and a document that nobody opens
 * again.
 */
const lifeMs = 24 * 3_600_000;
const sweepEveryMs = 3_600_000;

interface DocumentValues {
  contents: Map<string, VersionedValue>;
  /** Names of those that it may have. */
  lists: Set<string>;
  lookedAtMs: number;
}

/** Values in the memory of the primary process, for its workers. */
export class MemorySharedValues implements SharedValueStore {
  readonly #documents = new Map<string, DocumentValues>();
  readonly #lists = new BoundedLists();
  #sweptAtMs = performance.now();

  async compareAndPut(
    documentKey: string,
    name: string,
    expected: string,
    content: VersionedValue | null,
  ): Promise<VersionedValue | null> {
    const values = this.#look(documentKey);
    const found = values?.contents.get(name) ?? (['', ''] as const);
    if (found[0] !== expected) return found;
    if (content?.[0] === '') this.#drop(documentKey, ({ contents }) => contents.delete(name));
    else if (content) (values ?? this.#begin(documentKey)).contents.set(name, content);
    return null;
  }

  async append(documentKey: string, list: SharedList, entry: string): Promise<void> {
    (this.#look(documentKey) ?? this.#begin(documentKey)).lists.add(list.name);
    this.#lists.append(documentKey, list, entry);
  }

  async entries(documentKey: string, name: string): Promise<readonly string[]> {
    this.#look(documentKey);
    return this.#lists.entries(documentKey, name);
  }

  async clear(documentKey: string, name: string): Promise<void> {
    this.#lists.clear(documentKey, name);
    this.#drop(documentKey, ({ lists }) => lists.delete(name));
  }

  #look(documentKey: string): DocumentValues | undefined {
    const now = performance.now();
    if (now - this.#sweptAtMs > sweepEveryMs) this.#sweep(now);
    const values = this.#documents.get(documentKey);
    if (values) values.lookedAtMs = now;
    return values;
  }

  #begin(documentKey: string): DocumentValues {
    const values: DocumentValues = {
      contents: new Map(),
      lists: new Set(),
      lookedAtMs: performance.now(),
    };
    this.#documents.set(documentKey, values);
    return values;
  }

  /** Nothing stays of a document that has nothing left. */
  #drop(documentKey: string, from: (values: DocumentValues) => void): void {
    const values = this.#documents.get(documentKey);
    if (!values) return;
    from(values);
    if (values.contents.size === 0 && values.lists.size === 0) this.#documents.delete(documentKey);
  }

  #sweep(now: number): void {
    this.#sweptAtMs = now;
    for (const [key, { lookedAtMs, lists }] of this.#documents) {
      if (now - lookedAtMs <= lifeMs) continue;
      for (const name of lists) this.#lists.clear(key, name);
      this.#documents.delete(key);
    }
  }
}

/** Leases in the memory of the primary process, for its workers. */
export class MemoryLeases implements LeaseStore {
  /** By node: when its lease ends. */
  readonly #endsAtMs = new Map<string, number>();

  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const now = performance.now();
    const ran = (this.#endsAtMs.get(nodeId) ?? 0) > now;
    this.#endsAtMs.set(nodeId, now + leaseMs);
    for (const [id, endsAtMs] of this.#endsAtMs) if (endsAtMs <= now) this.#endsAtMs.delete(id);
    return { ran, living: [...this.#endsAtMs.keys()] };
  }

  /** The process is known to be gone: the others need not wait. */
  end(nodeId: string): void {
    this.#endsAtMs.delete(nodeId);
  }
}

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
