import { describe } from 'vitest';
import { RedisConnection } from '../../services/adapters/redis/redis-connection.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { hasRedis, startRedis, startRedisCluster } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeConversionQueue } from './conversion-queue.ts';

describeConversionQueue('PostgreSQL', async () => {
  const database = await openTestDatabase();
  return { store: { databaseUrl: database.url, redis: null, prefix: 'test' }, close: () => database.close() };
});

describe.skipIf(!hasRedis)('with redis-server', () => {
  describeConversionQueue('Redis', async () => {
    const redis = await startRedis();
    const connection = await RedisConnection.connect(redis.url, silentLog);
    return {
      store: { databaseUrl: '', redis: connection, prefix: 'test' },
      close: async () => {
        await connection.close();
        await redis.stop();
      },
    };
  });

  describeConversionQueue('a cluster of Redis', async () => {
    const cluster = await startRedisCluster();
    const connection = await RedisConnection.connect(cluster.url, silentLog);
    return {
      store: { databaseUrl: '', redis: connection, prefix: 'test' },
      close: async () => {
        await connection.close();
        await cluster.stop();
      },
    };
  });
});
