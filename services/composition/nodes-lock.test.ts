import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { type Company, NodesLock } from './nodes-lock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const take = (company: Company) => NodesLock.take(database.url, company, silentLog, () => undefined);

test('[WK2] nodes with Redis share a database, and a server without one keeps all others away and is kept away', async () => {
  const [one, two] = [await take('together'), await take('together')];
  await expect(take('alone')).rejects.toThrow(/same REDIS_URL/);
  await one.release();
  await expect(take('alone')).rejects.toThrow(/same REDIS_URL/);
  await two.release();
  const alone = await take('alone');
  await expect(take('together')).rejects.toThrow(/without REDIS_URL/);
  await expect(take('alone')).rejects.toThrow(/Another Quire server/);
  await alone.release();
  await (await take('together')).release();
});
