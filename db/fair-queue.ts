import type pg from 'pg';

/** Who a job is for: a tenant by its name, or the application that a document comes from. */
export type TurnOwner = { tenant: string } | { key: string };

/** A place in the order of a lane, and the tenant who has it. */
export interface Turn {
  turn: number;
  tenant: string;
}

/** SQL: the host in an address, without a name and a password. */
const hostIn = (address: string) => `lower(substring(${address} from '^[a-zA-Z]+://(?:[^/?#]*@)?([^/?#]+)'))`;

/** SQL: the application that the document `$3` comes from. The address of one of a WOPI host names no host. */
const application = `(SELECT coalesce(${hostIn('w.source')}, ${hostIn('d.source_url')}) FROM documents AS d
  LEFT JOIN wopi_files AS w ON w.key = d.key WHERE d.key = $3)`;

/** SQL: the turn of the job that was taken last; the first turn is 1. */
const reached = `coalesce((SELECT turn FROM job_turns WHERE lane = $1 AND tenant = ''), 1)`;

/**
 * Turns in the job queue, by start-time fair queuing: a tenant's next job has the turn after that of its last one, and not
 * before what is worked on now. Lower turns go first, so a tenant's thousand jobs let another's first one pass.
 */
export class JobTurns {
  readonly #pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /** Takes the next turn of a tenant; all that nobody is known for have theirs in common. */
  async take(lane: string, owner: TurnOwner): Promise<Turn> {
    const [tenant, key] = 'tenant' in owner ? [owner.tenant, null] : [null, owner.key];
    const { rows } = await this.#pool.query<{ turn: string; tenant: string }>(
      `INSERT INTO job_turns AS t (lane, tenant, turn)
       VALUES ($1, coalesce(nullif($2, ''), ${application}, '-'), ${reached})
       ON CONFLICT (lane, tenant) DO UPDATE SET turn = greatest(t.turn + 1, excluded.turn)
       RETURNING turn, tenant`,
      [lane, tenant, key],
    );
    const { turn, tenant: name } = rows[0]!;
    return { turn: Number(turn), tenant: name };
  }

  /** A job with this turn is worked on. */
  async reach(lane: string, turn: number): Promise<void> {
    await this.#pool.query(
      `INSERT INTO job_turns AS t (lane, tenant, turn) VALUES ($1, '', $2)
       ON CONFLICT (lane, tenant) DO UPDATE SET turn = greatest(t.turn, excluded.turn)`,
      [lane, turn],
    );
  }

  /** Begins anew: for a lane in which nothing waits. */
  async restart(lane: string): Promise<void> {
    await this.#pool.query('DELETE FROM job_turns WHERE lane = $1', [lane]);
  }

  /** Forgets tenants that are as if they had never asked. */
  async forgetServed(): Promise<void> {
    await this.#pool.query(
      `DELETE FROM job_turns AS t USING job_turns AS taken
       WHERE taken.lane = t.lane AND taken.tenant = '' AND t.tenant <> '' AND t.turn < taken.turn`,
    );
  }
}
