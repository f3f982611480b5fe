import pg from 'pg';
import type { Logger } from 'pino';
import { QuireError } from '../platform/quire-error.ts';

/** What most queries need of a pool or of one of its clients. */
export type Sql = Pick<pg.ClientBase, 'query'>;

/** No connection to the database became free in time, or none could be made: later there may be one. */
export class DatabaseBusyError extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('database_busy', message, { ...options, retryable: true });
  }
}

interface PoolOptions {
  url: string;
  /** Most connections at a time. */
  max: number;
  /** After which the server cancels a statement; 0 for never. Behind a pooler the role's own limit counts. */
  statementTimeoutMs: number;
  /** How long a connection is waited for. */
  waitMs?: number;
  /**
   * The address is one of a pooler that gives each transaction another connection: no settings are made on connections,
   * since they would hold for others too.
   */
  isPooler?: boolean;
  /** Whether statements with a name are prepared once per connection. */
  preparesStatements?: boolean;
  log: Pick<Logger, 'warn'>;
}

/** The settings of a process that are about its connections. */
interface PoolSettings {
  databasePoolSize: number;
  databaseStatementTimeoutMs: number;
  databasePoolWaitMs: number;
  databasePreparedStatements: boolean;
  /** Named where `DATABASE_URL` is a pooler's. */
  databaseDirectUrl: string | undefined;
}

/** What the settings say of connections to `DATABASE_URL`. */
export const poolOptions = (settings: PoolSettings): Omit<PoolOptions, 'url' | 'log'> => ({
  max: settings.databasePoolSize,
  statementTimeoutMs: settings.databaseStatementTimeoutMs,
  waitMs: settings.databasePoolWaitMs,
  isPooler: settings.databaseDirectUrl !== undefined,
  preparesStatements: settings.databasePreparedStatements,
});

const defaultWaitMs = 10_000;

/**
 * How long a connection that nobody needs stays open, milliseconds. To make one anew costs PostgreSQL a process, both sides
 * a derived key, and every statement its plan: where people come in waves, that would come with each wave.
 */
export const idleConnectionMs = 300_000;

/**
 * A pool of connections to PostgreSQL. A connection that breaks, idle or in use, is logged and replaced; its user
 * gets the error from the query. Who waits too long for a connection gets a {@link DatabaseBusyError}.
 */
export function openPool(options: PoolOptions): BoundedPool {
  const pool = new BoundedPool({
    connectionString: options.url,
    max: options.max,
    ...(options.isPooler ? {} : { statement_timeout: options.statementTimeoutMs }),
    connectionTimeoutMillis: options.waitMs ?? defaultWaitMs,
    idleTimeoutMillis: idleConnectionMs,
    application_name: 'quire',
    keepAlive: true,
  });
  // pg emits `error` on the client, too, when a connection breaks while it is checked out; unheard, it would end
  // the process.
  pool.on('connect', (client) => {
    // Once: the server's farewell and the closed socket are two errors of one event.
    client.once('error', (err) => options.log.warn({ err }, 'A database connection broke'));
    client.on('error', () => {});
    if (options.preparesStatements === false) leaveUnprepared(client);
  });
  pool.on('error', () => {});
  return pool;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** The line of those who wait for a connection; pg does not publish it as a type. */
interface PoolLine {
  _pendingQueue: unknown[];
}

/** Counts who waited in vain, and lets some statements pass the others. */
export class BoundedPool extends pg.Pool {
  #timeouts = 0;
  #isUrgent = false;

  /**
   * Statements that wait for no connection behind others: of saves, whose authors are in, while many come; and of who watches over the
   * server. They must be few at a time.
   */
  readonly urgent = {
    query: ((...statement: Parameters<pg.Pool['query']>) => {
      this.#isUrgent = true;
      try {
        return this.query(...statement);
      } finally {
        this.#isUrgent = false;
      }
    }) as pg.Pool['query'],
  };

  /** How often nobody got a connection in time, since the pool was opened. */
  get timeouts(): number {
    return this.#timeouts;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect().catch((error: Error) => Promise.reject(this.#translated(error)));
    const { _pendingQueue: line } = this as unknown as PoolLine;
    const { length } = line;
    super.connect((error, client, done) => callback(error && this.#translated(error), client, done));
    // A statement asks for its connection before `query` returns.
    if (this.#isUrgent && line.length > length) line.unshift(line.pop());
    return undefined;
  }

  #translated(error: Error): Error {
    if (!isTimeout(error)) return error;
    this.#timeouts += 1;
    return new DatabaseBusyError(
      'no connection to the database was free in time: PostgreSQL does not answer, or all of DATABASE_POOL_SIZE are busy',
      { cause: error },
    );
  }
}

/** pg has no code for these: a wait for a free connection, or for a new one, that took too long. */
const isTimeout = ({ message }: Error): boolean =>
  message === 'timeout exceeded when trying to connect' ||
  message === 'Connection terminated due to connection timeout';

/** Sends a connection's statements without their names, so that none is prepared beyond its use. */
function leaveUnprepared(client: pg.PoolClient): void {
  const send = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((first: unknown, ...others: unknown[]) =>
    send(withoutName(first), ...others)) as typeof client.query;
}

function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  const { name: _name, ...unnamed } = statement;
  return unnamed;
}
