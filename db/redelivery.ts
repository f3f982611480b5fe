import type pg from 'pg';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { inTransaction } from './transaction.ts';

/**
 * What became of an attempt to redeliver a forgotten document. `delivering`: its save is in the outbox again, with all its
 * time. `assembling`: there was no file; it is to be made. `in-use`: somebody has opened it since, and its next save
 * delivers it. `unaddressed`: nobody gave an address to deliver it to. `opaque`: nobody here can make its file.
 */
type RedeliveryOutcome =
  | { kind: 'delivering' }
  | { kind: 'assembling'; document: DocumentRow }
  | { kind: 'not-forgotten' | 'in-use' | 'unaddressed' | 'opaque' };

/** What became of the wish to try a save again now. `under-way`: it is being delivered at this moment. */
type RetryOutcome = 'due' | 'under-way' | 'not-waiting';

/** Redelivers what was given up or waits. */
export class RedeliveryRecords {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Redelivers a forgotten document; its copy stays in forgotten storage until it is delivered. */
  forgotten(key: string): Promise<RedeliveryOutcome> {
    return inTransaction(this.#pool, async (client) => {
      const locked = await client.query<DocumentRow>(
        `SELECT ${documentColumns} FROM documents WHERE key = $1 FOR UPDATE`,
        [key],
      );
      const kept = await client.query<{ saveId: string; hasFile: boolean; callbackUrl: string | null }>(
        `SELECT forgotten.save_id::text AS "saveId", forgotten.result_hash IS NOT NULL AS "hasFile",
           saves.callback_url AS "callbackUrl"
         FROM forgotten JOIN saves ON saves.id = forgotten.save_id WHERE forgotten.key = $1`,
        [key],
      );
      const row = kept.rows[0];
      const document = locked.rows[0];
      if (!row || !document) return { kind: 'not-forgotten' };
      if (document.state !== 'forgotten') return { kind: 'in-use' };
      if (!row.hasFile && document.model === 'opaque') return { kind: 'opaque' };
      if (row.callbackUrl === null) return { kind: 'unaddressed' };
      const moved = await client.query<DocumentRow>(
        `UPDATE documents SET state = $2, state_since = now(), epoch = epoch + 1 WHERE key = $1
         RETURNING ${documentColumns}`,
        [key, row.hasFile ? 'delivering' : 'assembling'],
      );
      const now = moved.rows[0]!;
      if (!row.hasFile) return { kind: 'assembling', document: now };
      await client.query(
        `UPDATE saves SET state = 'pending', epoch = $2, attempts = 0, next_attempt_at = now(),
           attempting_since = NULL, first_attempt_at = NULL, created_at = now(), ended_at = NULL WHERE id = $1`,
        [row.saveId, now.epoch],
      );
      return { kind: 'delivering' };
    });
  }

  /** Makes a save that waits for its next attempt due at once. */
  async waiting(id: string): Promise<RetryOutcome> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET next_attempt_at = now() WHERE id = $1 AND state = 'pending' AND attempting_since IS NULL`,
      [id],
    );
    if (rowCount === 1) return 'due';
    const { rows } = await this.#pool.query<{ state: string }>('SELECT state FROM saves WHERE id = $1', [id]);
    return rows[0]?.state === 'pending' ? 'under-way' : 'not-waiting';
  }
}
