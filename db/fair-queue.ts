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

/** SQL: the people of the new row's tenant who wait. Tenants are hosts, which have no such characters. */
const waiting = `(SELECT count(*)::integer FROM job_turns AS o WHERE o.lane = $1
  AND o.tenant > excluded.tenant || chr(31) AND o.tenant < excluded.tenant || chr(32) AND o.turn >= excluded.turn)`;

/**
 * SQL: the people who wait are counted anew when as many rounds are reached as an eighth of them would take by themselves: what that costs a
 * job does not grow with them. Few are counted whenever a round is reached.
 */
const isOutdated = 'excluded.turn NOT BETWEEN t.counted_at AND t.counted_at + t.people / 8';

/**
 * SQL: a tenant's next round, and in it that of person `$4`: the person's last one and one for each of the people of the tenant who wait,
 * and not after the tenant's. So one person's many jobs take every round while they are alone, and others pass them. People have rows
 * beside that of the tenant.
 */
const nextRound = `
  WITH named AS (
    SELECT coalesce(nullif($2, ''), ${application}, '-') AS tenant, ${reached} AS turn
  ), asker AS (
    SELECT tenant, turn, tenant || chr(31) || md5($4) AS person FROM named
  ), round AS (
    INSERT INTO job_turns AS t (lane, tenant, turn, people, counted_at)
    SELECT $1, tenant, turn, ($4 <> '' AND NOT EXISTS (
      SELECT FROM job_turns AS own WHERE own.lane = $1 AND own.tenant = asker.person AND own.turn >= asker.turn
    ))::integer, turn FROM asker
    ON CONFLICT (lane, tenant) DO UPDATE SET turn = greatest(t.turn + 1, excluded.turn),
      people = excluded.people + CASE WHEN ${isOutdated} THEN ${waiting} ELSE t.people END,
      counted_at = CASE WHEN ${isOutdated} THEN excluded.turn ELSE t.counted_at END
    RETURNING tenant, turn, people - 1 AS others
  ), own AS (
    INSERT INTO job_turns AS p (lane, tenant, turn)
    SELECT $1, person, least(round.turn, asker.turn + others) FROM asker, round WHERE $4 <> ''
    ON CONFLICT (lane, tenant) DO UPDATE SET turn = (
      SELECT least(round.turn, greatest(p.turn + 1 + others, excluded.turn)) FROM round
    )
    RETURNING turn
  )
  SELECT coalesce(own.turn, round.turn) AS turn, round.tenant FROM round LEFT JOIN own ON true`;

/** Each process forgets who is served whenever so many rounds are reached. */
const forgetEvery = 100;

/**
 * The order of the job queue, by start-time fair queueing: a tenant's next job is in the round after its last one, and not
 * before the round that is worked on now. Lower rounds go first, so the first job of a tenant passes another's thousand, and that of a person those
 * of another of the same tenant.
 */
export class FairQueue {
  readonly #pool: Pick<pg.Pool, 'query'>;
  /** The highest round of each lane that is to be recorded. */
  readonly #reached = new Map<string, { round: number; recorded: Promise<void> }>();
  /** The round of each lane at which those who are served were forgotten last. */
  readonly #forgottenAt = new Map<string, number>();

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /** Takes the next round of a tenant, and of a person of it; jobs of nobody in particular share one tenant. */
  async nextRound(lane: string, owner: JobOwner): Promise<QueuePlace> {
    const [tenant, key] = 'tenant' in owner ? [owner.tenant, null] : [null, owner.key];
    const person = 'tenant' in owner ? '' : owner.person || owner.key;
    const values = [lane, tenant, key, person];
    const { rows } = await this.#pool.query<{ turn: string; tenant: string }>({
      ...{ name: 'next-round', text: nextRound, values },
    });
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
        if (Math.abs(recorded - (this.#forgottenAt.get(lane) ?? 0)) < forgetEvery) continue;
        this.#forgottenAt.set(lane, recorded);
        await this.forgetServed();
      }
    } finally {
      this.#reached.delete(lane);
    }
  }

  /** Starts again at the first round: for a lane in which nothing waits. */
  async restart(lane: string): Promise<void> {
    await this.#pool.query('DELETE FROM job_turns WHERE lane = $1', [lane]);
  }

  /** Forgets tenants and people whose last round is over: they are as if they had never asked. Who asks at the moment stays. */
  async forgetServed(): Promise<void> {
    await this.#pool.query(
      `DELETE FROM job_turns WHERE (lane, tenant) IN (
         SELECT t.lane, t.tenant FROM job_turns AS t JOIN job_turns AS taken ON taken.lane = t.lane AND taken.tenant = ''
         WHERE t.tenant <> '' AND t.turn < taken.turn
         FOR UPDATE OF t SKIP LOCKED
       )`,
    );
  }
}
