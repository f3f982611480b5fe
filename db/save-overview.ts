import type pg from 'pg';
import type { SaveStatus } from './save-row.ts';

/**
 * Where a save is:
 * - `making`: its file is being made. Only forced saves have a row by then; of others the state of the document says so.
 * - `delivering`: its callback is being sent at this moment.
 * - `waiting`: for its first or next attempt.
 * - `forgotten`: it could not be delivered; it is in forgotten storage.
 * - `delivered`: its integrator has confirmed it.
 * - `abandoned`: a forced save that was not accepted in time; the document has it all.
 * - `superseded`: something newer took its place.
 */
export const savePhases = [
  'making',
  'delivering',
  'waiting',
  'forgotten',
  'delivered',
  'abandoned',
  'superseded',
] as const;
type SavePhase = (typeof savePhases)[number];

/** A save as operators see it. */
export interface SaveOverview {
  id: string;
  key: string;
  title: string | null;
  /** Callback status. */
  status: SaveStatus;
  phase: SavePhase;
  /** Complete; null when nobody gave one. */
  callbackUrl: string | null;
  attempts: number;
  /** When it is tried again; of those that wait only. */
  nextAttemptAt: Date | null;
  /** Why the last attempt failed. */
  lastError: string | null;
  createdAt: Date;
  endedAt: Date | null;
  lastSavedAt: Date | null;
  authorId: string | null;
  fileType: string | null;
  /** Blob of the file, if one was made. */
  resultHash: string | null;
  /** Blob of the changes in it. */
  changesHash: string | null;
  /** Blob of what it was made from. */
  sourceHash: string | null;
  /** The docx that is edited in place of the source; null where the source is. */
  baseHash: string | null;
  /** Changes that could not be applied. */
  skipped: number;
}

interface SaveSearch {
  text: string;
  /** Null: in any phase. */
  phases: readonly SavePhase[] | null;
  limit: number;
  offset: number;
}

const phase = `CASE saves.state
  WHEN 'assembling' THEN 'making'
  WHEN 'pending' THEN CASE WHEN saves.attempting_since IS NULL THEN 'waiting' ELSE 'delivering' END
  WHEN 'forgotten' THEN CASE WHEN forgotten.key IS NULL THEN 'superseded' ELSE 'forgotten' END
  WHEN 'delivered' THEN CASE WHEN forgotten.key IS NULL THEN 'delivered' ELSE 'forgotten' END
  ELSE saves.state END`;

const columns = `saves.id::text, saves.key, documents.title, saves.status, ${phase} AS phase,
  saves.callback_url AS "callbackUrl", saves.attempts,
  CASE WHEN saves.state = 'pending' AND saves.attempting_since IS NULL THEN saves.next_attempt_at END AS "nextAttemptAt",
  saves.last_error AS "lastError", saves.created_at AS "createdAt", saves.ended_at AS "endedAt",
  saves.last_saved_at AS "lastSavedAt", saves.author_id AS "authorId",
  coalesce(saves.file_type, documents.file_type) AS "fileType", saves.result_hash AS "resultHash",
  saves.changes_hash AS "changesHash", coalesce(forgotten.source_hash, documents.source_hash) AS "sourceHash",
  documents.base_hash AS "baseHash", saves.skipped`;

// A save is in forgotten storage as long as the row there names it, whatever callbacks were sent since.
const tables = `saves LEFT JOIN documents USING (key)
  LEFT JOIN forgotten ON forgotten.key = saves.key AND forgotten.save_id = saves.id`;

/** Stored saves as operators see them. Status 4, that nothing was changed, is no save. */
export class SaveOverviews {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The newest first. */
  async search({
    text,
    phases,
    limit,
    offset,
  }: SaveSearch): Promise<{ total: number; saves: SaveOverview[] }> {
    const pattern = text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const matching = `saves.status <> 4
      AND ($1::text IS NULL OR saves.key ILIKE $1 OR documents.title ILIKE $1)
      AND ($2::text[] IS NULL OR ${phase} = ANY($2))`;
    const [counted, found] = await Promise.all([
      this.#pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${tables} WHERE ${matching}`, [
        pattern,
        phases,
      ]),
      this.#pool.query<SaveOverview>(
        `SELECT ${columns} FROM ${tables} WHERE ${matching} ORDER BY saves.id DESC LIMIT $3 OFFSET $4`,
        [pattern, phases, limit, offset],
      ),
    ]);
    return { total: counted.rows[0]!.total, saves: found.rows };
  }

  /** Null when there is no such save; `id` is a whole number as text. */
  async find(id: string): Promise<SaveOverview | null> {
    const { rows } = await this.#pool.query<SaveOverview>(
      `SELECT ${columns} FROM ${tables} WHERE saves.id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** The saves of a document, the newest first. */
  async ofDocument(key: string, limit: number): Promise<SaveOverview[]> {
    const { rows } = await this.#pool.query<SaveOverview>(
      `SELECT ${columns} FROM ${tables} WHERE saves.key = $1 AND saves.status <> 4 ORDER BY saves.id DESC LIMIT $2`,
      [key, limit],
    );
    return rows;
  }

  /** How many saves are in each phase that may need attention, and how many were delivered lately. */
  async counts(): Promise<
    Record<'making' | 'delivering' | 'waiting' | 'failing' | 'forgotten' | 'deliveredLastHour', number>
  > {
    const { rows } = await this.#pool.query(
      `SELECT
         (SELECT count(*) FROM saves WHERE state = 'assembling')::int
           + (SELECT count(*) FROM documents WHERE state = 'assembling')::int AS making,
         (SELECT count(*) FROM saves WHERE state = 'pending' AND status <> 4 AND attempting_since IS NOT NULL)::int AS delivering,
         (SELECT count(*) FROM saves WHERE state = 'pending' AND status <> 4 AND attempting_since IS NULL)::int AS waiting,
         (SELECT count(*) FROM saves WHERE state = 'pending' AND status <> 4 AND last_error IS NOT NULL)::int AS failing,
         (SELECT count(*) FROM forgotten)::int AS forgotten,
         (SELECT count(*) FROM saves WHERE state = 'delivered' AND status IN (2, 6)
           AND ended_at > now() - interval '1 hour')::int AS "deliveredLastHour"`,
    );
    return rows[0];
  }
}
