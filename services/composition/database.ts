import path from 'node:path';
import type { Logger } from 'pino';
import { checkDatabaseAddresses } from '../../db/connection-check.ts';
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { type BoundedPool, openPool, poolOptions } from '../../db/pool.ts';
import { SecretRecords } from '../../db/secret-records.ts';
import type { Config } from '../../platform/config.ts';
import { NodesLock } from './nodes-lock.ts';
import type { Shutdown } from './shutdown.ts';

/** For commands, which print what they have done. */
const silent = { info: () => undefined, warn: () => undefined };

/** A database with the tables of this version. */
interface Database {
  pool: BoundedPool;
  /** For tasks that need one connection for longer than a transaction; the same as `pool` without a pooler. */
  direct: BoundedPool;
  /** Address without the pooler. */
  url: string;
  /** Version of PostgreSQL. */
  version: string;
  embedded: boolean;
}

/**
 * Opens the database of the configuration, or starts the embedded one, and brings its tables up to date. `isGuarded`: another
 * process holds the lock that keeps other servers off.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  shutdown: Shutdown,
  { isGuarded = false } = {},
): Promise<Database> {
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ directory: path.join(config.dataDir, 'postgres'), log });
  // A database that was running already may be another server's. Only with the lock may this server stop it.
  let ownsDatabase = embedded?.adopted === false;
  shutdown.add(async () => {
    if (ownsDatabase) await embedded?.stop();
  });
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? embedded!.url;
  if (!isGuarded) {
    // Before the lock: a pooler in transaction mode would keep it when this server is gone.
    await checkDatabaseAddresses(config);
    const lock = await NodesLock.take(url, config.redisUrl ? 'shared' : 'exclusive', log, (error) => {
      log.fatal({ err: error }, 'This server must not go on without its lock on the database');
      process.exit(1);
    });
    shutdown.add(() => lock.release());
  }
  ownsDatabase = embedded !== null;
  await migrate({ url, log });
  const pool = openPool({ ...poolOptions(config), url: config.databaseUrl ?? url, log });
  shutdown.add(() => pool.end());
  const direct = config.databaseDirectUrl ? openDirectPool(config, config.databaseDirectUrl, log) : pool;
  if (direct !== pool) shutdown.add(() => direct.end());
  const { rows } = await pool.query<{ version: string; timeout: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('statement_timeout') AS timeout`,
  );
  const { version, timeout } = rows[0]!;
  if (direct !== pool && timeout === '0') {
    log.warn('Behind the pooler no statement has a time limit: set statement_timeout for the role');
  }
  return { pool, direct, url, version, embedded: embedded !== null };
}

/** One connection without the pooler, for rare tasks. */
function openDirectPool(config: Config, url: string, log: Logger): BoundedPool {
  return openPool({ ...poolOptions(config), url, max: 1, isPooler: false, log });
}

/** For commands: runs a task with the secrets that nodes share in the database; null where they are in files. */
export async function withSecretRecords<Result>(
  config: Config,
  task: (records: SecretRecords | null) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl: url } = config;
  if (!url) return task(null);
  await migrate({ url });
  const pool = openPool({ ...poolOptions(config), url, max: 1, log: silent });
  try {
    return await task(new SecretRecords(pool));
  } finally {
    await pool.end();
  }
}
