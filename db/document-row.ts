import type { Routing } from '../platform/ports/document-lifecycle.ts';

/**
 * - `opening`: the source is being fetched and opened.
 * - `idle`: opened, nobody edits, nothing changed: a cache.
 * - `open`: editors are (or were until a crash) inside; the only state in which changes are appended.
 * - `closing`: nobody edits, changes wait for the grace to pass.
 * - `assembling`: a worker makes the file.
 * - `delivering`: the result waits in the outbox for the integrator's receipt.
 * - `closed`: delivered; the key is used up.
 * - `failed`: the source could not be opened; the next opening tries again.
 * - `forgotten`: could not be delivered; base, log and result are kept.
 */
export type DocumentStateName =
  | 'opening'
  | 'idle'
  | 'open'
  | 'closing'
  | 'assembling'
  | 'delivering'
  | 'closed'
  | 'failed'
  | 'forgotten';

export interface DocumentRow {
  key: string;
  state: DocumentStateName;
  stateSince: Date;
  /** Rises with every change of state. */
  epoch: number;
  /** End of the change log. */
  nextIndex: number;
  /** Rises whenever changes that were in the log are taken out of it. */
  logVersion: number;
  /** How many changes of the log, from its beginning, the integrator has confirmed to have. */
  storedIndex: number;
  /** When it last confirmed a file of this document; null when it has not since the opening. */
  storedAt: Date | null;
  /** Since when the integrator has taken no file of it; null when it took the last one, or was given none. */
  refusedSince: Date | null;
  /** The index given to the last opener. */
  userIndex: number;
  /**
   * What the document is open in: the name of a kind's model, or one of the forms that are none (`model/kinds.ts`). A later
   * version of this software may have left another one.
   */
  model: string | null;
  modelVersion: number | null;
  fileType: string;
  title: string;
  /** Where the source is fetched from; null when nobody has said so. */
  sourceUrl: string | null;
  /** Whether a verified token vouched for that address. */
  sourceVouched: boolean;
  /** How the host of the source named the version that was fetched; null where it did not. */
  sourceEtag: string | null;
  sourceModified: string | null;
  /** Blob of the source. */
  sourceHash: string | null;
  /** Blob of the file of the native type that is edited in place of the source; null where the source itself is edited. */
  baseHash: string | null;
  /** The password, encoding or delimiter that the source was opened with, encrypted; null where none was needed. */
  openingOptions: string | null;
  /** A name of these options that does not reveal them. */
  openedVariant: string;
  errorCode: number | null;
  fromForgotten: boolean;
  /** The address of this server in callbacks: as its last editor reached it; empty before the first. */
  baseUrl: string;
  /** What that editor's address said for load balancers. */
  routing: Routing | null;
  openedAt: Date | null;
}

/** SQL: how many changes of the log as it is now the integrator has. */
export const storedIndex = 'CASE WHEN stored_log_version = log_version THEN stored_index ELSE 0 END';

/** SQL: the integrator has not got what the log holds now, or has got more than that. */
export const isUnsaved = `(next_index > ${storedIndex} OR stored_log_version <> log_version)`;

/**
 * SQL: how old an unsaved change gets before a save begins, where its integrator wants it within a time. The
 * rest of that is for making the file and delivering it.
 */
export const saveAfter = `(store_within_ms - least(store_within_ms / 2, 30000)) * interval '1 millisecond'`;

export const documentColumns = `
  key, state, state_since AS "stateSince", epoch::int, next_index AS "nextIndex", log_version AS "logVersion",
  ${storedIndex} AS "storedIndex", stored_at AS "storedAt",
  refused_since AS "refusedSince", source_etag AS "sourceEtag", source_modified AS "sourceModified",
  user_index AS "userIndex", model, model_version AS "modelVersion",
  file_type AS "fileType", title, source_url AS "sourceUrl", source_vouched AS "sourceVouched",
  source_hash AS "sourceHash", base_hash AS "baseHash", opening_options AS "openingOptions", opened_variant AS "openedVariant",
  error_code AS "errorCode",
  from_forgotten AS "fromForgotten", base_url AS "baseUrl", routing, opened_at AS "openedAt"`;
