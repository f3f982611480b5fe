import type pg from 'pg';
import { CallbackStatus } from '../client/protocol/index.ts';
import { type DocumentRow, documentColumns, isUnsaved, saveAfter } from './document-row.ts';
import type { AssembledHistory } from './save-row.ts';

/** What assembling a document gave. Without a result only the base file and the log are left. */
export interface Assembly {
  result: { hash: string; fileType: string } | null;
  changesHash: string | null;
  history: AssembledHistory | null;
  /** Changes that could not be applied. */
  skipped: number;
}

/**
 * SQL: a file of this opening may be with the integrator. If its changes were taken back, the file it came from has to
 * be delivered again.
 */
const wasForceSaved = `EXISTS (SELECT FROM saves WHERE saves.key = documents.key AND saves.status = 6
  AND saves.created_at >= documents.opened_at)`;

/** A document somebody has to take up. `dueInMs`: when a closing one is to be assembled. */
type UnfinishedDocument = DocumentRow & { dueInMs: number };

/** What became of a document whose last editor left. */
type Left = { kind: 'closing'; dueInMs: number } | { kind: 'unchanged' } | { kind: 'elsewhere' };

/** The callback address of who made the last change, else the newest one; and who that was and when. */
const addressee = `
  SELECT (SELECT callback_url FROM openings o WHERE o.key = $1
          ORDER BY (o.callback_url IS NOT NULL) DESC, (o.unique_id = last.unique_id) DESC NULLS LAST, o.user_index DESC
          LIMIT 1) AS callback_url, last.user_id AS author_id, last.saved_at
  FROM (SELECT 1) AS one
  LEFT JOIN LATERAL (SELECT unique_id, user_id, saved_at FROM batches WHERE key = $1
                     ORDER BY first_index DESC LIMIT 1) AS last ON true`;

/** SQL: a document enters forgotten storage, in place of what is there of it. */
const inPlaceOfOlder = `ON CONFLICT (key) DO UPDATE SET save_id = excluded.save_id, result_hash = excluded.result_hash,
  source_hash = excluded.source_hash, file_type = excluded.file_type, forgotten_at = now()`;

/**
 * SQL: the result of an assembly, with the callback that reports it. One statement: its parts are committed together, and it
 * is one round trip where a transaction of them would be six. Work without a result is in forgotten storage from now on,
 * whatever its integrator answers.
 */
const assembled = `
  WITH addressee AS (${addressee}
  ), moved AS (
    UPDATE documents SET state_since = now(),
      state = CASE WHEN (SELECT callback_url FROM addressee) IS NULL THEN 'forgotten' ELSE 'delivering' END,
      epoch = epoch + CASE WHEN (SELECT callback_url FROM addressee) IS NULL THEN 2 ELSE 1 END
    WHERE key = $1 AND epoch = $2 AND state = 'assembling'
    RETURNING key, left_user_id, source_hash, file_type, stored_at IS NOT NULL AND NOT ${isUnsaved} AS not_modified
  ), superseded AS (
    UPDATE saves SET state = 'superseded', ended_at = now()
    WHERE key = $1 AND state = 'assembling' AND EXISTS (SELECT FROM moved)
  ), saved AS (
    INSERT INTO saves (key, epoch, status, state, callback_url, base_url, end_index, result_hash, file_type,
      changes_hash, history, author_id, left_user_id, last_saved_at, skipped, not_modified, ended_at)
    SELECT $1, $2::bigint + 1, $3::smallint, CASE WHEN callback_url IS NULL THEN 'forgotten' ELSE 'pending' END, callback_url, $4, $5::integer, $6, $7,
      $8, $9::jsonb, author_id, left_user_id, saved_at, $10::integer, not_modified, CASE WHEN callback_url IS NULL THEN now() END
    FROM moved, addressee
    RETURNING key, id, result_hash, file_type, callback_url
  ), kept AS (
    INSERT INTO forgotten (key, save_id, result_hash, source_hash, file_type)
    SELECT saved.key, saved.id, saved.result_hash, moved.source_hash, coalesce(saved.file_type, moved.file_type)
    FROM saved, moved WHERE saved.result_hash IS NULL OR saved.callback_url IS NULL
    ${inPlaceOfOlder}
  )
  SELECT FROM moved`;

/** The end of a document's session in the database: from the leave of the last editor to the outbox. */
export class Closing {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Records that nobody edits a document any more: with changes (or forgotten work to deliver again, or a
   * forced save whose changes were taken back) it is to be assembled after `graceMs`, or before that where its
   * integrator wants changes stored sooner; without, it is idle and its integrator gets a callback that says so.
   */
  async lastEditorLeft(
    key: string,
    left: { userId: string; callbackUrl: string | null },
    graceMs: number,
  ): Promise<Left> {
    const closing = await this.#pool.query<{ dueInMs: number }>(
      `UPDATE documents SET state = 'closing', state_since = now(), epoch = epoch + 1, left_user_id = $2,
         due_at = CASE WHEN store_within_ms IS NULL OR unsaved_since IS NULL THEN now() + $3 * interval '1 millisecond'
                       ELSE least(now() + $3 * interval '1 millisecond',
                                  greatest(now(), unsaved_since + ${saveAfter})) END
       WHERE key = $1 AND state = 'open' AND (next_index > 0 OR from_forgotten OR ${wasForceSaved})
       RETURNING (extract(epoch FROM due_at - now()) * 1000)::float8 AS "dueInMs"`,
      [key, left.userId, graceMs],
    );
    const due = closing.rows[0];
    if (due) return { kind: 'closing', dueInMs: due.dueInMs };
    const unchanged = await this.#pool.query(
      `WITH document AS (
         UPDATE documents SET
           epoch = epoch + CASE WHEN state = 'open' THEN 1 ELSE 0 END,
           state_since = CASE WHEN state = 'open' THEN now() ELSE state_since END,
           state = CASE WHEN state = 'open' THEN 'idle' ELSE state END
         WHERE key = $1 AND state IN ('open', 'opening', 'failed') AND next_index = 0
         RETURNING key, epoch, base_url
       ), told AS (
         INSERT INTO saves (key, epoch, status, callback_url, base_url, end_index, left_user_id)
         SELECT key, epoch, 4, $2, base_url, 0, $3 FROM document WHERE $2::text IS NOT NULL
       )
       SELECT key FROM document`,
      [key, left.callbackUrl, left.userId],
    );
    return unchanged.rowCount === 1 ? { kind: 'unchanged' } : { kind: 'elsewhere' };
  }

  /** The grace has passed and nobody came back: the document is assembled now. Null when that is not so. */
  async beginAssembly(key: string): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `UPDATE documents SET state = 'assembling', state_since = now(), epoch = epoch + 1
       WHERE key = $1 AND state = 'closing' AND due_at <= now() + interval '20 milliseconds'
       RETURNING ${documentColumns}`,
      [key],
    );
    return rows[0] ?? null;
  }

  /** The document if it is still the one that was to be assembled. */
  async assembling(key: string, epoch: number): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `SELECT ${documentColumns} FROM documents WHERE key = $1 AND epoch = $2 AND state = 'assembling'`,
      [key, epoch],
    );
    return rows[0] ?? null;
  }

  /**
   * Records the result of an assembly and, in the same transaction, the callback that reports it (I6). Returns false, and
   * changes nothing, when the document has moved on meanwhile: an editor came back, or another worker was first. A document
   * without a callback address goes to forgotten storage at once. Forced saves that are not made yet are not needed any
   * more.
   */
  async finishAssembly(document: DocumentRow, assembly: Assembly): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'finish-assembly',
      text: assembled,
      values: [
        document.key,
        document.epoch,
        assembly.result ? CallbackStatus.mustSave : CallbackStatus.corrupted,
        document.baseUrl,
        document.nextIndex,
        assembly.result?.hash ?? null,
        assembly.result?.fileType ?? null,
        assembly.changesHash,
        assembly.history === null ? null : JSON.stringify(assembly.history),
        assembly.skipped,
      ],
    });
    return rowCount === 1;
  }

  /** Documents that are being closed or assembled, which somebody has to take up again after a crash. */
  async unfinished(): Promise<UnfinishedDocument[]> {
    const { rows } = await this.#pool.query<UnfinishedDocument>(
      `SELECT ${documentColumns},
         greatest(0, coalesce(extract(epoch FROM due_at - now()) * 1000, 0))::float8 AS "dueInMs"
       FROM documents WHERE state IN ('closing', 'assembling')`,
    );
    return rows;
  }

  /** The keys of all documents in state `open`, of which there may be tens of thousands. */
  async openKeys(): Promise<string[]> {
    const { rows } = await this.#pool.query<[string]>({
      text: `SELECT key FROM documents WHERE state = 'open'`,
      rowMode: 'array',
    });
    return rows.map(([key]) => key);
  }

  /**
   * How many documents are being edited or are on their way to the outbox, or wait there for their first attempt or its
   * outcome.
   */
  async underWay(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM documents WHERE state IN ('open', 'closing', 'assembling'))::int
         + (SELECT count(*) FROM saves WHERE state = 'pending' AND (attempts = 0 OR attempting_since IS NOT NULL))::int
         AS count`,
    );
    return rows[0]!.count;
  }

  /** The user who opened the document last: callbacks name this one for users whose leave nobody saw. */
  async lastOpening(
    key: string,
  ): Promise<{ userId: string; userIndex: number; callbackUrl: string | null } | null> {
    const { rows } = await this.#pool.query<{
      userId: string;
      userIndex: number;
      callbackUrl: string | null;
    }>(
      `SELECT user_id AS "userId", user_index AS "userIndex", callback_url AS "callbackUrl"
       FROM openings WHERE key = $1 ORDER BY user_index DESC LIMIT 1`,
      [key],
    );
    return rows[0] ?? null;
  }
}

/** Enters a save's document into forgotten storage; `leave`: nothing more is tried, the document rests there. */
export async function keepForgotten(
  client: pg.PoolClient,
  save: { key: string; id: string },
  leave: boolean,
): Promise<void> {
  const names = [save.key, save.id];
  await client.query(
    `INSERT INTO forgotten (key, save_id, result_hash, source_hash, file_type)
     SELECT saves.key, saves.id, saves.result_hash, documents.source_hash,
       coalesce(saves.file_type, documents.file_type)
     FROM saves JOIN documents USING (key) WHERE key = $1 AND saves.id = $2
     ${inPlaceOfOlder}`,
    names,
  );
  if (!leave) return;
  await client.query(
    `UPDATE documents SET state = 'forgotten', state_since = now(), epoch = documents.epoch + 1
     FROM saves WHERE saves.key = $1 AND saves.id = $2 AND documents.key = $1 AND documents.state = 'delivering'
       AND documents.epoch = saves.epoch`,
    names,
  );
}
