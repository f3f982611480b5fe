import type pg from 'pg';
import { removePast } from './removal.ts';

/** How long outcomes are kept, as a PostgreSQL interval (integration API, 9.3). */
const keptFor = '24 hours';

/** A request as it is on record. `mine`: the claim is the caller's, who is to do the work. */
export interface ClaimedRequest<Outcome> {
  mine: boolean;
  outcome: Outcome | null;
}

/** Requests under names that integrators gave, and their outcomes: one node at a time works on each. */
export class ConversionRequestRecords<Outcome extends object> {
  readonly #pool: pg.Pool;
  readonly #lapseMs: number;

  /** A claim that is not renewed for `lapseMs` is another's to take. */
  constructor(pool: pg.Pool, lapseMs: number) {
    this.#pool = pool;
    this.#lapseMs = lapseMs;
  }

  /** Takes a request that nobody works on, or says what is known of it. */
  async claim(name: string, claim: string): Promise<ClaimedRequest<Outcome>> {
    const taken = await this.#pool.query(
      `INSERT INTO conversion_requests AS r (name, claim) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET claim = excluded.claim, claimed_at = now(), outcome = NULL, ended_at = NULL
         WHERE r.ended_at < now() - interval '${keptFor}'
           OR (r.ended_at IS NULL AND r.claimed_at < now() - $3 * interval '1 millisecond')
       RETURNING name`,
      [name, claim, this.#lapseMs],
    );
    return taken.rowCount === 1
      ? { mine: true, outcome: null }
      : { mine: false, outcome: await this.find(name) };
  }

  async renew(name: string, claim: string): Promise<void> {
    await this.#pool.query(
      'UPDATE conversion_requests SET claimed_at = now() WHERE name = $1 AND claim = $2 AND ended_at IS NULL',
      [name, claim],
    );
  }

  async end(name: string, claim: string, outcome: Outcome): Promise<void> {
    await this.#pool.query(
      'UPDATE conversion_requests SET outcome = $3, ended_at = now() WHERE name = $1 AND claim = $2',
      [name, claim, JSON.stringify(outcome)],
    );
  }

  /** Gives a request up without an outcome: whoever asks next begins anew. */
  async release(name: string, claim: string): Promise<void> {
    await this.#pool.query(
      'DELETE FROM conversion_requests WHERE name = $1 AND claim = $2 AND ended_at IS NULL',
      [name, claim],
    );
  }

  /** The outcome; null while there is none. */
  async find(name: string): Promise<Outcome | null> {
    const { rows } = await this.#pool.query<{ outcome: Outcome | null }>(
      'SELECT outcome FROM conversion_requests WHERE name = $1',
      [name],
    );
    return rows[0]?.outcome ?? null;
  }

  async forgetOld(): Promise<void> {
    await removePast(this.#pool, 'conversion_requests', 'name', `ended_at < now() - interval '${keptFor}'`);
  }
}
