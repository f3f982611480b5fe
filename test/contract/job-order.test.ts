import { describe } from 'vitest';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeJobOrder, describeRounds } from './job-order.ts';

describeRounds(openTestDatabase);

describeJobOrder('PostgreSQL', async () => {
  const { url, pool, close } = await openTestDatabase();
  return { store: { databaseUrl: url, redis: null, prefix: 'test' }, pool, close };
});

describe.skipIf(!hasRedis)('with redis-server', () => {
  describeJobOrder('Redis', async () => {
    const { pool, close } = await openTestDatabase();
    const redis = await startRedis();
    const connection = await RedisConnection.connect(redis.url, silentLog);
    return {
      store: { databaseUrl: '', redis: connection, prefix: 'test' },
      pool,
      close: async () => {
        await connection.close();
        await redis.stop();
        await close();
      },
    };
  });
});
