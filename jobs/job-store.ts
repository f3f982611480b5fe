import { createPostgresBackend, createRedisBackend, type QueueEvents, type Worker } from 'bullmq';
import { idleConnectionMs } from '../db/pool.ts';
import type { RedisConnection } from '../platform/adapters/redis/redis-connection.ts';

/** Where jobs are kept: in Redis if there is one, else in the database, in a schema of BullMQ's own. */
export interface JobStore {
  databaseUrl: string;
  redis: RedisConnection | null;
  /** Beginning of names in Redis. */
  prefix: string;
}

/** About how many events of a lane are kept. Whoever waits for the end of a job looks at it from time to time, too. */
const streams = { events: { maxLen: 1_000 } };

/** The options and the backend for BullMQ's classes. Their types know each pair, but not the choice between them. */
export function backendOf(
  { databaseUrl, redis, prefix }: JobStore,
  connections: number,
): [options: never, backend: never] {
  if (redis) {
    // In a cluster all names of a queue have to be on one shard.
    const options = { connection: redis.open('jobs'), prefix: `{${prefix}:jobs}`, streams };
    return [options as never, createRedisBackend as never];
  }
  const connection = {
    ...{ connectionString: databaseUrl, schema: 'bullmq', migrate: true },
    // What looks at the queue does so each 10 s or less often, the time after which pg closes connections by default.
    ...{ max: connections, idleTimeoutMillis: idleConnectionMs },
  };
  return [{ connection, streams } as never, createPostgresBackend as never];
}

/** For what is made with it: {@link begin} has it run. */
export const notYet = { autorun: false } as const;

/**
 * Has something take what comes, once the store answers; rejects where it does not. Left to itself BullMQ begins at once. Where
 * the database ends the connection just then, it asks again and again without a pause, and its process hears of nothing more: not
 * of its parent's end, and of no signal.
 */
export async function begin(
  taker: Pick<Worker | QueueEvents, 'waitUntilReady' | 'closing' | 'run'>,
  onError: (error: Error) => void,
): Promise<void> {
  await taker.waitUntilReady();
  if (!taker.closing) taker.run().catch(onError);
}
