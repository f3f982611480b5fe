import type pg from 'pg';

/** Pictures that editors uploaded into documents, as blobs by path. They are kept as long as the change log. */
export class Media {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Adds a picture, unless the document has so many already. Returns whether it is there. */
  async add(key: string, path: string, hash: string, most: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `INSERT INTO media (key, path, hash)
       SELECT $1, $2, $3
       WHERE (SELECT count(*) FROM media WHERE key = $1) < $4 OR EXISTS (SELECT FROM media WHERE key = $1 AND path = $2)
       ON CONFLICT (key, path) DO UPDATE SET hash = excluded.hash`,
      [key, path, hash, most],
    );
    return (rowCount ?? 0) > 0;
  }

  /** Blob hashes by path. */
  async of(key: string): Promise<Readonly<Record<string, string>>> {
    const { rows } = await this.#pool.query<{ path: string; hash: string }>({
      name: 'media-of-document',
      text: 'SELECT path, hash FROM media WHERE key = $1',
      values: [key],
    });
    return Object.fromEntries(rows.map(({ path, hash }) => [path, hash]));
  }
}
