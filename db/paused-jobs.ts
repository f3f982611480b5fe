import type pg from 'pg';

/** Which kinds of jobs operators have paused: workers begin none of them, on any node, also after restarts. */
export class PausedJobs {
  readonly #pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  async kinds(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ kind: string }>('SELECT kind FROM paused_jobs ORDER BY kind');
    return rows.map(({ kind }) => kind);
  }

  async has(kind: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('SELECT FROM paused_jobs WHERE kind = $1', [kind]);
    return rowCount === 1;
  }

  async pause(kind: string): Promise<void> {
    await this.#pool.query('INSERT INTO paused_jobs (kind) VALUES ($1) ON CONFLICT DO NOTHING', [kind]);
  }

  async resume(kind: string): Promise<void> {
    await this.#pool.query('DELETE FROM paused_jobs WHERE kind = $1', [kind]);
  }
}
