import type { ChangeAuthor } from '../../model/log/change-author.ts';

/** Who made a batch: the unique id within the document, the integrator's own id, and the name people see. */
export interface Author {
  uniqueId: string;
  userId: string;
  name: string;
  /** The rights by which the changes apply; absent: they apply for any author. */
  stamp?: ChangeAuthor | undefined;
}

/** A batch of changes as the log holds it: the changes numbered `[firstIndex, nextIndex)`. */
export interface StoredBatch {
  firstIndex: number;
  nextIndex: number;
  author: Author;
  /** Milliseconds since the epoch, later than of the batch before: after a reconnect clients name a batch by it. */
  savedAtMs: number;
  /** JSON array of the change strings, exactly as `JSON.stringify` writes it. */
  changes: string;
}

export interface Append {
  key: string;
  batch: StoredBatch;
}

/** Where a log ends. Its version rises whenever changes are taken out of it. */
export interface KnownEnd {
  endIndex: number;
  version: number;
  /** The time of the newest batch, milliseconds since the epoch; 0 where there is none. */
  savedAtMs: number;
}

/**
 * `appended`: the batch is durable. `conflict`: the log does not end at `firstIndex` (or the document does not take
 * changes now); nothing was written and `endIndex` is where it really ends, or null when there is no such document.
 */
export type AppendResult =
  | { kind: 'appended' }
  | { kind: 'conflict'; endIndex: number | null; state: string | null };

/** Changes to take out of a log, and what to put there. */
export interface Replacement {
  key: string;
  /** Where the log has to end. */
  expectedEnd: number;
  /** The first change that is taken out. */
  fromIndex: number;
  /** By its unique id, the author who made everything that is taken out. */
  by: string;
  /** What is appended at `fromIndex`, in the same step. */
  batch: StoredBatch | null;
}

/** `foreign`: somebody else made some of the changes; nothing was written. */
export type ReplaceResult = AppendResult | { kind: 'foreign' };

/**
 * The durable, numbered log of a document's changes. A promise that resolves with `appended` resolves after the commit.
 * A rejected promise means that nothing is known: the batch may or may not be stored (I5 makes resending safe).
 */
export interface ChangeLog {
  /** Appends at `batch.firstIndex`, which must be the end of the log. Appends of many documents may share a commit. */
  append(append: Append): Promise<AppendResult>;

  /** In one step: removes every change numbered `fromIndex` and up, if one author made them all, then appends `batch` (if any). */
  replaceFrom(replacement: Replacement): Promise<ReplaceResult>;

  /** Where the log ends; null when there is no such document. */
  endOf(key: string): Promise<KnownEnd | null>;

  /** How much text the batches have that begin before `endIndex`, as it is stored, bytes. */
  sizeOf(key: string, endIndex: number): Promise<number>;

  /**
   * How much of that text people with a part of the rights made, bytes: all of them, and the one with this id of the
   * integrator's.
   */
  sizeOfLimited(key: string, userId: string): Promise<{ all: number; own: number }>;

  /** The batches that hold changes of `[firstIndex, endIndex)`, in order; a page ends after about `pageBytes`. */
  read(key: string, firstIndex: number, endIndex: number, pageBytes?: number): AsyncIterable<StoredBatch[]>;
}
