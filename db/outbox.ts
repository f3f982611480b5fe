import type pg from 'pg';
import { CallbackStatus } from '../client/protocol/index.ts';
import { keepForgotten } from './closing.ts';
import { storedIndex } from './document-row.ts';
import { fileGone, isForced, type SaveRow, saveColumns } from './save-row.ts';
import { inTransaction } from './transaction.ts';

const { mustSave, corrupted, forceSaved, forceSaveFailed } = CallbackStatus;

/** What the integrator has of a document: how many changes of the log, and since when. */
export interface Stored {
  index: number;
  at: Date;
}

/**
 * SQL: a callback waits until a forced save of the same document has been dealt with. If the older file came later, the
 * integrator would put it in the place of the newer one.
 */
const waitsForForced = `status <> ${forceSaveFailed} AND EXISTS (SELECT FROM saves AS earlier
  WHERE earlier.key = saves.key AND earlier.id < saves.id AND earlier.status = ${forceSaved} AND earlier.state = 'pending')`;

/** SQL: the host that a callback goes to; the empty text where it goes to none. */
const hostOf = `coalesce(lower(substring(callback_url FROM '^[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)')), '')`;

/** A callback that was claimed, and the host that it goes to. */
export type ClaimedSave = SaveRow & { host: string };

/** SQL: what an attempt came to, `$2`; of a save whose file is lost that is said, too, as long as its report is not taken. */
const lastError = `CASE WHEN status IN (${corrupted}, ${forceSaveFailed}) AND starts_with(last_error, '${fileGone}')
  THEN '${fileGone}: its report was not accepted: ' || $2 ELSE $2 END`;

/**
 * SQL: the save `$2` of the document `$1` is with its integrator. In the same step what it was made of is deleted, if it was
 * the final one of the document's epoch `$3`. One statement: its parts are committed together, and it is one round trip and
 * one wait for the disk where a transaction of them would be nine round trips.
 */
const deliveredSave = `
  WITH ended AS (
    UPDATE saves SET state = 'delivered', ended_at = now(), attempting_since = NULL WHERE key = $1 AND id = $2
    RETURNING status
  ), document AS (
    UPDATE documents SET state = 'closed', state_since = now(), epoch = epoch + 1, next_index = 0,
      log_version = log_version + 1, stored_index = 0, stored_log_version = NULL, stored_at = now(),
      from_forgotten = false, store_within_ms = NULL, unsaved_since = NULL, refused_since = NULL
    WHERE key = $1 AND epoch = $3 AND state = 'delivering' AND EXISTS (SELECT FROM ended WHERE status = ${mustSave})
    RETURNING key
  ), ${['batches', 'checkpoints', 'openings', 'media', 'forgotten']
    .map((table) => `no_${table} AS (DELETE FROM ${table} WHERE key = $1 AND EXISTS (SELECT FROM document))`)
    .join(', ')}
  SELECT`;

/** Callbacks that wait to be delivered. A row is claimed by one node at a time; the claims of a dead node are given back. */
export class Outbox {
  readonly #pool: pg.Pool;
  readonly #nodeId: string;
  readonly #claimLapsesMs: number;

  /** `claimLapsesMs`: a claim is over after this time in any case. */
  constructor(pool: pg.Pool, nodeId: string, claimLapsesMs: number) {
    this.#pool = pool;
    this.#nodeId = nodeId;
    this.#claimLapsesMs = claimLapsesMs;
  }

  /**
   * Claims up to `limit` callbacks that are due, none to `crowded` hosts. A forced save that was tried in vain is not tried again when there is
   * something newer to report of the document.
   */
  async claim(limit: number, crowded: readonly string[] = []): Promise<ClaimedSave[]> {
    await this.#pool.query(
      `UPDATE saves SET state = 'superseded', ended_at = now()
       WHERE state = 'pending' AND status IN (${forceSaved}, ${forceSaveFailed}) AND attempts > 0 AND attempting_since IS NULL
         AND EXISTS (SELECT FROM saves AS newer WHERE newer.key = saves.key AND newer.id > saves.id
                     AND newer.status <> ${forceSaveFailed} AND newer.state IN ('pending', 'delivered'))`,
    );
    const { rows } = await this.#pool.query<ClaimedSave>(
      `UPDATE saves SET attempting_since = now(), attempting_node = $3, attempts = attempts + 1, vetoed = false
       WHERE (key, id) IN (
         SELECT key, id FROM saves WHERE state = 'pending' AND next_attempt_at <= now()
           AND (attempting_since IS NULL OR attempting_since < now() - $2 * interval '1 millisecond')
           AND NOT (${waitsForForced}) AND (cardinality($4::text[]) = 0 OR ${hostOf} <> ALL ($4))
         ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${saveColumns}, ${hostOf} AS host`,
      [limit, this.#claimLapsesMs, this.#nodeId, crowded],
    );
    return rows;
  }

  /**
   * The storage says by another way than its answer that it does not have the document: whatever it will answer to the
   * callback that is under way, that one was not accepted.
   */
  async veto(key: string): Promise<void> {
    await this.#pool.query(
      `UPDATE saves SET vetoed = true
       WHERE key = $1 AND state = 'pending' AND attempting_since IS NOT NULL AND status IN (${mustSave}, ${corrupted}, ${forceSaved})`,
      [key],
    );
  }

  async isVetoed({ key, id }: Pick<SaveRow, 'key' | 'id'>): Promise<boolean> {
    const { rows } = await this.#pool.query<{ vetoed: boolean }>(
      'SELECT vetoed FROM saves WHERE key = $1 AND id = $2',
      [key, id],
    );
    return rows[0]?.vetoed === true;
  }

  /** When the next callback is due, milliseconds from now, of those to `crowded` hosts none; null when none waits. */
  async nextDueInMs(crowded: readonly string[] = []): Promise<number | null> {
    const { rows } = await this.#pool.query<{ due: number | null }>(
      `SELECT (extract(epoch FROM min(next_attempt_at) - now()) * 1000)::float8 AS due FROM saves
       WHERE state = 'pending' AND attempting_since IS NULL AND NOT (${waitsForForced})
         AND (cardinality($1::text[]) = 0 OR ${hostOf} <> ALL ($1))`,
      [crowded],
    );
    return rows[0]?.due ?? null;
  }

  /** The final file of a document's last opening that its integrator has confirmed; null when there is none. */
  async deliveredFile(key: string): Promise<{ hash: string; fileType: string } | null> {
    const { rows } = await this.#pool.query<{ hash: string; fileType: string }>(
      `SELECT saves.result_hash AS hash, saves.file_type AS "fileType" FROM saves JOIN documents USING (key)
       WHERE key = $1 AND saves.status = ${mustSave} AND saves.state = 'delivered' AND saves.created_at >= documents.opened_at
       ORDER BY saves.id DESC LIMIT 1`,
      [key],
    );
    return rows[0] ?? null;
  }

  /** Gives back the claims of all but these nodes. Returns how many there were. */
  async releaseClaims(living: Iterable<string>): Promise<number> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET attempting_since = NULL
       WHERE state = 'pending' AND attempting_since IS NOT NULL
         AND (attempting_node IS NULL OR NOT attempting_node = ANY($1))`,
      [[...living]],
    );
    return rowCount ?? 0;
  }

  /**
   * The integrator confirmed receipt of a final save. Only now are the changes deleted, and only those of a document
   * that is still the one that was saved. Status 3 confirms that there is no file: nothing is deleted.
   */
  async delivered(save: SaveRow): Promise<void> {
    if (save.status !== corrupted) {
      await this.#pool.query({
        name: 'save-delivered',
        text: deliveredSave,
        values: [save.key, save.id, save.epoch],
      });
      return;
    }
    await inTransaction(this.#pool, async (client) => {
      await endSave(client, save, 'delivered');
      await keepForgotten(client, save, true);
    });
  }

  /**
   * The integrator confirmed receipt of a forced save: of the file, or of the report that there is none. Returns what it
   * has of the document now; null when that has not changed, or the document is no longer the one that was saved.
   */
  forcedDelivered(save: SaveRow): Promise<Stored | null> {
    return inTransaction(this.#pool, async (client) => {
      await endSave(client, save, 'delivered');
      if (save.status === forceSaveFailed) return null;
      const { rows } = await client.query<Stored>(
        `UPDATE documents SET stored_index = $2, stored_log_version = $3, stored_at = now(), refused_since = NULL,
           unsaved_since = CASE
             WHEN log_version <> $3 THEN greatest(unsaved_since, (SELECT created_at FROM saves WHERE saves.key = $1 AND id = $4))
             WHEN next_index > $2 THEN greatest(unsaved_since, (SELECT saved_at FROM batches
               WHERE batches.key = documents.key AND first_index >= $2 ORDER BY first_index LIMIT 1))
             END
         WHERE key = $1 AND opened_at <= (SELECT created_at FROM saves WHERE saves.key = $1 AND id = $4)
           AND state IN ('open', 'closing', 'assembling', 'delivering')
         RETURNING ${storedIndex} AS index, stored_at AS at`,
        [save.key, save.endIndex, save.logVersion, save.id],
      );
      return rows[0] ?? null;
    });
  }

  /** How many attempts to deliver files of a document have failed since the last that did not, this one included. */
  async attemptsInVain({ key, id }: Pick<SaveRow, 'key' | 'id'>): Promise<number> {
    const { rows } = await this.#pool.query<{ attempts: number }>(
      `SELECT coalesce(sum(attempts), 0)::int AS attempts FROM saves
       WHERE key = $1 AND id <= $2 AND status = ${forceSaved} AND id > coalesce(
         (SELECT max(id) FROM saves WHERE key = $1 AND state = 'delivered' AND status <> ${forceSaveFailed}), 0)`,
      [key, id],
    );
    return rows[0]!.attempts;
  }

  /**
   * The attempt failed; another follows after `delayMs`. `firstAttemptAt`: when the callback was first sent to its
   * address; null: it has not been. `isRefused`: the integrator was asked. Returns since when it takes no file of the
   * document; null when this was no file, or is not of its present life, or the integrator was not asked.
   */
  retryLater(
    save: SaveRow,
    error: string,
    delayMs: number,
    firstAttemptAt: Date | null,
    isRefused = firstAttemptAt !== null,
  ): Promise<Date | null> {
    return inTransaction(this.#pool, async (client) => {
      await client.query(
        `UPDATE saves SET attempting_since = NULL, last_error = ${lastError}, first_attempt_at = $5,
           next_attempt_at = now() + $3 * interval '1 millisecond' WHERE key = $4 AND id = $1`,
        [save.id, error.slice(0, 1_000), delayMs, save.key, firstAttemptAt],
      );
      return isRefused ? noteRefusal(client, save) : null;
    });
  }

  /**
   * Nothing more is tried: the work goes to forgotten storage, with its callback address, author and history. Of a
   * forced save nothing has to be kept: the document still has it all. Returns the same as `retryLater`.
   */
  giveUp(save: SaveRow, error: string): Promise<Date | null> {
    return inTransaction(this.#pool, async (client) => {
      await client.query(`UPDATE saves SET last_error = ${lastError} WHERE key = $1 AND id = $3`, [
        save.key,
        error.slice(0, 1_000),
        save.id,
      ]);
      await endSave(client, save, isForced(save) ? 'abandoned' : 'forgotten');
      if (save.status === mustSave || save.status === corrupted) await keepForgotten(client, save, true);
      return noteRefusal(client, save);
    });
  }
}

async function noteRefusal(client: pg.PoolClient, save: SaveRow): Promise<Date | null> {
  if (save.status !== mustSave && save.status !== corrupted && save.status !== forceSaved) return null;
  const { rows } = await client.query<{ since: Date }>(
    `UPDATE documents SET refused_since = coalesce(refused_since, now())
     WHERE key = $1 AND opened_at <= (SELECT created_at FROM saves WHERE saves.key = $1 AND id = $2)
       AND state IN ('open', 'closing', 'assembling', 'delivering', 'forgotten')
     RETURNING refused_since AS since`,
    [save.key, save.id],
  );
  return rows[0]?.since ?? null;
}

async function endSave(
  client: pg.PoolClient,
  { key, id }: SaveRow,
  state: 'delivered' | 'forgotten' | 'abandoned',
): Promise<void> {
  await client.query(
    'UPDATE saves SET state = $3, ended_at = now(), attempting_since = NULL WHERE key = $1 AND id = $2',
    [key, id, state],
  );
}
