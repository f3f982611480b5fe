/** The unsent changes of one session, as they outlive it. */
export interface UnsentRecord {
  /** Unique to the session that wrote it. */
  readonly id: string;
  /** Document key. */
  readonly key: string;
  /** What the file is, whatever its key; null when the page did not say. */
  readonly file: string | null;
  readonly clientId: string;
  /** The user's id as the page gave it, the same in every session. */
  readonly userId: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly changedAtMs: number;
  /** The place in the log that the first change stands on. */
  readonly index: number;
  /** Digest of the log up to that place, see `LogPlace`. */
  readonly digest: string;
  /** Encoded changes, each on the one before. */
  readonly changes: readonly string[];
  /** How many of the changes, from the first, were sent and may be stored. */
  readonly sentCount: number;
  /** Changes that could not be placed when they were taken up: kept until somebody discards them. */
  readonly unplaced: UnplacedText | null;
}

/** What is left of changes that have no place any more. */
export interface UnplacedText {
  readonly count: number;
  readonly text: string;
}

/** The document that the changes of a record stand on, for when its key is gone. */
export interface UnsentSnapshot {
  readonly index: number;
  readonly digest: string;
  /** The document in parts, as its kind writes them. */
  readonly blocks: readonly string[];
}

/** Ends a claim. */
export type Release = () => void;

/**
 * Where unsent changes are kept. Every verb is atomic and durable when it resolves or returns; calls of one session take effect
 * in the order in which they were made.
 */
export interface UnsentStore {
  /** Makes the record the caller's until it releases it or its tab is gone. Null if somebody has it. */
  claim(id: string): Promise<Release | null>;
  /** Records of a user with this key, or of this file. */
  list(userId: string, key: string, file: string | null): Promise<UnsentRecord[]>;
  /** Writes a record anew, without a snapshot, and removes those that it replaces, in one step. */
  put(record: UnsentRecord, replaced?: readonly string[]): Promise<void>;
  /**
   * Writes a record before it returns, for a page that goes away and may see nothing else end. Until it is put, added to
   * or removed, it is listed in the place of what was written before, which stays what is added to. Returns false where
   * there is no room for it.
   */
  putNow(record: UnsentRecord): boolean;
  /** Adds changes to a record. One that is not there is not made. */
  append(id: string, changes: readonly string[], changedAtMs: number): Promise<void>;
  /** Notes that changes of a record were sent. */
  markSent(id: string, sentCount: number): Promise<void>;
  keepSnapshot(id: string, snapshot: UnsentSnapshot): Promise<void>;
  snapshot(id: string): Promise<UnsentSnapshot | null>;
  remove(id: string): Promise<void>;
}

/** One record of each id: the one of a page that went away, unless the other was written later. */
export function latestOf(written: readonly UnsentRecord[], parting: readonly UnsentRecord[]): UnsentRecord[] {
  const records = new Map(written.map((record) => [record.id, record]));
  for (const record of parting) {
    if ((records.get(record.id)?.changedAtMs ?? -Infinity) <= record.changedAtMs)
      records.set(record.id, record);
  }
  return [...records.values()];
}
