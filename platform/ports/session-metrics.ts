export const saveRefusals = [
  'overtaken',
  'stale',
  'no_log',
  'full',
  'share',
  'too_large',
  'malformed',
  'rewriting',
] as const;
/** Why a batch of changes was not taken. */
export type SaveRefusal = (typeof saveRefusals)[number];

/**
 * What is counted while people edit a document. It is called on the path of every save: each call costs no more than a
 * few additions. Times are those of `performance.now()`.
 */
export interface SessionMetrics {
  /** The whole of a save is stored and acknowledged whose message came in then. */
  acknowledged(receivedAtMs: number): void;
  refused(reason: SaveRefusal): void;
  /** Somebody got the save lock, or was told to ask again, after this long. */
  saveLockAnswered(granted: boolean, waitedMs: number): void;
  /** Changes were sent to this number of others; `characters` is the size of the message. */
  fannedOut(recipients: number, characters: number, encodingMs: number): void;
  /** A part of a document's history was asked for by a newcomer. */
  historyRead(isCached: boolean): void;
}

/** Counts nothing. */
export const noSessionMetrics: SessionMetrics = {
  acknowledged: () => undefined,
  refused: () => undefined,
  saveLockAnswered: () => undefined,
  fannedOut: () => undefined,
  historyRead: () => undefined,
};
