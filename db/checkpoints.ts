import type pg from 'pg';
import type { DocumentRow } from './document-row.ts';

/** The model of a document after the first `endIndex` changes of its log, as a blob. */
export interface Checkpoint {
  endIndex: number;
  hash: string;
}

/** The document that a checkpoint is made of, as it was read. */
type CheckpointedDocument = Pick<DocumentRow, 'key' | 'logVersion' | 'sourceHash'>;

/**
 * The newest checkpoint of each document. It holds for the version of the log and the opening that it was made of: a
 * log that was rewritten below it, or begun anew, has none.
 */
export class Checkpoints {
  readonly #pool: pg.Pool;
  readonly #models: readonly string[];

  /** `models`: which documents have checkpoints, by their model. */
  constructor(pool: pg.Pool, models: readonly string[]) {
    this.#pool = pool;
    this.#models = models;
  }

  /** The checkpoint of a document as it was read, if there is one at or before an index of its log. */
  async find(
    { key, logVersion, sourceHash }: CheckpointedDocument,
    endIndex: number,
  ): Promise<Checkpoint | null> {
    const { rows } = await this.#pool.query<Checkpoint>({
      name: 'find-checkpoint',
      text: `SELECT c.end_index AS "endIndex", c.hash FROM checkpoints AS c JOIN documents AS d USING (key)
             WHERE key = $1 AND c.log_version = d.log_version AND c.opened_at = d.opened_at
               AND d.log_version = $2 AND d.source_hash = $3 AND c.end_index <= $4`,
      values: [key, logVersion, sourceHash, endIndex],
    });
    return rows[0] ?? null;
  }

  /** The checkpoint of an open document whose log has this version, if there is one at or before an index. */
  async newest(key: string, logVersion: number, endIndex: number): Promise<Checkpoint | null> {
    const { rows } = await this.#pool.query<Checkpoint>({
      name: 'newest-checkpoint',
      text: `SELECT c.end_index AS "endIndex", c.hash FROM checkpoints AS c JOIN documents AS d USING (key)
             WHERE key = $1 AND d.model = ANY($4) AND d.log_version = $2 AND c.log_version = $2
               AND c.opened_at = d.opened_at AND c.end_index <= $3`,
      values: [key, logVersion, endIndex, this.#models],
    });
    return rows[0] ?? null;
  }

  /**
   * Records a checkpoint unless there is a later one. Returns false when the log was rewritten since it was read.
   */
  async record(
    { key, logVersion, sourceHash }: CheckpointedDocument,
    { endIndex, hash }: Checkpoint,
  ): Promise<boolean> {
    // The lock keeps the document from being removed before its checkpoint is there to be removed with it.
    const { rowCount } = await this.#pool.query(
      `WITH document AS (
         SELECT key, log_version, opened_at FROM documents
         WHERE key = $1 AND log_version = $2 AND source_hash = $3 AND next_index >= $4 FOR KEY SHARE)
       INSERT INTO checkpoints AS c (key, log_version, opened_at, end_index, hash)
       SELECT key, log_version, opened_at, $4, $5 FROM document
       ON CONFLICT (key) DO UPDATE SET log_version = excluded.log_version, opened_at = excluded.opened_at,
         end_index = excluded.end_index, hash = excluded.hash, made_at = now()
       WHERE excluded.opened_at > c.opened_at OR excluded.log_version > c.log_version
         OR (excluded.log_version = c.log_version AND excluded.end_index > c.end_index)`,
      [key, logVersion, sourceHash, endIndex, hash],
    );
    return rowCount === 1;
  }

  /** Forgets a checkpoint that cannot be read. */
  async forget(key: string, hash: string): Promise<void> {
    await this.#pool.query('DELETE FROM checkpoints WHERE key = $1 AND hash = $2', [key, hash]);
  }

  /**
   * Documents of these models that are being edited and have had at least this number of changes since their checkpoint,
   * those with the most first.
   */
  async due(changes: number, limit: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT key FROM documents AS d LEFT JOIN checkpoints AS c USING (key)
       WHERE d.state = 'open' AND d.model = ANY($3) AND d.next_index >= $1
         AND d.next_index - CASE WHEN c.log_version = d.log_version AND c.opened_at = d.opened_at
                                 THEN c.end_index ELSE 0 END >= $1
       ORDER BY d.next_index - coalesce(c.end_index, 0) DESC LIMIT $2`,
      [changes, limit, this.#models],
    );
    return rows.map(({ key }) => key);
  }
}

/**
 * SQL: the changes of a log from `$2` on were taken out and its version has risen. A checkpoint below that stays valid; one
 * that is not moved along is not valid any more.
 */
export const keepCheckpointBelow = `UPDATE checkpoints SET log_version = log_version + 1
  WHERE key = $1 AND end_index <= $2
    AND log_version + 1 = (SELECT log_version FROM documents WHERE documents.key = checkpoints.key)`;
