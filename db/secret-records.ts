import type pg from 'pg';

/** Secrets that all nodes on a database share. */
export class SecretRecords {
  readonly #pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /** The content under a name; made when there is none. When several nodes make it at once, the first one counts. */
  async keep(name: string, make: () => Promise<string>): Promise<string> {
    const found = await this.#find(name);
    if (found !== null) return found;
    await this.#pool.query(
      'INSERT INTO secrets (name, content) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      [name, await make()],
    );
    return (await this.#find(name))!;
  }

  async replace(name: string, content: string): Promise<void> {
    await this.#pool.query(
      `INSERT INTO secrets (name, content) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET content = excluded.content, made_at = now()`,
      [name, content],
    );
  }

  async #find(name: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ content: string }>(
      'SELECT content FROM secrets WHERE name = $1',
      [name],
    );
    return rows[0]?.content ?? null;
  }
}
