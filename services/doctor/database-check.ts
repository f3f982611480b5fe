import path from 'node:path';
import pg from 'pg';
import { clusterPassword, databaseName, roleName } from '../../db/embedded-postgres/cluster.ts';
import { readPostmaster } from '../../db/embedded-postgres/postmaster.ts';
import { MigrationError, pendingMigrations } from '../../db/migrate.ts';
import type { Config } from '../../platform/config.ts';
import { clockFinding, type Finding, fail, ok, roundTripMs, skip, warn } from './finding.ts';

const connectTimeoutMs = 5_000;
const [oldestVersion, newestVersion] = [14, 18];
/** Connections of a node outside its pool: its lock, the job queue and its events. */
const connectionsBesidePool = 10;
const slowMs = 20;
const latencyProbes = 5;

/**
 * The address of the database: `DATABASE_URL`, or that of the embedded server; null while that does not run.
 */
export async function databaseUrlOf({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string | null> {
  if (databaseUrl !== undefined) return databaseUrl;
  const directory = path.join(dataDir, 'postgres');
  const postmaster = await readPostmaster(path.join(directory, 'data')).catch(() => null);
  if (!postmaster) return null;
  const password = encodeURIComponent(await clusterPassword(directory));
  return `postgres://${roleName}:${password}@127.0.0.1:${postmaster.port}/${databaseName}`;
}

/** Whether the server could use this database as it is. */
export async function checkDatabase(url: string | null, poolSize: number): Promise<Finding[]> {
  if (url === null) return [skip('The embedded database does not run; it is started with the server')];
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: connectTimeoutMs,
    application_name: 'quire doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    return [unreachable(error as NodeJS.ErrnoException, url)];
  }
  try {
    return [
      await reached(client),
      ...(await usable(client)),
      ...(await migrations(client)),
      await room(client, poolSize),
      await clock(client),
    ];
  } finally {
    await client.end();
  }
}

/** SQLSTATEs (PostgreSQL documentation, appendix A) and errors of sockets. */
function unreachable(error: NodeJS.ErrnoException, url: string): Finding {
  const { hostname, port, pathname, username } = new URL(url);
  const at = `${hostname}:${port || 5_432}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return fail(`Nothing listens at ${at}`, 'Start PostgreSQL, or correct host and port in DATABASE_URL.');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(
        `The name ${hostname} is not known here`,
        'Correct the host in DATABASE_URL, or the DNS of this machine.',
      );
    case '28P01':
      return fail(
        `The password of ${username} is not accepted at ${at}`,
        'Correct user and password in DATABASE_URL; special characters are percent-encoded.',
      );
    case '28000':
      return fail(
        `${username} may not sign in at ${at}: ${error.message}`,
        'Make the role, or allow it in pg_hba.conf; add ?sslmode=require where TLS is demanded.',
      );
    case '3D000':
      return fail(
        `There is no database ${pathname.slice(1)} at ${at}`,
        `Make it: CREATE DATABASE ${pathname.slice(1)} OWNER ${username}`,
      );
    case '53300':
      return fail(
        `${at} has no connection left`,
        'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.',
      );
    default:
      return /timeout/i.test(error.message)
        ? fail(`${at} does not answer`, 'Look for a firewall in between.')
        : fail(`The connection to ${at} fails: ${error.message}`, 'Correct DATABASE_URL.');
  }
}

async function reached(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const { number, version } = rows[0]!;
  const finding = versionFinding(Math.floor(number / 10_000), version);
  const elapsedMs = await roundTripMs(latencyProbes, () => client.query('SELECT 1'));
  if (finding.verdict !== 'ok' || elapsedMs < slowMs) return finding;
  const sentence = `PostgreSQL ${version} takes ${Math.round(elapsedMs)} ms for a question; every save waits for it`;
  return warn(sentence, 'Put it nearer to this machine.');
}

/** Judges a version of PostgreSQL. */
export function versionFinding(major: number, version: string): Finding {
  if (major < oldestVersion) {
    return fail(
      `PostgreSQL ${version} is too old`,
      `Use a version from ${oldestVersion} to ${newestVersion}.`,
    );
  }
  if (major > newestVersion) {
    return warn(
      `PostgreSQL ${version} is newer than what this version of Quire was tested with`,
      `Versions ${oldestVersion} to ${newestVersion} were tested.`,
    );
  }
  return ok(`PostgreSQL ${version} answers`);
}

async function usable(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{
    standby: boolean;
    readOnly: string;
    tables: boolean;
    schemas: boolean;
    role: string;
  }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS "readOnly",
       has_schema_privilege('public', 'CREATE') AS tables,
       has_database_privilege(current_database(), 'CREATE') OR to_regnamespace('bullmq') IS NOT NULL AS schemas,
       current_user AS role`,
  );
  const { standby, readOnly, tables, schemas, role } = rows[0]!;
  if (standby) {
    return [fail('The database is a standby, which takes no changes', 'Name the primary in DATABASE_URL.')];
  }
  if (readOnly === 'on') {
    return [fail('The database takes no changes', 'Set default_transaction_read_only = off for it.')];
  }
  const findings: Finding[] = [];
  if (!tables) {
    const remedy = `As an administrator: GRANT CREATE ON SCHEMA public TO ${role}, or make ${role} the owner of the database.`;
    findings.push(fail(`${role} may not make tables`, remedy));
  }
  if (!schemas) {
    const remedy = `As an administrator: GRANT CREATE ON DATABASE … TO ${role}, or set REDIS_URL.`;
    findings.push(fail(`${role} may not make the schema of the job queue`, remedy));
  }
  return findings;
}

async function migrations(client: pg.Client): Promise<Finding[]> {
  try {
    const pending = await pendingMigrations(client);
    if (pending.length === 0) return [ok('Its tables are those of this version')];
    return [ok(`${pending.length} migrations are applied when the server is started: ${pending.join(', ')}`)];
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return [fail(error.message, 'Start the version of Quire that fits the database, or restore a backup.')];
  }
}

async function room(client: pg.Client, poolSize: number): Promise<Finding> {
  const { rows } = await client.query<{ most: number; taken: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'
          AND application_name NOT LIKE 'quire%') AS taken`,
  );
  const { most, taken } = rows[0]!;
  const needed = poolSize + connectionsBesidePool;
  if (most - taken < needed) {
    return warn(
      `PostgreSQL allows ${most} connections, others use ${taken}, and a node uses up to ${needed}`,
      'Raise max_connections, or lower DATABASE_POOL_SIZE.',
    );
  }
  return ok(`A node uses up to ${needed} of ${most} connections`);
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return clockFinding('the database', rows[0]!.now.getTime(), (before + Date.now()) / 2);
}
