import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/** Work that could not be delivered. Without `resultHash` there is only the base file and the change log. */
export interface ForgottenRow {
  key: string;
  resultHash: string | null;
  sourceHash: string;
  fileType: string;
  forgottenAt: Date;
}

const columns = `key, result_hash AS "resultHash", source_hash AS "sourceHash", file_type AS "fileType",
  forgotten_at AS "forgottenAt"`;

/** Forgotten storage. */
export class Forgotten {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(key: string): Promise<ForgottenRow | null> {
    const { rows } = await this.#pool.query<ForgottenRow>(`SELECT ${columns} FROM forgotten WHERE key = $1`, [
      key,
    ]);
    return rows[0] ?? null;
  }

  async keys(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      'SELECT key FROM forgotten ORDER BY forgotten_at',
    );
    return rows.map((row) => row.key);
  }

  /** Removes a document from forgotten storage, and its log if nothing else needs it. Returns whether it was there. */
  delete(key: string): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      const deleted = await client.query('DELETE FROM forgotten WHERE key = $1', [key]);
      const closed = await client.query(
        `UPDATE documents SET state = 'closed', state_since = now(), epoch = epoch + 1, next_index = 0,
           log_version = log_version + 1, from_forgotten = false
         WHERE key = $1 AND state = 'forgotten'`,
        [key],
      );
      if (closed.rowCount === 1) {
        await client.query('DELETE FROM batches WHERE key = $1', [key]);
        await client.query('DELETE FROM checkpoints WHERE key = $1', [key]);
        await client.query('DELETE FROM openings WHERE key = $1', [key]);
        await client.query('DELETE FROM media WHERE key = $1', [key]);
      }
      return deleted.rowCount === 1;
    });
  }
}
