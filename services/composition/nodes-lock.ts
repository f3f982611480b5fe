import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { NodeLeases } from '../../platform/ports/coordination.ts';
import { QuireError } from '../../platform/quire-error.ts';

/** Number of the advisory lock; any constant will do. */
const lockId = 7_103_515_201;

const retryEveryMs = 500;
/** How long a node with the exclusive lock waits for a database that restarts or fails over. */
const patienceMs = 60_000;

/** `exclusive`: without a Redis, as the only node. `shared`: together with nodes that share a Redis. */
export type LockMode = 'exclusive' | 'shared';

/** How many servers hold the lock on a database together; the workers of one server are one. */
async function countHolders(database: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await database.query<{ holders: number }>(
    `SELECT count(*)::int AS holders FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND classid::bigint = $1::bigint >> 32 AND objid::bigint = $1::bigint & 4294967295`,
    [lockId],
  );
  return rows[0]!.holders;
}

/** Another server holds the lock. */
class TakenError extends QuireError {
  constructor(mode: LockMode) {
    super(
      'database-taken',
      mode === 'exclusive'
        ? 'Another Quire server uses this database. There can be only one without REDIS_URL: stop the other one, give ' +
            'all of them the same REDIS_URL, or give this one a DATABASE_URL or DATA_DIR of its own.'
        : 'A Quire server without REDIS_URL uses this database, and it has to be the only one: stop it, or give it the ' +
            'same REDIS_URL.',
    );
  }
}

/**
 * Keeps servers off a database that another one uses alone. Without Redis, locks are in the memory of one process: a second
 * server on the same database would grant them again, so it must not start. A server without Redis takes this lock
 * exclusively, servers that share a Redis take it together. The lock lives as long as its connection. When that breaks, the
 * lock is taken again as soon as the database answers; until then nothing can be stored anyway. If another server was faster,
 * this one ends.
 */
export class NodesLock {
  readonly #databaseUrl: string;
  readonly #mode: LockMode;
  readonly #log: Logger;
  readonly #onLost: (error: unknown) => void;
  #client: pg.Client | null = null;
  #released = false;

  private constructor(databaseUrl: string, mode: LockMode, log: Logger, onLost: (error: unknown) => void) {
    this.#databaseUrl = databaseUrl;
    this.#mode = mode;
    this.#log = log;
    this.#onLost = onLost;
  }

  /**
   * Takes the lock. `onLost` is called when it cannot be taken again after a broken connection.
   * @throws Error when another server holds it
   */
  static async take(
    databaseUrl: string,
    mode: LockMode,
    log: Logger,
    onLost: (error: unknown) => void,
  ): Promise<NodesLock> {
    const lock = new NodesLock(databaseUrl, mode, log, onLost);
    await lock.#connect();
    return lock;
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'quire node',
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    const take = this.#mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}($1) AS taken`, [lockId]);
    if (!rows[0]!.taken) {
      await client.end();
      throw new TakenError(this.#mode);
    }
    this.#client = client;
    client.once('end', () => {
      if (!this.#released) this.#takeAgain().catch(this.#onLost);
    });
  }

  async #takeAgain(): Promise<void> {
    this.#log.warn('The connection that keeps other servers away broke');
    const deadline = this.#mode === 'exclusive' ? Date.now() + patienceMs : Number.POSITIVE_INFINITY;
    while (!this.#released) {
      try {
        await this.#connect();
        this.#log.info('The lock on the database is held again');
        return;
      } catch (error) {
        if (error instanceof TakenError || Date.now() > deadline) throw error;
        await sleep(retryEveryMs);
      }
    }
  }
}

/** How often to look, and milliseconds in between: servers that start at the same time need a while to be in Redis. */
const looks = 20;
const lookEveryMs = 500;

/**
 * Logs an error when more servers use the database than this server's Redis knows. Servers on one database without a common
 * Redis would grant one lock to two people.
 */
export async function lookForAnotherRedis(
  { database, leases, log }: { database: Pick<pg.Pool, 'query'>; leases: NodeLeases; log: Logger },
  { times = looks, everyMs = lookEveryMs } = {},
): Promise<void> {
  for (let look = 0; look < times; look += 1) {
    const [servers, living] = await Promise.all([countHolders(database), leases.living()]);
    if (servers <= living.size) return;
    await sleep(everyMs, undefined, { ref: false });
  }
  log.error(
    'Other servers use this database that are not known in the Redis of this one: locks are given twice. Give all of ' +
      'them the same REDIS_URL and REDIS_PREFIX.',
  );
}
