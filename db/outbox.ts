import type pg from 'pg';
import { keepForgotten } from './closing.ts';
import { type SaveRow, saveColumns } from './save-row.ts';
import { inTransaction } from './transaction.ts';

/** Callbacks that wait to be delivered. A row is claimed by one node at a time; a claim whose node died lapses. */
export class Outbox {
  readonly #pool: pg.Pool;
  readonly #claimLapsesMs: number;

  constructor(pool: pg.Pool, claimLapsesMs: number) {
    this.#pool = pool;
    this.#claimLapsesMs = claimLapsesMs;
  }

  /** Claims up to `limit` callbacks that are due. */
  async claim(limit: number): Promise<SaveRow[]> {
    const { rows } = await this.#pool.query<SaveRow>(
      `UPDATE saves SET attempting_since = now(), attempts = attempts + 1
       WHERE id IN (
         SELECT id FROM saves WHERE state = 'pending' AND next_attempt_at <= now()
           AND (attempting_since IS NULL OR attempting_since < now() - $2 * interval '1 millisecond')
         ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${saveColumns}`,
      [limit, this.#claimLapsesMs],
    );
    return rows;
  }

  /** When the next callback is due, milliseconds from now; null when none waits. */
  async nextDueInMs(): Promise<number | null> {
    const { rows } = await this.#pool.query<{ due: number | null }>(
      `SELECT (extract(epoch FROM min(next_attempt_at) - now()) * 1000)::float8 AS due FROM saves
       WHERE state = 'pending' AND attempting_since IS NULL`,
    );
    return rows[0]?.due ?? null;
  }

  /** Gives back every claim: for the only node there is, when it starts. */
  async releaseClaims(): Promise<void> {
    await this.#pool.query(`UPDATE saves SET attempting_since = NULL WHERE state = 'pending'`);
  }

  /**
   * The integrator confirmed receipt. Only now are the changes deleted, and only those of a document that is still
   * the one that was saved. Status 3 confirms the bad news, not a file: nothing is deleted.
   */
  delivered(save: SaveRow): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      await endSave(client, save.id, 'delivered');
      if (save.status === 4) return;
      if (save.status === 3) return keepForgotten(client, save.id, true);
      const closed = await client.query(
        `UPDATE documents SET state = 'closed', state_since = now(), epoch = epoch + 1, next_index = 0,
           from_forgotten = false
         WHERE key = $1 AND epoch = $2 AND state = 'delivering'`,
        [save.key, save.epoch],
      );
      if (closed.rowCount !== 1) return;
      await client.query('DELETE FROM batches WHERE key = $1', [save.key]);
      await client.query('DELETE FROM openings WHERE key = $1', [save.key]);
      await client.query('DELETE FROM media WHERE key = $1', [save.key]);
      await client.query('DELETE FROM forgotten WHERE key = $1', [save.key]);
    });
  }

  /** The attempt failed; another follows after `delayMs`. */
  async retryLater(save: SaveRow, error: string, delayMs: number): Promise<void> {
    await this.#pool.query(
      `UPDATE saves SET attempting_since = NULL, last_error = $2,
         next_attempt_at = now() + $3 * interval '1 millisecond' WHERE id = $1`,
      [save.id, error.slice(0, 1_000), delayMs],
    );
  }

  /** Nothing more is tried: the work goes to forgotten storage, with its callback address, author and history. */
  giveUp(save: SaveRow, error: string): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      await client.query('UPDATE saves SET last_error = $2 WHERE id = $1', [save.id, error.slice(0, 1_000)]);
      await endSave(client, save.id, 'forgotten');
      if (save.status !== 4) await keepForgotten(client, save.id, true);
    });
  }
}

async function endSave(client: pg.PoolClient, id: string, state: 'delivered' | 'forgotten'): Promise<void> {
  await client.query('UPDATE saves SET state = $2, ended_at = now(), attempting_since = NULL WHERE id = $1', [
    id,
    state,
  ]);
}
