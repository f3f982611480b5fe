/** How far a document's log goes, as known by somebody who had just read or written it. */
export interface LogEnd {
  /** Rises whenever something is taken out of the log. */
  readonly version: number;
  readonly endIndex: number;
  /** Changes below it have been given to more than one editor and are never taken out. */
  readonly floor: number;
  /** The time of the newest save, milliseconds since the epoch: the next one's is later. */
  readonly savedAtMs: number;
}

const noLog: LogEnd = { version: 0, endIndex: 0, floor: 0, savedAtMs: 0 };

/** What nodes share of a document's log while it is open. The log itself decides which of their writes it takes. */
export interface SharedLog extends LogEnd {
  /** By node: so many editors there have been given the log. Nodes that only have viewers count 0. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Who is taking changes out at this moment: what is in the log is given to nobody meanwhile. */
  readonly rewriter: { readonly nodeId: string; readonly untilMs: number } | null;
  /**
   * When that was done last, milliseconds since the epoch: clients that were shown the log before may have seen changes
   * that are gone.
   */
  readonly rewrittenAtMs: number;
}

export const nothingShared: SharedLog = { ...noLog, nodes: {}, rewriter: null, rewrittenAtMs: 0 };

/** Whether one knows of the log what the other does not yet. */
export const isAhead = (one: LogEnd, other: LogEnd): boolean =>
  one.version > other.version || (one.version === other.version && one.endIndex > other.endIndex);

/** What is shared, with what a node knows: the later knowledge counts, and what was given out stays given out. */
export function learn(shared: SharedLog, known: LogEnd): SharedLog {
  const later = isAhead(known, shared) ? known : shared;
  const { version, endIndex } = later;
  // What lies below a floor is never taken out: a log that ends there is another one.
  const highest = Math.max(shared.floor, known.floor);
  const floor = highest <= endIndex ? highest : Math.min(later.floor, endIndex);
  const savedAtMs = Math.max(shared.savedAtMs, known.savedAtMs);
  const isKnown = later === shared && floor === shared.floor && savedAtMs === shared.savedAtMs;
  return isKnown ? shared : { ...shared, version, endIndex, floor, savedAtMs };
}

/**
 * What is shared, when the log was `read` after its end had been `said` and ends before it: what was said is of another life
 * of it, e.g. before its database was restored. What was said since stays.
 */
export function unlearn(shared: SharedLog, said: LogEnd, read: LogEnd): SharedLog {
  const isStillSaid = shared.version === said.version && shared.endIndex === said.endIndex;
  if (!isStillSaid || !isAhead(said, read)) return shared;
  const { version, endIndex } = read;
  return { ...shared, version, endIndex, floor: Math.min(shared.floor, endIndex) };
}

/** So many editors of a node have been given the log; null: nobody is attached there any more. */
export function counted(shared: SharedLog, nodeId: string, editors: number | null): SharedLog {
  if ((shared.nodes[nodeId] ?? null) === editors) return shared;
  const { [nodeId]: _, ...others } = shared.nodes;
  return { ...shared, nodes: editors === null ? others : { ...others, [nodeId]: editors } };
}

/** What is there now is final, if more than one editor has it. */
export function settled(shared: SharedLog): SharedLog {
  const editors = Object.values(shared.nodes).reduce((sum, count) => sum + count, 0);
  return editors > 1 && shared.floor < shared.endIndex ? { ...shared, floor: shared.endIndex } : shared;
}

/** How many changes of a document's log its integrator has, and since when: else since the opening. */
export interface StoredAtIntegrator {
  index: number;
  timeMs: number;
  /** Since when it refuses files of the document; null: it took the last one, or was given none. */
  refusedSinceMs: number | null;
}

/** The same as it is sent. */
export const storedMessage = ({ index, timeMs, refusedSinceMs }: StoredAtIntegrator) => ({
  index,
  time: timeMs,
  ...(refusedSinceMs === null ? {} : { refusedSince: refusedSinceMs }),
});
