import type { Logger } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MemoryLeaseHub } from '../../test/support/memory-leases.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { NodesLock } from './nodes-lock.ts';
import { lookForAnotherRedis } from './same-redis.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

test('[WK11] a server that finds others on its database that its Redis does not know says so', async () => {
  const take = () => NodesLock.take(database.url, 'together', silentLog, () => undefined);
  const locks = [await take(), await take()];
  const [here, there] = [new MemoryLeaseHub(), new MemoryLeaseHub()];
  const leases = here.leasesOf('one');
  there.leasesOf('two');
  const error = vi.fn();
  const log = { error } as unknown as Logger;
  const look = () => lookForAnotherRedis({ database: database.pool, leases, log }, { times: 3, everyMs: 10 });
  await look();
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('REDIS_URL'));
  here.leasesOf('two');
  await look();
  expect(error).toHaveBeenCalledTimes(1);
  await Promise.all(locks.map((lock) => lock.release()));
});
