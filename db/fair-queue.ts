import type pg from 'pg';

/**
 * Who a job is for: a tenant by its name, or the application that a document comes from and in it a person, by the id that its
 * token signs. Where no person is known, the document is one.
 */
export type JobOwner = { tenant: string } | { key: string; person?: string };

/** The round of a job in its lane, and the tenant and the person whose job it is. */
export interface QueuePlace {
  /** The first round is 1. */
  round: number;
  tenant: string;
  /** A name that nobody else of the tenant has; empty where the job is nobody's in particular. */
  person: string;
}

/** SQL: the host in an address, without a name and a password. */
const hostIn = (address: string) => `lower(substring(${address} from '^[a-zA-Z]+://(?:[^/?#]*@)?([^/?#]+)'))`;

/** SQL: the application that the document `$3` comes from. The address of one of a WOPI host names no host. */
const application = `(SELECT coalesce(${hostIn('w.source')}, ${hostIn('d.source_url')}) FROM documents AS d
  LEFT JOIN wopi_files AS w ON w.key = d.key WHERE d.key = $3)`;

/** SQL: the round of the job that was taken last. */
const reached = `coalesce((SELECT turn FROM job_turns WHERE lane = $1 AND tenant = ''), 1)`;

/** SQL: the name of the row of person `$4` of a tenant, beside the row of the tenant. Tenants are hosts, which have no such character. */
const personIn = `tenant.tenant || chr(31) || md5($4)`;

/**
 * SQL: a tenant's next round, and in it a person's: the person's last one and one for each of the people of the tenant who wait,
 * and not after the tenant's. So one person's many jobs take every round while they are alone, and others pass them.
 */
const nextRound = `
  WITH tenant AS (
    INSERT INTO job_turns AS t (lane, tenant, turn)
    VALUES ($1, coalesce(nullif($2, ''), ${application}, '-'), ${reached})
    ON CONFLICT (lane, tenant) DO UPDATE SET turn = greatest(t.turn + 1, excluded.turn)
    RETURNING turn, tenant
  ), others AS (
    SELECT tenant.turn, tenant.tenant, ${personIn} AS person, (
      SELECT count(*) FROM job_turns AS o
      WHERE o.lane = $1 AND starts_with(o.tenant, tenant.tenant || chr(31)) AND o.tenant <> ${personIn}
        AND o.turn >= ${reached}
    ) AS waiting FROM tenant
  ), own AS (
    INSERT INTO job_turns AS p (lane, tenant, turn)
    SELECT $1, person, least(turn, ${reached} + waiting) FROM others WHERE $4 <> ''
    ON CONFLICT (lane, tenant) DO UPDATE SET turn = (
      SELECT least(others.turn, greatest(p.turn + 1 + others.waiting, excluded.turn)) FROM others
    )
    RETURNING turn
  )
  SELECT coalesce(own.turn, tenant.turn) AS turn, tenant.tenant FROM tenant LEFT JOIN own ON true`;

/**
 * The order of the job queue, by start-time fair queueing: a tenant's next job is in the round after its last one, and not
 * before the round that is worked on now. Lower rounds go first, so the first job of a tenant passes another's thousand, and that of a person those
 * of another of the same tenant.
 */
export class FairQueue {
  readonly #pool: Pick<pg.Pool, 'query'>;
  /** The highest round of each lane that is to be recorded. */
  readonly #reached = new Map<string, { round: number; recorded: Promise<void> }>();

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /** Takes the next round of a tenant, and of a person of it; jobs of nobody in particular share one tenant. */
  async nextRound(lane: string, owner: JobOwner): Promise<QueuePlace> {
    const [tenant, key] = 'tenant' in owner ? [owner.tenant, null] : [null, owner.key];
    const person = 'tenant' in owner ? '' : owner.person || owner.key;
    const values = [lane, tenant, key, person];
    const { rows } = await this.#pool.query<{ turn: string; tenant: string }>(nextRound, values);
    const { turn, tenant: name } = rows[0]!;
    return { round: Number(turn), tenant: name, person };
  }

  /** A job of this round is worked on. Of the rounds that are reached while one is being recorded, the last is recorded next. */
  reach(lane: string, round: number): Promise<void> {
    const reached = this.#reached.get(lane);
    if (reached) {
      reached.round = Math.max(reached.round, round);
      return reached.recorded;
    }
    const first = { round, recorded: Promise.resolve() };
    this.#reached.set(lane, first);
    first.recorded = this.#record(lane, first);
    return first.recorded;
  }

  async #record(lane: string, reached: { readonly round: number }): Promise<void> {
    try {
      for (let recorded = 0; recorded < reached.round; ) {
        recorded = reached.round;
        await this.#pool.query(
          `INSERT INTO job_turns AS t (lane, tenant, turn) VALUES ($1, '', $2)
           ON CONFLICT (lane, tenant) DO UPDATE SET turn = greatest(t.turn, excluded.turn)`,
          [lane, recorded],
        );
      }
    } finally {
      this.#reached.delete(lane);
    }
  }

  /** Starts again at the first round: for a lane in which nothing waits. */
  async restart(lane: string): Promise<void> {
    await this.#pool.query('DELETE FROM job_turns WHERE lane = $1', [lane]);
  }

  /** Forgets tenants and people whose last round is reached: they are as if they had never asked. */
  async forgetServed(): Promise<void> {
    await this.#pool.query(
      `DELETE FROM job_turns AS t USING job_turns AS taken
       WHERE taken.lane = t.lane AND taken.tenant = '' AND t.tenant <> '' AND t.turn <= taken.turn`,
    );
  }
}
