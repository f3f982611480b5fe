import { CallbackStatus, type ForceSaveType } from '../client/protocol/index.ts';
import type { Routing } from '../platform/ports/document-lifecycle.ts';

/** Callback statuses of the outbox. */
export type SaveStatus = (typeof CallbackStatus)[
  | 'mustSave'
  | 'corrupted'
  | 'closed'
  | 'forceSaved'
  | 'forceSaveFailed'];

/** A callback in the outbox, with what it says. */
export interface SaveRow {
  id: string;
  key: string;
  /** Epoch of the document that this save belongs to. */
  epoch: number;
  status: SaveStatus;
  callbackUrl: string | null;
  baseUrl: string;
  /** What the last opener of the document gave for load balancers. */
  routing: Routing | null;
  /** End of the log that the result contains. */
  endIndex: number;
  /** The version of the log that `endIndex` counts in; of forced saves only. */
  logVersion: number | null;
  resultHash: string | null;
  fileType: string | null;
  changesHash: string | null;
  history: AssembledHistory | null;
  /** The integrator's id of who made the last change. */
  authorId: string | null;
  leftUserId: string | null;
  lastSavedAt: Date | null;
  /** The integrator has confirmed a forced save with the same changes before. */
  notModified: boolean;
  /** What asked for a forced save; null for all others. */
  forceType: ForceSaveType | null;
  /** The integrator's id of who pressed the button. */
  initiatorId: string | null;
  /** JSON text that the integrator wants back. */
  userData: string | null;
  /** Blob of what was filled into a form that was submitted; null for all other saves. */
  formDataHash: string | null;
  /** The time by which editors recognise a forced save. */
  announcedAt: Date | null;
  attempts: number;
  /** When it was first sent to its address; null: not yet. */
  firstAttemptAt: Date | null;
  createdAt: Date;
}

export const saveColumns = `
  id::text, key, epoch::int, status, callback_url AS "callbackUrl", base_url AS "baseUrl", end_index AS "endIndex",
  result_hash AS "resultHash", file_type AS "fileType", changes_hash AS "changesHash", history,
  author_id AS "authorId", left_user_id AS "leftUserId", last_saved_at AS "lastSavedAt", not_modified AS "notModified",
  log_version AS "logVersion", force_type AS "forceType", initiator_id AS "initiatorId", user_data AS "userData",
  form_data_hash AS "formDataHash",
  announced_at AS "announcedAt", attempts, first_attempt_at AS "firstAttemptAt", created_at AS "createdAt",
  (SELECT routing FROM documents WHERE documents.key = saves.key) AS routing`;

/** Whether a save was made while people went on editing. */
export const isForced = (save: Pick<SaveRow, 'status'>): boolean =>
  save.status === CallbackStatus.forceSaved || save.status === CallbackStatus.forceSaveFailed;

/** Who changed what when, as callbacks carry it (integration API, section 7.2). */
export interface AssembledHistory {
  serverVersion: string;
  changes: {
    /** SHA-256 of the file the changes begin with, hex. */
    documentSha256: string;
    /** `YYYY-MM-DD HH:MM:SS`, UTC. */
    created: string;
    user: { id: string; name: string };
  }[];
}

/** The code with which `last_error` of a save begins whose file is no longer in the store of files. */
export const fileGone = 'file-gone';
