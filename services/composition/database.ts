import path from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { openPool } from '../../db/pool.ts';
import type { Config } from '../config.ts';
import { SingleNodeLock } from '../single-node.ts';
import type { Shutdown } from './shutdown.ts';

const statementTimeoutMs = 30_000;

/** A database with the tables of this version. */
export interface Database {
  pool: pg.Pool;
  url: string;
  /** What PostgreSQL says of itself. */
  version: string;
  embedded: boolean;
}

/** Opens the database of the configuration, or starts the embedded one, and brings its tables up to date. */
export async function openDatabase(config: Config, log: Logger, shutdown: Shutdown): Promise<Database> {
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ directory: path.join(config.dataDir, 'postgres'), log });
  // A database that was running already may be another server's: it is ours to stop only with the lock in hand.
  let ownsDatabase = embedded?.adopted === false;
  shutdown.add(async () => {
    if (ownsDatabase) await embedded?.stop();
  });
  const url = config.databaseUrl ?? embedded!.url;
  const lock = await SingleNodeLock.take(url, log, (error) => {
    log.fatal({ err: error }, 'This server must not go on without its lock on the database');
    process.exit(1);
  });
  ownsDatabase = embedded !== null;
  shutdown.add(() => lock.release());
  await migrate({ url, log });
  const pool = openPool({ url, max: config.databasePoolSize, statementTimeoutMs, log });
  shutdown.add(() => pool.end());
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
  return { pool, url, version: rows[0]!.server_version, embedded: embedded !== null };
}
