import { QuireError } from '../quire-error.ts';

/**
 * One piece of the state that everybody who serves a document shares: its locks, its save queue, its participants.
 * `empty` is its value before the first step.
 */
export interface SharedValue<State> {
  name: string;
  empty: State;
  /**
   * Whether everything in the value belongs to this node alone and nobody needs it once the node is dead. Then the node may
   * keep the value in its memory until others make a step; its own steps cost next to nothing meanwhile.
   */
  isOwn?(state: State): boolean;
}

/**
 * A list of a document that everybody who serves it shares, and that grows at its end: its chat. Beyond its bounds the oldest entries
 * are dropped; the newest stays, whatever its size.
 */
export interface SharedList {
  name: string;
  mostEntries: number;
  /** Of the entries as JSON. */
  mostBytes: number;
}

/**
 * A step could not be made: what the nodes share does not answer, or others were faster too often. Whether it was made is
 * not known; a caller that asked for a lock has none.
 */
export class CoordinationUnavailable extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('coordination-unavailable', message, { ...options, retryable: true, level: 'error' });
  }
}

/**
 * What the nodes that serve a document share while it is open. All of it may be lost at any moment without losing a change:
 * the change log decides about every save, whatever these values say.
 */
export interface Coordination {
  /**
   * Replaces a document's shared value by what `step` makes of it, as one atomic step, and returns the step's
   * result. `step` is pure and may be run more than once; states are JSON values, and one that is returned unchanged is
   * the very same object.
   * @throws CoordinationUnavailable
   */
  update<State, Result>(
    documentKey: string,
    value: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result>;

  /**
   * Adds an entry, a JSON value, to the end of a list. It costs the same however long the list is.
   * @throws CoordinationUnavailable
   */
  append(documentKey: string, list: SharedList, entry: unknown): Promise<void>;

  /**
   * All entries of a list in their order, which is the same for all nodes.
   * @throws CoordinationUnavailable
   */
  entries<Entry>(documentKey: string, list: SharedList): Promise<readonly Entry[]>;

  /**
   * Drops all entries of a list.
   * @throws CoordinationUnavailable
   */
  clear(documentKey: string, list: SharedList): Promise<void>;
}

/** Who receives what other nodes publish about a document. */
export interface DocumentListener {
  /** A message of a node. Those of one node arrive in its order, those of several in any. */
  received(nodeId: string, text: string): void;
  /** Messages may have been missed: what has to be known is to be looked up. */
  interrupted(): void;
}

/**
 * Messages between the nodes that serve a document, as it happens. A message may be lost: it is a hint that the change log
 * or a shared value has changed, and never holds anything that is nowhere else.
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

/**
 * Which nodes are alive. A node that does not renew its lease is taken for dead by the others: what it held may be
 * given away from then on, and the node itself must begin anew when it finds out.
 */
export interface NodeLeases {
  /** The own id, made at the start of the process. */
  readonly nodeId: string;

  /**
   * Whether the own lease runs, by the own clock: known at once, also in a process that has just been woken up. A node
   * without a lease does nothing more for its documents. The first `false` calls `lapsed` before it returns.
   */
  isHeld(): boolean;

  /** Ids of the nodes whose lease runs, the own one included. */
  living(): Promise<ReadonlySet<string>>;

  /** Called with the id of a node that was alive a moment ago and is not any more, and when the own lease had lapsed. */
  watch(events: { died(nodeId: string): void; lapsed(): void }): () => void;
}
