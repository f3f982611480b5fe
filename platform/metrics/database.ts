import type { EventEmitter } from 'node:events';
import { Counter, Gauge, type Registry } from 'prom-client';

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
    help: 'Queries that wait for a connection to PostgreSQL to become free.',
    registers,
    collect() {
      this.set(pool.waitingCount);
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
