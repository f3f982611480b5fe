import type { EventEmitter } from 'node:events';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RedisConnection } from '../adapters/redis/redis-connection.ts';
import { recordMs, sharedQuery, timeBuckets } from './conventions.ts';

/** What is asked of a pool of connections. */
interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  /** Requests that got no connection in time. */
  readonly timeouts: number;
  on(event: 'connect', listener: (client: EventEmitter) => void): unknown;
}

/** The pool of connections to PostgreSQL. `maxConnections` is what it may have. */
export function watchPool(registry: Registry, pool: WatchedPool, maxConnections: number): void {
  const registers = [registry];
  new Gauge({
    name: 'quire_database_connections',
    help: 'Connections of this process to PostgreSQL: `used`, `idle`, and `allowed` (`DATABASE_POOL_SIZE`).',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'allowed' }, maxConnections);
    },
  });
  new Gauge({
    name: 'quire_database_waiting',
    help: 'Queries that wait for a connection to PostgreSQL to become free; not those that get one at once.',
    registers,
    collect() {
      // In the moment in which queries come, the pool counts also those for which a connection is idle or may be made.
      const free = pool.idleCount + Math.max(0, maxConnections - pool.totalCount);
      this.set(Math.max(0, pool.waitingCount - free));
    },
  });
  new Counter({
    name: 'quire_database_pool_timeouts_total',
    help: 'Requests that got no connection to PostgreSQL within `DATABASE_POOL_WAIT_MS`.',
    registers,
    collect() {
      this.reset();
      this.inc(pool.timeouts);
    },
  });
  const errors = new Counter({
    name: 'quire_database_connection_errors_total',
    help: 'Connections to PostgreSQL that broke, idle or in use.',
    registers,
  });
  pool.on('connect', (client) => client.once('error', () => errors.inc()));
}

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

/** A job as the queue lists it. */
interface QueuedJob {
  readonly kind: string;
  readonly state: string;
  readonly queuedAtMs: number;
}

/** How many jobs of a state are looked at: when more wait, only that matters. */
const jobsLookedAt = 1_000;

/** Jobs that wait for a converter or are worked on, over all nodes. */
export function watchQueue(
  registry: Registry,
  kinds: readonly string[],
  look: (limit: number) => Promise<readonly QueuedJob[]>,
): void {
  const registers = [registry];
  const jobs = sharedQuery(() => look(jobsLookedAt));
  new Gauge({
    name: 'quire_jobs',
    help: 'Jobs in the queue that all nodes share, by kind and state (`waiting`, `active`, `delayed` until another attempt), at most 1000 of a state; NaN when the queue does not say.',
    labelNames: ['kind', 'state'] as const,
    registers,
    async collect() {
      const known = await jobs();
      for (const kind of kinds) {
        for (const state of ['waiting', 'active', 'delayed'] as const) {
          const count = known?.filter((job) => job.kind === kind && job.state === state).length;
          this.set({ kind, state }, count ?? Number.NaN);
        }
      }
    },
  });
  new Gauge({
    name: 'quire_oldest_job_seconds',
    help: 'Age of the oldest job that waits for a converter, or for another attempt, by kind and state (`waiting`, `delayed`); 0 when none does. NaN when the queue does not say.',
    labelNames: ['kind', 'state'] as const,
    registers,
    async collect() {
      const known = await jobs();
      for (const kind of kinds) {
        for (const state of ['waiting', 'delayed'] as const)
          this.set({ kind, state }, known ? oldestSeconds(known, kind, state) : Number.NaN);
      }
    },
  });
}

function oldestSeconds(jobs: readonly QueuedJob[], kind: string, state: string): number {
  const meant = jobs.filter((job) => job.kind === kind && job.state === state);
  return Math.max(0, ...meant.map(({ queuedAtMs }) => (Date.now() - queuedAtMs) / 1_000));
}
