import type pg from 'pg';

/** Sessions of operators that somebody ended before their time was over, on any node. */
export class EndedSessions {
  readonly #pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /** Ends a session, which would have lasted until then, seconds since 1970. Those whose time is over are forgotten. */
  async add(id: string, expiresS: number): Promise<void> {
    await this.#pool.query('DELETE FROM ended_admin_sessions WHERE expires_at < now()');
    await this.#pool.query(
      'INSERT INTO ended_admin_sessions (id, expires_at) VALUES ($1, to_timestamp($2)) ON CONFLICT DO NOTHING',
      [id, expiresS],
    );
  }

  async has(id: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('SELECT FROM ended_admin_sessions WHERE id = $1', [id]);
    return rowCount === 1;
  }
}
