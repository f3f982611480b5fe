import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { type LockMode, NodesLock } from './nodes-lock.ts';

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
