import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { packageRoot } from '../platform/package-root.ts';
import { QuireError } from '../platform/quire-error.ts';

/** Any constant number that nothing else on the database locks. */
const lockId = 7_183_402_551;
const oldestServerVersion = 140_000;

const createRecord = `CREATE TABLE schema_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

/** Migrations that were stepped back over. Their tables are still there. */
const createAside = `CREATE TABLE IF NOT EXISTS schema_migrations_aside (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL
)`;

/**
 * Why the database was not migrated. `changed`: an applied file has another content now. `newer`: the database has
 * migrations that this code does not know. `files`: the files are not numbered 0001, 0002, … `failed`: a statement
 * of a migration failed; the migrations before it stay applied. `server`: PostgreSQL is too old.
 * `unknown`: there is no migration to step back to.
 */
type MigrationProblem = 'changed' | 'newer' | 'files' | 'failed' | 'server' | 'unknown';

export class MigrationError extends QuireError<MigrationProblem> {}

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the database up to this code. Each file `NNNN_name.sql` is applied in a transaction of its own, together
 * with its row in `schema_migrations`, so a killed process leaves whole migrations only. A lock taken in each
 * transaction makes it safe from any number of processes at once, also behind a pooler that shares connections.
 *
 * @param directory of the files; those of the package by default
 * @returns names of the files that were applied by this call
 * @throws MigrationError
 */
export async function migrate(options: {
  url: string;
  directory?: string;
  log?: Pick<Logger, 'info' | 'debug'>;
}): Promise<string[]> {
  const migrations = await readMigrations(options.directory ?? path.join(packageRoot, 'db', 'migrations'));
  const client = new pg.Client({ connectionString: options.url, application_name: 'quire migrate' });
  // A broken connection is reported by the query it breaks.
  client.on('error', () => {});
  await client.connect();
  try {
    await checkServer(client);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === null) break;
      applied.push(name);
      options.log?.debug({ migration: name }, 'Applied a database migration');
    }
    if (applied.length > 0) {
      const [first, last] = [applied[0], applied.at(-1)];
      options.log?.info({ count: applied.length, first, last }, 'Applied the migrations of the database');
    }
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * Lets servers of an earlier version start on a database that a later one has migrated. Migrations only add, so their
 * tables stay, with what is in them: only the records of those after `to` are set aside. The later version takes them
 * up again when it is started, without applying them a second time.
 *
 * @param to name of the last migration of the earlier version, `NNNN_name.sql`
 * @returns names of the migrations that were set aside
 * @throws MigrationError when the database does not have `to`
 */
export async function stepBack({ url, to }: { url: string; to: string }): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'quire migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await locked(client, async () => {
      const last = await client.query<{ version: number }>(
        'SELECT version FROM schema_migrations WHERE name = $1',
        [to],
      );
      if (!last.rows[0]) throw new MigrationError('unknown', `The database has no migration ${to}.`);
      await client.query(createAside);
      const { rows } = await client.query<{ name: string }>(
        `WITH gone AS (DELETE FROM schema_migrations WHERE version > $1 RETURNING version, name, checksum)
         INSERT INTO schema_migrations_aside SELECT version, name, checksum FROM gone
         ON CONFLICT (version) DO UPDATE SET name = excluded.name, checksum = excluded.checksum
         RETURNING name`,
        [last.rows[0].version],
      );
      return rows.map(({ name }) => name).sort();
    });
  } finally {
    await client.end();
  }
}

/**
 * Names of the migrations that this code has and a database has not. Changes nothing.
 * @throws MigrationError when the database is not one of this code
 */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const migrations = await readMigrations(path.join(packageRoot, 'db', 'migrations'));
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS there`,
  );
  const missing = rows[0]!.there ? await firstMissing(client, migrations) : migrations[0];
  return missing ? migrations.slice(missing.version - 1).map(({ name }) => name) : [];
}

/** Applies the first missing migration; returns its name, or null when none is missing. */
function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | null> {
  return locked(client, async () => {
    // A role that may not create tables can still find that there is nothing to do.
    const { rows } = await client.query<{ found: string | null; aside: string | null }>(
      `SELECT to_regclass('schema_migrations') AS found, to_regclass('schema_migrations_aside') AS aside`,
    );
    if (rows[0]!.found === null) await client.query(createRecord);
    const migration = await firstMissing(client, migrations);
    if (!migration) return null;
    const isThere = rows[0]!.aside !== null && (await takeUp(client, migration));
    if (!isThere) await apply(client, migration);
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    return migration.name;
  });
}

/** Runs a task in a transaction that no other process has at the same time. */
async function locked<Result>(client: pg.Client, task: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId]);
    await client.query('SET LOCAL client_min_messages = warning');
    const result = await task();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Fails too when the connection is what broke; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Whether a migration was set aside by `stepBack`: then its tables are there, and it is not aside any more. */
async function takeUp(client: pg.Client, { version, name, checksum }: Migration): Promise<boolean> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'DELETE FROM schema_migrations_aside WHERE version = $1 RETURNING name, checksum',
    [version],
  );
  const aside = rows[0];
  if (aside && aside.checksum !== checksum) throw changedContent(aside.name, name);
  return aside !== undefined;
}

const changedContent = (applied: string, file: string): MigrationError =>
  new MigrationError(
    'changed',
    `Migration ${applied} was applied to this database with another content than ${file} has now. ` +
      'Applied migrations stay as they are; changes go into a new file.',
  );

async function firstMissing(client: pg.Client, migrations: Migration[]): Promise<Migration | undefined> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  for (const row of rows) {
    const file = migrations[row.version - 1];
    if (!file) {
      throw new MigrationError(
        'newer',
        `The database has migration ${row.name}, which this version of Quire does not know. ` +
          'Start the version that made it, or a later one.',
      );
    }
    if (file.checksum !== row.checksum) {
      throw changedContent(row.name, file.name);
    }
  }
  return migrations[rows.length];
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
  } catch (cause) {
    throw new MigrationError('failed', `Migration ${migration.name} failed: ${(cause as Error).message}`, {
      cause,
    });
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const { number, version } = rows[0]!;
  if (number < oldestServerVersion) {
    throw new MigrationError('server', `PostgreSQL ${version} is too old; Quire needs version 14 or later.`);
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, at) => {
      const version = at + 1;
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name) || Number(name.slice(0, 4)) !== version) {
        throw new MigrationError(
          'files',
          `${name} should be migration ${String(version).padStart(4, '0')}_….sql.`,
        );
      }
      // Line ends may differ between checkouts of the same file.
      const sql = (await readFile(path.join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
