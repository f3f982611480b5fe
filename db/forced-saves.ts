import type pg from 'pg';
import { ForceSaveType } from '../client/protocol/index.ts';
import type { Assembly } from './closing.ts';
import { type DocumentRow, documentColumns, isUnsaved, saveAfter } from './document-row.ts';
import { inTransaction } from './transaction.ts';

/** Who wants a document saved while it is being edited, and why. */
export interface ForceSaveRequest {
  key: string;
  type: ForceSaveType;
  /** The integrator's id of who pressed the button, and the callback address of that person's page. */
  initiator: { userId: string; callbackUrl: string | null } | null;
  /** JSON text that the integrator wants back. */
  userData: string | null;
  /** Blob of what was filled into a form that is submitted. */
  formDataHash?: string | null;
}

/**
 * What came of a request. `started` and `joined`: `at` is the time by which editors will recognise its end; joined is
 * one that was asked for before, and has everything in it. `unchanged`: the integrator has it all. `closed`: nobody
 * edits the document. `opaque`: nobody here can read its changes. `unaddressed`: nobody gave a callback address.
 */
export type ForceSaveRequested =
  | { kind: 'started' | 'joined'; at: Date }
  | { kind: 'unknown' | 'unchanged' | 'closed' | 'opaque' | 'unaddressed' };

/** A forced save that is to be made: the changes `[0, endIndex)` of one version of the log, and their document. */
export interface WantedSave {
  id: string;
  endIndex: number;
  logVersion: number;
  document: DocumentRow;
}

/**
 * The last change of a document as it is now, and the callback address for it: the one that came with `$2`, or of who
 * made the last change, or else the newest.
 */
const lastChange = `
  SELECT last.unique_id, last.user_id, last.saved_at, coalesce($2,
    (SELECT callback_url FROM openings o WHERE o.key = $1 AND callback_url IS NOT NULL
     ORDER BY (o.unique_id = last.unique_id) DESC NULLS LAST, o.user_index DESC LIMIT 1)) AS callback_url
  FROM (SELECT 1) AS one
  LEFT JOIN LATERAL (SELECT unique_id, user_id, saved_at FROM batches WHERE key = $1
                     ORDER BY first_index DESC LIMIT 1) AS last ON true`;

interface Now extends DocumentRow {
  unsaved: boolean | null;
  authorId: string | null;
  savedAt: Date | null;
  callbackUrl: string | null;
}

/**
 * Forced saves from the request until their callback is in the outbox. A row in state `assembling` is a request; what
 * is asked for is on record before anybody learns that it was started. They never touch the document's state or log:
 * what keeps them from saying anything wrong is the version of the log.
 */
export class ForcedSaves {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Asks for a save of everything in the log. One that waits to be begun takes up what came since; one that is being
   * made or delivered for the first time with the same changes is joined, unless the integrator wants its own answer.
   */
  request(request: ForceSaveRequest): Promise<ForceSaveRequested> {
    const { key, type, initiator, userData } = request;
    return inTransaction(this.#pool, async (client) => {
      // Requests for one document come one after the other; nothing else is held up by it.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 6))', [key]);
      const now = await read(client, key, initiator?.callbackUrl ?? null);
      if (!now) return { kind: 'unknown' };
      if (now.state !== 'open') return { kind: 'closed' };
      // A form is submitted as it is, whether or not its file was stored so before.
      const isForm = type === ForceSaveType.form;
      if (!now.unsaved && !isForm) return { kind: 'unchanged' };
      if (now.model === null || now.model === 'opaque') return { kind: 'opaque' };
      if (now.callbackUrl === null) return { kind: 'unaddressed' };
      const joined = isForm ? null : await join(client, request, now);
      if (joined) return { kind: 'joined', at: joined };
      const { rows } = await client.query<{ at: Date }>(
        `INSERT INTO saves (key, epoch, status, state, callback_url, base_url, end_index, log_version, author_id,
           last_saved_at, force_type, initiator_id, user_data, announced_at, form_data_hash)
         VALUES ($1, $2, 6, 'assembling', $3, $4, $5, $6, $7, $8, $9, $10, $11, $8, $12) RETURNING announced_at AS at`,
        [
          key,
          now.epoch,
          now.callbackUrl,
          now.baseUrl,
          now.nextIndex,
          now.logVersion,
          now.authorId,
          now.savedAt ?? new Date(),
          type,
          initiator?.userId ?? null,
          userData,
          request.formDataHash ?? null,
        ],
      );
      return { kind: 'started', at: rows[0]!.at };
    });
  }

  /** The oldest save of a document that is to be made; from now on it takes up nothing more. */
  async begin(key: string): Promise<WantedSave | null> {
    const { rows } = await this.#pool.query<Omit<WantedSave, 'document'>>(
      `UPDATE saves SET begun_at = now() WHERE key = $1 AND id = (
         SELECT id FROM saves WHERE key = $1 AND state = 'assembling' ORDER BY id LIMIT 1) AND state = 'assembling'
       RETURNING id::text, end_index AS "endIndex", log_version AS "logVersion"`,
      [key],
    );
    const save = rows[0];
    if (!save) return null;
    const found = await this.#pool.query<DocumentRow>(
      `SELECT ${documentColumns} FROM documents WHERE key = $1`,
      [key],
    );
    return { ...save, document: found.rows[0]! };
  }

  /** Records what came of a save, and with it the callback. False when the log is not the one it was made of. */
  async finish(save: WantedSave, assembly: Assembly): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET state = 'pending', status = $3, result_hash = $4, file_type = $5, changes_hash = $6,
         history = $7, skipped = $8, next_attempt_at = now()
       WHERE key = $10 AND id = $1 AND state = 'assembling' AND log_version = $2 AND end_index = $9
         AND EXISTS (SELECT FROM documents WHERE documents.key = saves.key AND documents.log_version = $2)`,
      [
        save.id,
        save.logVersion,
        assembly.result ? 6 : 7,
        assembly.result?.hash ?? null,
        assembly.result?.fileType ?? null,
        assembly.result ? assembly.changesHash : null,
        assembly.result && assembly.history ? JSON.stringify(assembly.history) : null,
        assembly.skipped,
        save.endIndex,
        save.document.key,
      ],
    );
    return rowCount === 1;
  }

  /** The log was rewritten under a save: it is made of what is there now, unless nobody edits any more. */
  renew(save: WantedSave): Promise<void> {
    const { key } = save.document;
    return inTransaction(this.#pool, async (client) => {
      const now = await read(client, key, null);
      const { rowCount } = await client.query(
        `UPDATE saves SET end_index = $2, log_version = $3, author_id = $4, last_saved_at = coalesce($5, last_saved_at)
         WHERE key = $7 AND id = $1 AND state = 'assembling' AND $6::boolean`,
        [save.id, now?.nextIndex, now?.logVersion, now?.authorId, now?.savedAt, now?.state === 'open', key],
      );
      if (rowCount === 1) return;
      await client.query(
        `UPDATE saves SET state = 'superseded', ended_at = now()
         WHERE key = $1 AND id = $2 AND state = 'assembling'`,
        [key, save.id],
      );
    });
  }

  /** The save of a document that a worker is to begin with, as an id. */
  async oldest(key: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `SELECT id::text FROM saves WHERE key = $1 AND state = 'assembling' ORDER BY id LIMIT 1`,
      [key],
    );
    return rows[0]?.id ?? null;
  }

  /** Documents with saves that are to be made. */
  async unfinished(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT DISTINCT key FROM saves WHERE state = 'assembling'`,
    );
    return rows.map(({ key }) => key);
  }

  /** Saves that nobody could make in time have failed; the document is as it was and the next request tries anew. */
  async failOverdue(afterMs: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET state = 'pending', status = 7, next_attempt_at = now(), last_error = 'not made in time'
       WHERE state = 'assembling' AND created_at < now() - $1 * interval '1 millisecond'`,
      [afterMs],
    );
    return rowCount !== 0;
  }

  /**
   * Documents whose integrator wants every change within a time that has so far passed that a save has to begin. Not
   * those with a save that is being made, waits with the same changes, or was begun as little as that time ago; nor those
   * with one that was tried and not accepted: its next attempt shows whether a newer one would be.
   */
  async due(): Promise<string[]> {
    // The OFFSET keeps the saves of each document from being looked up in a scan of all saves.
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT key FROM documents
       WHERE store_within_ms IS NOT NULL AND unsaved_since <= now() - ${saveAfter}
         AND state = 'open' AND model <> 'opaque' AND ${isUnsaved}
         AND NOT EXISTS (SELECT FROM saves WHERE saves.key = documents.key AND saves.status IN (6, 7)
           AND (saves.state = 'assembling' OR saves.created_at > now() - ${saveAfter}
             OR (saves.state = 'pending' AND saves.status = 6 AND saves.attempts > 0)
             OR (saves.state = 'pending' AND saves.end_index = documents.next_index
               AND saves.log_version = documents.log_version))
           OFFSET 0)
       ORDER BY unsaved_since`,
    );
    return rows.map(({ key }) => key);
  }

  /**
   * The age of the oldest change that an integrator has not got, milliseconds; 0 when there is none. `asked`: of
   * documents whose integrator wants them within a time, `others`: of all others. What rests in forgotten storage does
   * not count.
   */
  async oldestUnsavedMs(): Promise<{ asked: number; others: number }> {
    const { rows } = await this.#pool.query<{ asked: number; others: number }>(
      `SELECT coalesce(max(age) FILTER (WHERE asked), 0)::float8 AS asked,
         coalesce(max(age) FILTER (WHERE NOT asked), 0)::float8 AS others
       FROM (SELECT extract(epoch FROM now() - unsaved_since) * 1000 AS age, store_within_ms IS NOT NULL AS asked
             FROM documents WHERE unsaved_since IS NOT NULL AND state <> 'forgotten') AS unsaved`,
    );
    return rows[0]!;
  }

  /** How many documents their integrators refuse to take. */
  async refusedCount(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM documents WHERE refused_since IS NOT NULL',
    );
    return rows[0]!.count;
  }
}

async function read(
  client: pg.PoolClient,
  key: string,
  callbackUrl: string | null,
): Promise<Now | undefined> {
  const { rows } = await client.query<Now>(
    `SELECT ${documentColumns}, ${isUnsaved} AS unsaved, last.user_id AS "authorId", last.saved_at AS "savedAt",
       last.callback_url AS "callbackUrl"
     FROM documents, LATERAL (${lastChange}) AS last WHERE key = $1`,
    [key, callbackUrl],
  );
  return rows[0];
}

/** Joins a save that has, or can still take up, everything there is. Returns the time it was announced with. */
async function join(client: pg.PoolClient, request: ForceSaveRequest, now: Now): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date }>(
    `UPDATE saves SET end_index = $2, log_version = $3, author_id = $4, last_saved_at = $5
     WHERE key = $1 AND id = (
       SELECT id FROM saves WHERE key = $1 AND status = 6 AND force_type <> ${ForceSaveType.form}
         AND ($6::text IS NULL OR (force_type = $7 AND user_data = $6))
         AND ((state = 'assembling' AND begun_at IS NULL)
           OR (end_index = $2 AND log_version = $3 AND (state = 'assembling'
             OR (state = 'pending' AND (attempts = 0 OR (attempts = 1 AND attempting_since IS NOT NULL))))))
       ORDER BY id DESC LIMIT 1)
       AND (begun_at IS NULL OR (end_index = $2 AND log_version = $3))
     RETURNING announced_at AS at`,
    [request.key, now.nextIndex, now.logVersion, now.authorId, now.savedAt, request.userData, request.type],
  );
  return rows[0]?.at ?? null;
}
