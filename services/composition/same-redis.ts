import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { NodeLeases } from '../../platform/ports/node-leases.ts';
import { countHolders } from './nodes-lock.ts';

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
