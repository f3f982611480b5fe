import type pg from 'pg';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { inTransaction } from './transaction.ts';

/**
 * What became of an attempt to hand a forgotten document over after all. `delivering`: its save is in the outbox again,
 * with all its time. `assembling`: there was no file; it is to be made anew. `in-use`: somebody has opened it since, its
 * next save hands it over. `unaddressed`: nobody gave an address to hand it to. `opaque`: nobody here can make its file.
 */
export type HandedBack =
  | { kind: 'delivering' }
  | { kind: 'assembling'; document: DocumentRow }
  | { kind: 'not-forgotten' | 'in-use' | 'unaddressed' | 'opaque' };

/** What became of an attempt to have a save tried again now. `under-way`: that is so at this moment. */
export type Retried = 'due' | 'under-way' | 'not-waiting';

/** Takes up again what was given up, or waits. */
export class HandBack {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Takes a document out of its rest in forgotten storage; its copy stays there until it is handed over. */
  forgotten(key: string): Promise<HandedBack> {
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
           attempting_since = NULL, created_at = now(), ended_at = NULL WHERE id = $1`,
        [row.saveId, now.epoch],
      );
      return { kind: 'delivering' };
    });
  }

  /** Has a save that waits for its next attempt tried at once. */
  async waiting(id: string): Promise<Retried> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET next_attempt_at = now() WHERE id = $1 AND state = 'pending' AND attempting_since IS NULL`,
      [id],
    );
    if (rowCount === 1) return 'due';
    const { rows } = await this.#pool.query<{ state: string }>('SELECT state FROM saves WHERE id = $1', [id]);
    return rows[0]?.state === 'pending' ? 'under-way' : 'not-waiting';
  }
}
