import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { JobWorker } from '../../jobs/job-worker.ts';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { hasRedis, startRedis, startRedisCluster, type TestRedisCluster } from '../support/redis.ts';
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

  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  describeConversionQueue('a cluster of Redis', async () => {
    const connection = await RedisConnection.connect(cluster.url, silentLog);
    return {
      store: { databaseUrl: '', redis: connection, prefix: 'test' },
      close: () => connection.close(),
    };
  });

  test('[JQ9] a worker that is closed just when it begins to wait for jobs ends, where Redis is a cluster', async () => {
    const connection = await RedisConnection.connect(cluster.url, silentLog);
    // The third node has the names. What has none goes to the others, so the wait is what first connects to the third.
    const store = { databaseUrl: '', redis: connection, prefix: 'quire' };
    const { sendCommand } = Cluster.prototype;
    const sent = vi.spyOn(Cluster.prototype, 'sendCommand');
    try {
      const worker = new JobWorker(store, {
        ...{ concurrency: 1, onError: () => undefined },
        process: async () => undefined,
      });
      await new Promise<void>((waits) => {
        sent.mockImplementation(function (this: Cluster, command, stream, node) {
          if (command.name === 'bzpopmin') waits();
          const at = ['cluster', 'info'].indexOf(command.name);
          return sendCommand.call(this, command, stream, at < 0 ? node : { redis: this.nodes()[at] });
        });
      });
      await worker.close();
      expect(worker.isRunning()).toBe(false);
    } finally {
      sent.mockRestore();
      await connection.close();
    }
  });

  test('[JQ10] a queue whose Redis has gone is closed without it', async () => {
    const redis = await startRedis();
    const connection = await RedisConnection.connect(redis.url, silentLog);
    try {
      const lost = vi.fn();
      const queue = new ConversionQueue({ databaseUrl: '', redis: connection, prefix: 'test' }, 30_000, lost);
      await queue.ready();
      await redis.kill();
      await eventually(() => expect(lost).toHaveBeenCalled());
      await queue.close();
    } finally {
      await connection.close();
      await redis.stop();
    }
  });
});

test('[JQ7] the end of a job is seen where it is never told', async () => {
  const database = await openTestDatabase();
  const store = { databaseUrl: database.url, redis: null, prefix: 'test' };
  const queue = new ConversionQueue(store, 30_000, () => undefined);
  await queue.ready();
  await database.pool.query(
    `CREATE FUNCTION bullmq.lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  );
  await database.pool.query(
    `CREATE TRIGGER lose BEFORE INSERT ON bullmq.event FOR EACH ROW
     WHEN (NEW.event IN ('completed', 'failed')) EXECUTE FUNCTION bullmq.lose()`,
  );
  const worker = new JobWorker(store, {
    concurrency: 1,
    process: async ({ data }) => ({ of: (data as { key: string }).key }),
    onError: () => undefined,
  });
  try {
    expect(await queue.ask({ name: 'assemble', data: { key: 'd-7', epoch: 1 } })).toEqual({ of: 'd-7' });
  } finally {
    await worker.close();
    await queue.close();
    await database.close();
  }
});
