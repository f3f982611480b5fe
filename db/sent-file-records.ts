import type pg from 'pg';

interface SentParts {
  /** Blobs, in order. */
  hashes: readonly string[];
  sizeBytes: number;
}

/** Files that come in parts, each part to any node. `owner` is who may add to a file. */
export class SentFileRecords {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Begins a file; those that nobody has added to for `lapseMs` are forgotten. */
  async begin(id: string, owner: string, lapseMs: number): Promise<void> {
    await this.#pool.query(
      `DELETE FROM sent_files WHERE touched_at < now() - $1 * interval '1 millisecond'`,
      [lapseMs],
    );
    await this.#pool.query('INSERT INTO sent_files (id, owner) VALUES ($1, $2)', [id, owner]);
  }

  /** What there is of a file; null when this owner has no such file. */
  async find(id: string, owner: string): Promise<SentParts | null> {
    const { rows } = await this.#pool.query<SentParts>(
      `SELECT parts AS hashes, size_bytes::float8 AS "sizeBytes" FROM sent_files WHERE id = $1 AND owner = $2`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  async add(id: string, part: { hash: string; sizeBytes: number }): Promise<void> {
    await this.#pool.query(
      `UPDATE sent_files SET parts = parts || $2::text, size_bytes = size_bytes + $3, touched_at = now()
       WHERE id = $1`,
      [id, part.hash, part.sizeBytes],
    );
  }

  async remove(id: string): Promise<void> {
    await this.#pool.query('DELETE FROM sent_files WHERE id = $1', [id]);
  }
}
