import type { Logger } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MemoryLeaseHub } from '../../test/support/memory-leases.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { type LockMode, lookForAnotherRedis, NodesLock } from './nodes-lock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const take = (mode: LockMode) => NodesLock.take(database.url, mode, silentLog, () => undefined);

test('[WK2] nodes with Redis share a database, and a server without one keeps all others away and is kept away', async () => {
  const [one, two] = [await take('shared'), await take('shared')];
  await expect(take('exclusive')).rejects.toThrow(/same REDIS_URL/);
  await one.release();
  await expect(take('exclusive')).rejects.toThrow(/same REDIS_URL/);
  await two.release();
  const alone = await take('exclusive');
  await expect(take('shared')).rejects.toThrow(/without REDIS_URL/);
  await expect(take('exclusive')).rejects.toThrow(/Another Quire server/);
  await alone.release();
  await (await take('shared')).release();
});

test('[WK11] a server that finds others on its database that its Redis does not know says so', async () => {
  const take = () => NodesLock.take(database.url, 'shared', silentLog, () => undefined);
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
