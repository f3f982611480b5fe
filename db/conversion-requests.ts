import type pg from 'pg';
import { type ProgressRow, usualCacheMs } from './conversions.ts';
import { removePast } from './removal.ts';

/** A stored request. `mine`: the caller has the claim and does the work. */
interface ClaimedRequest<Outcome> {
  mine: boolean;
  outcome: Outcome | null;
}

/** Requests under names that integrators gave, and their outcomes: one node at a time works on each. */
export class ConversionRequestRecords<Outcome extends object> {
  readonly #pool: pg.Pool;
  readonly #lapseMs: number;
  readonly #keptForMs: number;

  /** A claim that is not renewed for `lapseMs` is another's to take; outcomes are kept for `keptForMs`. */
  constructor(pool: pg.Pool, lapseMs: number, keptForMs = usualCacheMs) {
    this.#pool = pool;
    this.#lapseMs = lapseMs;
    this.#keptForMs = keptForMs;
  }

  /** Takes a request that nobody works on, or says what is known of it. */
  async claim(name: string, claim: string): Promise<ClaimedRequest<Outcome>> {
    const taken = await this.#pool.query(
      `INSERT INTO conversion_requests AS r (name, claim) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET claim = excluded.claim, claimed_at = now(), outcome = NULL, ended_at = NULL,
           conversion_id = NULL
         WHERE r.ended_at < now() - $4 * interval '1 millisecond'
           OR (r.ended_at IS NULL AND r.claimed_at < now() - $3 * interval '1 millisecond')
       RETURNING name`,
      [name, claim, this.#lapseMs, this.#keptForMs],
    );
    return taken.rowCount === 1
      ? { mine: true, outcome: null }
      : { mine: false, outcome: await this.find(name) };
  }

  /** Renews claims by the names they are on. */
  async renew(claims: ReadonlyMap<string, string>): Promise<void> {
    await this.#pool.query(
      `UPDATE conversion_requests AS r SET claimed_at = now() FROM unnest($1::text[], $2::text[]) AS held (name, claim)
       WHERE r.name = held.name AND r.claim = held.claim AND r.ended_at IS NULL`,
      [[...claims.keys()], [...claims.values()]],
    );
  }

  /** Notes which conversion a request is about. */
  async concern(name: string, claim: string, conversionId: string): Promise<void> {
    await this.#pool.query(
      'UPDATE conversion_requests SET conversion_id = $3 WHERE name = $1 AND claim = $2 AND ended_at IS NULL',
      [name, claim, conversionId],
    );
  }

  /** How far the conversion is that a request waits for; null when it waits for none. */
  async progressOf(name: string): Promise<ProgressRow | null> {
    const { rows } = await this.#pool.query<ProgressRow>(
      `SELECT c.id, c.attempt, c.stage, c.progress AS share FROM conversion_requests AS r
       JOIN conversions AS c ON c.id = r.conversion_id WHERE r.name = $1 AND c.state = 'waiting'`,
      [name],
    );
    return rows[0] ?? null;
  }

  async end(name: string, claim: string, outcome: Outcome): Promise<void> {
    await this.#pool.query(
      'UPDATE conversion_requests SET outcome = $3, ended_at = now() WHERE name = $1 AND claim = $2',
      [name, claim, JSON.stringify(outcome)],
    );
  }

  /** Gives a request up without an outcome: the next one who asks begins anew. */
  async release(name: string, claim: string): Promise<void> {
    await this.#pool.query(
      'DELETE FROM conversion_requests WHERE name = $1 AND claim = $2 AND ended_at IS NULL',
      [name, claim],
    );
  }

  /** The outcome; null while there is none. A file that it names counts as used now. */
  async find(name: string): Promise<Outcome | null> {
    const { rows } = await this.#pool.query<{ outcome: Outcome | null }>(
      `WITH found AS (SELECT outcome, conversion_id FROM conversion_requests WHERE name = $1),
         used AS (UPDATE conversions SET asked_at = now()
                  WHERE id = (SELECT conversion_id FROM found WHERE outcome IS NOT NULL))
       SELECT outcome FROM found`,
      [name],
    );
    return rows[0]?.outcome ?? null;
  }

  async forgetOld(): Promise<void> {
    const past = `ended_at < now() - $1 * interval '1 millisecond'`;
    await removePast(this.#pool, 'conversion_requests', 'name', past, [this.#keptForMs]);
  }
}
