import { Histogram, type Registry } from 'prom-client';
import type { RedisConnection } from '../adapters/redis/redis-connection.ts';
import { recordMs, timeBuckets } from './units.ts';

/** Commands to Redis by which nodes coordinate; those of the job queue are not among them. */
export function watchRedis(registry: Registry, redis: Pick<RedisConnection, 'onCommand'>): void {
  const commands = new Histogram({
    name: 'quire_redis_command_duration_seconds',
    help: 'Time of a command to Redis by which nodes coordinate, until it was answered, or failed, without an answer in time.',
    labelNames: ['outcome'] as const,
    buckets: timeBuckets,
    registers: [registry],
  });
  redis.onCommand = (durationMs, isAnswered) =>
    recordMs(commands, durationMs, { outcome: isAnswered ? 'answered' : 'failed' });
}
