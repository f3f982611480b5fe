import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { NodeLeases } from '../../platform/ports/coordination.ts';
import { countHolders } from './nodes-lock.ts';

/** Servers that start beside this one have so much time to be known in Redis: looks, and milliseconds between them. */
const looks = 20;
const lookEveryMs = 500;

/**
 * Servers on one database that do not share their Redis give the same locks and turns to different people. Whoever starts
 * sees that more of them use the database than Redis knows, and says so.
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
