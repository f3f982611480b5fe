import type { AuditEntry } from './audit.ts';
import type { HistoryEvent } from './history.ts';

/** A document as the database has it at the end. */
export interface DocumentAtEnd {
  readonly key: string;
  readonly state: string;
  readonly nextIndex: number;
  /** Its source file, by content. */
  readonly sourceHash: string | null;
  /** What forgotten storage has of it; null when it is not there. */
  readonly forgotten: { readonly resultHash: string | null; readonly sourceHash: string } | null;
}

/** A save as the database has it at the end. */
export interface SaveAtEnd {
  readonly id: string;
  readonly key: string;
  readonly status: number;
  readonly state: string;
  readonly endIndex: number;
  readonly resultHash: string | null;
}

/** All that is known of a run: what clients and integrator saw, every row that was written, and what is left. */
export interface Evidence {
  readonly seed: number;
  readonly events: readonly HistoryEvent[];
  readonly audit: readonly AuditEntry[];
  readonly documents: readonly DocumentAtEnd[];
  readonly saves: readonly SaveAtEnd[];
  /** Hashes of the files in the blob store whose bytes are right. */
  readonly blobs: readonly string[];
  /** Text of a word document with these changes, block by block. Only for keys whose documents are word documents. */
  textsOf(key: string, changes: readonly string[]): readonly string[];
}

/** A broken invariant, with the events that show it. */
export interface Violation {
  readonly invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'convergence' | 'presence' | 'answers';
  readonly key: string;
  readonly what: string;
  /** Numbers of the events of the history that show it, as far as events do. */
  readonly events: readonly number[];
}
