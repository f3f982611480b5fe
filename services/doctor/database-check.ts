import path from 'node:path';
import pg from 'pg';
import { checkDatabaseAddresses, databaseFailure } from '../../db/connection-check.ts';
import { clusterPassword, databaseName, roleName } from '../../db/embedded-postgres/cluster.ts';
import { readPostmaster } from '../../db/embedded-postgres/postmaster.ts';
import { MigrationError, pendingMigrations } from '../../db/migrate.ts';
import type { Config } from '../../platform/config.ts';
import { SetupError } from '../../platform/quire-error.ts';
import { clockFinding, type Finding, fail, ok, roundTripMs, skip, warn } from './finding.ts';

const connectTimeoutMs = 5_000;
const [oldestVersion, newestVersion] = [14, 18];
/** Connections of a node outside its pool: its lock, the job queue and its events. */
const connectionsBesidePool = 10;
const slowMs = 20;
const latencyProbes = 5;

type DatabaseSettings = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseDirectUrl'
  | 'databaseStatementTimeoutMs'
  | 'databasePoolSize'
  | 'redisUrl'
  | 'dataDir'
>;

/**
 * The address of the database without a pooler: `DATABASE_DIRECT_URL`, `DATABASE_URL`, or that of the embedded server; null while
 * that does not run.
 */
export async function databaseUrlOf({
  databaseDirectUrl,
  databaseUrl,
  dataDir,
}: Pick<DatabaseSettings, 'databaseDirectUrl' | 'databaseUrl' | 'dataDir'>): Promise<string | null> {
  if (databaseUrl !== undefined) return databaseDirectUrl ?? databaseUrl;
  const directory = path.join(dataDir, 'postgres');
  const postmaster = await readPostmaster(path.join(directory, 'data')).catch(() => null);
  if (!postmaster) return null;
  const password = encodeURIComponent(await clusterPassword(directory));
  return `postgres://${roleName}:${password}@127.0.0.1:${postmaster.port}/${databaseName}`;
}

/** Whether the server could use its database as it is, also through a pooler. */
export async function checkDatabase(settings: DatabaseSettings): Promise<Finding[]> {
  const url = await databaseUrlOf(settings);
  if (url === null) return [skip('The embedded database does not run; it is started with the server')];
  try {
    await checkDatabaseAddresses(settings);
  } catch (error) {
    if (error instanceof SetupError) return [fail(error.message, error.remedy)];
    throw error;
  }
  const setting = settings.databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const client = clientOf(url);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    const { message, remedy } = databaseFailure(error as Error, { url, setting });
    return [fail(message, remedy)];
  }
  try {
    return [
      await reached(client),
      ...(await usable(client)),
      ...(await migrations(client)),
      await room(client, settings.databasePoolSize),
      await clock(client),
      ...(await throughPooler(client, settings)),
    ];
  } finally {
    await client.end();
  }
}

const clientOf = (url: string): pg.Client => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    application_name: 'quire doctor',
  });
  client.on('error', () => undefined);
  return client;
};

/** Whether both addresses lead to one database, and statements have a time limit through the pooler. */
async function throughPooler(
  direct: pg.Client,
  { databaseUrl, databaseDirectUrl }: DatabaseSettings,
): Promise<Finding[]> {
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return [];
  const pooled = clientOf(databaseUrl);
  try {
    await pooled.connect();
    const [here, there] = await Promise.all([identityOf(direct), identityOf(pooled)]);
    if (here.identity !== there.identity) {
      return [
        fail(
          'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases',
          'Have both name the same database, once through the pooler and once past it.',
        ),
      ];
    }
    return there.timeout === '0'
      ? [
          warn(
            'Through the pooler no statement has a time limit',
            `As an administrator: ALTER ROLE ${there.role} SET statement_timeout = '30s'`,
          ),
        ]
      : [ok('The pooler leads to the same database')];
  } finally {
    await pooled.end().catch(() => undefined);
  }
}

async function identityOf(client: pg.Client): Promise<{ identity: string; timeout: string; role: string }> {
  const { rows } = await client.query<{ identity: string; timeout: string; role: string }>(
    `SELECT concat_ws('/', pg_postmaster_start_time(), (SELECT oid FROM pg_database WHERE datname = current_database())) AS identity,
       current_setting('statement_timeout') AS timeout, current_user AS role`,
  );
  return rows[0]!;
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
