import type pg from 'pg';

/** A worker that has not announced itself for this time does not count, milliseconds. */
export const enginesLapseMs = 60_000;

/** An engine that converter processes have. */
export interface PresentEngine {
  readonly engine: string;
  readonly version: string;
}

/** Which engines the converter processes have, as they say themselves again and again. */
export class ConverterEngines {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #lapseMs: number;

  /** `lapseMs`: a worker that has not announced itself for this time does not count. */
  constructor(pool: Pick<pg.Pool, 'query'>, lapseMs: number) {
    this.#pool = pool;
    this.#lapseMs = lapseMs;
  }

  /** A worker says what it has. */
  async announce(worker: string, engines: readonly PresentEngine[]): Promise<void> {
    await this.#pool.query(
      `WITH gone AS (DELETE FROM converter_engines WHERE worker = $1 AND engine <> ALL ($2::text[])
                     OR seen_at < now() - $4 * interval '1 millisecond')
       INSERT INTO converter_engines (worker, engine, version)
       SELECT $1, engine, version FROM unnest($2::text[], $3::text[]) AS said (engine, version)
       ON CONFLICT (worker, engine) DO UPDATE SET version = excluded.version, seen_at = now()`,
      [worker, engines.map(({ engine }) => engine), engines.map(({ version }) => version), this.#lapseMs],
    );
  }

  /** A worker ends. */
  async leave(worker: string): Promise<void> {
    await this.#pool.query('DELETE FROM converter_engines WHERE worker = $1', [worker]);
  }

  /**
   * The engines that all workers have, for any of them may take a job; the oldest version where they differ. Null as long
   * as no worker has said anything.
   */
  async inCommon(): Promise<PresentEngine[] | null> {
    const { rows } = await this.#pool.query<{
      engine: string;
      version: string;
      workers: number;
      all: number;
    }>(
      `SELECT engine, min(version) AS version, count(*)::int AS workers,
              (SELECT count(DISTINCT worker)::int FROM converter_engines
               WHERE seen_at >= now() - $1 * interval '1 millisecond') AS all
       FROM converter_engines WHERE seen_at >= now() - $1 * interval '1 millisecond' GROUP BY engine`,
      [this.#lapseMs],
    );
    if (rows.length === 0) return null;
    return rows
      .filter(({ workers, all }) => workers === all)
      .map(({ engine, version }) => ({ engine, version }));
  }
}
