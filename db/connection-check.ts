import pg from 'pg';
import { SetupError } from '../platform/quire-error.ts';

const connectTimeoutMs = 10_000;
/** How often two clients of a pooler are compared. */
const comparisons = 5;
/** SQLSTATE of a message that the other side does not accept; poolers answer parameters that they do not know with it. */
const protocolViolation = '08P01';

/** Which of the settings an address is from. */
type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** The settings that name databases, and what connections ask for. */
interface DatabaseSettings {
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  databaseStatementTimeoutMs: number;
  /** Without it jobs are in PostgreSQL, in a schema that their connections choose. */
  redisUrl: string | undefined;
}

/** What a connection asks for when it is made. */
interface Asked {
  /** 0: no limit is asked for. */
  statementTimeoutMs: number;
  choosesSchema: boolean;
}

/** Exists nowhere: it only shows whether the choice is passed on. */
const probeSchema = 'quire_probe';

/** Whether the addresses of the settings can be used as they are; the embedded database is not looked at. @throws SetupError */
export async function checkDatabaseAddresses(settings: DatabaseSettings): Promise<void> {
  const { databaseUrl, databaseDirectUrl } = settings;
  if (databaseUrl === undefined) return;
  const asked = {
    statementTimeoutMs: settings.databaseStatementTimeoutMs,
    choosesSchema: settings.redisUrl === undefined,
  };
  if (databaseDirectUrl === undefined) {
    await checkSession({ url: databaseUrl, setting: 'DATABASE_URL' }, asked);
    return;
  }
  await checkSession({ url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL' }, asked);
  await checkReachable({ url: databaseUrl, setting: 'DATABASE_URL' });
}

/** An address of PostgreSQL and the setting that has it. */
interface NamedDatabase {
  url: string;
  setting: DatabaseSetting;
}

/**
 * Connects as a server does, and looks whether each connection is a session of its own, as locks and `LISTEN` need it.
 * Nothing is left on the connections.
 *
 * @throws SetupError with a code of {@link databaseFailure}
 */
async function checkSession(database: NamedDatabase, asked: Asked): Promise<void> {
  const clients = [clientOf(database.url, asked), clientOf(database.url, asked)];
  const [one, other] = clients as [pg.Client, pg.Client];
  try {
    await connect(one, database);
    if (await isDirect(one)) return;
    if (asked.choosesSchema && !(await hasChosen(one))) throw parameterError(database, 'options');
    await connect(other, database);
    if (await shareConnections(one, other)) throw poolerError(database);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** Connects with nothing but a name, as pools behind a pooler do. @throws SetupError */
async function checkReachable(database: NamedDatabase): Promise<void> {
  const client = clientOf(database.url, { statementTimeoutMs: 0, choosesSchema: false });
  try {
    await connect(client, database);
    await client.query('SELECT 1').catch((error: Error) => Promise.reject(databaseFailure(error, database)));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function clientOf(url: string, { statementTimeoutMs, choosesSchema }: Asked): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    ...(statementTimeoutMs > 0 && { statement_timeout: statementTimeoutMs }),
    ...(choosesSchema && { options: `-c search_path=${probeSchema}` }),
    application_name: 'quire check',
  });
  client.on('error', () => undefined);
  return client;
}

async function connect(client: pg.Client, database: NamedDatabase): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    throw databaseFailure(error as Error, database);
  }
}

/** A pooler gives its clients numbers of its own in place of those of PostgreSQL's processes. */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { processID } = client as pg.Client & { processID: number | null };
  return processID === (await backendOf(client));
}

/** Some poolers drop what they do not know. */
async function hasChosen(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  return rows[0]!.path === probeSchema;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

/**
 * Whether a pooler gives a client another connection with each transaction. In session mode two clients never see the same one,
 * and a client never sees two. A pooler with too few connections for both is one in session mode.
 */
async function shareConnections(one: pg.Client, other: pg.Client): Promise<boolean> {
  const owners = new Map<number, pg.Client>();
  for (let round = 0; round < comparisons; round += 1) {
    for (const client of [one, other, other, one]) {
      const backend = await backendOf(client).catch(() => null);
      if (backend === null) return false;
      const owner = owners.get(backend);
      if (owner !== undefined && owner !== client) return true;
      owners.set(backend, client);
    }
  }
  return owners.size > 2;
}

const poolerRemedy = (setting: DatabaseSetting): string =>
  setting === 'DATABASE_URL'
    ? 'Set DATABASE_DIRECT_URL to the same database without the pooler, and leave DATABASE_URL as it is.'
    : 'Correct DATABASE_DIRECT_URL: it names the database without the pooler.';

const poolerError = ({ url, setting }: NamedDatabase): SetupError =>
  new SetupError('database-pooler', {
    setting,
    sentence: `${placeOf(url)} is a pooler in transaction mode, and locks and notices need a connection of their own`,
    remedy: poolerRemedy(setting),
  });

/** A pooler that does not pass on what a connection asks for; its mode is not known then. */
const parameterError = ({ url, setting }: NamedDatabase, parameter: string, cause?: Error): SetupError =>
  new SetupError(
    'database-pooler',
    {
      setting,
      sentence: `${placeOf(url)} is a pooler, and does not pass on what a connection asks for (${parameter})`,
      remedy: poolerRemedy(setting),
    },
    { cause },
  );

const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 5_432}`;
};

/**
 * Why PostgreSQL could not be reached, with what to do: by errors of sockets and SQLSTATEs (PostgreSQL documentation,
 * appendix A). Codes: `database-refused`, `database-host`, `database-silent`, `database-password`, `database-role`,
 * `database-missing`, `database-full`, `database-pooler`, and `database-failed` for all else. No password is repeated.
 */
export function databaseFailure(error: NodeJS.ErrnoException, database: NamedDatabase): SetupError {
  const [, parameter] = /^unsupported startup parameter: (.*)$/.exec(error.message) ?? [];
  if (error.code === protocolViolation && parameter !== undefined) {
    return parameterError(database, parameter, error);
  }
  const [code, sentence, remedy] = reasonOf(error, database);
  return new SetupError(code, { setting: database.setting, sentence, remedy }, { cause: error });
}

function reasonOf(
  { code, message }: NodeJS.ErrnoException,
  { url, setting }: NamedDatabase,
): [code: string, sentence: string, remedy: string] {
  const { hostname, pathname, username } = new URL(url);
  const at = placeOf(url);
  const name = decodeURIComponent(pathname.slice(1));
  switch (code) {
    case 'ECONNREFUSED':
      return [
        'database-refused',
        `Nothing listens at ${at}`,
        `Start PostgreSQL, or correct host and port in ${setting}.`,
      ];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [
        'database-host',
        `The name ${hostname} is not known here`,
        `Correct the host in ${setting}, or the DNS of this machine.`,
      ];
    case '28P01':
      return [
        'database-password',
        `The password of ${username} is not accepted at ${at}`,
        `Correct user and password in ${setting}; special characters are percent-encoded.`,
      ];
    case '28000':
      return [
        'database-role',
        `${username} may not sign in at ${at}: ${message}`,
        'Make the role, or allow it in pg_hba.conf; add ?sslmode=require where TLS is demanded.',
      ];
    case '3D000':
      return [
        'database-missing',
        `There is no database ${name} at ${at}`,
        `Make it: CREATE DATABASE ${name} OWNER ${username}`,
      ];
    case '53300':
      return [
        'database-full',
        `${at} has no connection left`,
        'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.',
      ];
    default:
      return isSilence(code, message)
        ? ['database-silent', `${at} does not answer`, 'Look for a firewall in between.']
        : ['database-failed', `The connection to ${at} fails: ${message}`, `Correct ${setting}.`];
  }
}

/** Nothing came back; pg has no code for its own limits. */
const isSilence = (code: string | undefined, message: string): boolean =>
  code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || (code === undefined && /\btimeout\b/i.test(message));
