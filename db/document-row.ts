import { WORD_DOCUMENT_VERSION } from '../model/word/version.ts';

/**
 * - `opening`: the source is being fetched and opened.
 * - `idle`: opened, nobody edits, nothing changed: a cache.
 * - `open`: editors are (or were until a crash) inside; the only state in which changes are appended.
 * - `closing`: nobody edits, changes wait for the grace to pass.
 * - `assembling`: a worker makes the file.
 * - `delivering`: the result waits in the outbox for the integrator's receipt.
 * - `closed`: delivered; the key is used up.
 * - `failed`: the source could not be opened; the next opening tries again.
 * - `forgotten`: could not be handed over; base, log and result are kept.
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

/** The editor model a document is open in: ours, or none of ours, where changes are opaque to the server. */
export type DocumentModel = 'word' | 'opaque';

/**
 * What positions and ids in a log mean depends on the version of the model it was made on: a log is applied by the
 * version it began with, or not at all.
 */
export const modelVersions: Readonly<Record<DocumentModel, number>> = {
  word: WORD_DOCUMENT_VERSION,
  opaque: 1,
};

export interface DocumentRow {
  key: string;
  state: DocumentStateName;
  stateSince: Date;
  /** Rises with every change of state. */
  epoch: number;
  /** End of the change log. */
  nextIndex: number;
  /** The index given to the last opener. */
  userIndex: number;
  model: DocumentModel | null;
  modelVersion: number | null;
  fileType: string;
  title: string;
  /** Where the source is fetched from; null when nobody has said so. */
  sourceUrl: string | null;
  /** Whether a verified token vouched for that address. */
  sourceVouched: boolean;
  /** Blob of the source. */
  sourceHash: string | null;
  errorCode: number | null;
  fromForgotten: boolean;
  baseUrl: string;
  openedAt: Date | null;
}

export const documentColumns = `
  key, state, state_since AS "stateSince", epoch::int, next_index AS "nextIndex", user_index AS "userIndex", model,
  model_version AS "modelVersion",
  file_type AS "fileType", title, source_url AS "sourceUrl", source_vouched AS "sourceVouched",
  source_hash AS "sourceHash", error_code AS "errorCode",
  from_forgotten AS "fromForgotten", base_url AS "baseUrl", opened_at AS "openedAt"`;
