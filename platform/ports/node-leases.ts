/**
 * Which nodes are alive. A node that does not renew its lease is taken for dead by the others: what it held may be
 * given away from then on, and the node itself must begin anew when it finds out.
 */
export interface NodeLeases {
  /** The own id, made at the start of the process. */
  readonly nodeId: string;

  /**
   * Whether the own lease runs, by the own clock: known at once, also in a process that has just been woken up. What a
   * node without a lease is about to do for its documents is left undone. The first `false` calls `lapsed` before it returns.
   */
  isHeld(): boolean;

  /** Ids of the nodes whose lease runs, the own one included. */
  living(): Promise<ReadonlySet<string>>;

  /** Called with the id of a node that was alive a moment ago and is not any more, and when the own lease had lapsed. */
  watch(events: { died(nodeId: string): void; lapsed(): void }): () => void;
}
