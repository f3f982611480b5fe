import { describe } from 'vitest';
import { openTestDatabase } from '../support/postgres.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { describeConversionQueue } from './conversion-queue.ts';

describeConversionQueue('PostgreSQL', async () => {
  const database = await openTestDatabase();
  return { store: { databaseUrl: database.url, redisUrl: undefined }, close: () => database.close() };
});

describe.skipIf(!hasRedis)('with redis-server', () => {
  describeConversionQueue('Redis', async () => {
    const redis = await startRedis();
    return { store: { databaseUrl: '', redisUrl: redis.url }, close: () => redis.stop() };
  });
});
