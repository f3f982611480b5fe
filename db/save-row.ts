import type { AssembledHistory } from './history.ts';

/** Callback statuses that must arrive: 2 assembled, 3 could not be assembled, 4 closed without changes. */
export type SaveStatus = 2 | 3 | 4;

/** A callback in the outbox, with what it says. */
export interface SaveRow {
  id: string;
  key: string;
  /** Epoch of the document that this save belongs to. */
  epoch: number;
  status: SaveStatus;
  callbackUrl: string | null;
  baseUrl: string;
  /** End of the log that the result contains. */
  endIndex: number;
  resultHash: string | null;
  fileType: string | null;
  changesHash: string | null;
  history: AssembledHistory | null;
  /** The integrator's id of who made the last change. */
  authorId: string | null;
  leftUserId: string | null;
  lastSavedAt: Date | null;
  attempts: number;
  createdAt: Date;
}

export const saveColumns = `
  id::text, key, epoch::int, status, callback_url AS "callbackUrl", base_url AS "baseUrl", end_index AS "endIndex",
  result_hash AS "resultHash", file_type AS "fileType", changes_hash AS "changesHash", history,
  author_id AS "authorId", left_user_id AS "leftUserId", last_saved_at AS "lastSavedAt", attempts,
  created_at AS "createdAt"`;
