import pg from 'pg';
import type { Logger } from 'pino';

/** What most queries need of a pool or of one of its clients. */
export type Sql = Pick<pg.ClientBase, 'query'>;

const connectTimeoutMs = 10_000;

/**
 * A pool of connections to PostgreSQL. A connection that breaks, idle or in use, is logged and replaced; whoever was
 * using it gets the error from the query.
 *
 * @param max most connections at a time
 * @param statementTimeoutMs after which the server cancels a statement; 0 for never
 */
export function openPool(options: {
  url: string;
  max: number;
  statementTimeoutMs: number;
  log: Pick<Logger, 'warn'>;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    statement_timeout: options.statementTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'quire',
    keepAlive: true,
  });
  // pg emits `error` on the client, too, when a connection breaks while it is checked out; unheard, it would end
  // the process.
  pool.on('connect', (client) => {
    // Once: the server's farewell and the closed socket are two errors of one event.
    client.once('error', (err) => options.log.warn({ err }, 'A database connection broke'));
    client.on('error', () => {});
  });
  pool.on('error', () => {});
  return pool;
}
