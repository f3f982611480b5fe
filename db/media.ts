import type pg from 'pg';

/** Pictures that editors uploaded into documents, as blobs by path. They are kept as long as the change log. */
export class Media {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async add(key: string, path: string, hash: string): Promise<void> {
    await this.#pool.query('INSERT INTO media (key, path, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      key,
      path,
      hash,
    ]);
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
