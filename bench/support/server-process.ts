import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { databaseName, roleName } from '../../db/embedded-postgres/cluster.ts';
import { childrenOf, sumOf, type Usage, usageOf } from '../../load/process-usage.ts';
import { type Environment, processEnvironment } from '../../platform/config.ts';
import { serverOptions } from './server-options.ts';

/** From `dist/bench/support`, where this file is built to. */
const program = fileURLToPath(new URL('../../../bin/quire.js', import.meta.url));

/** What the parts of a server used until now. */
interface ServerUsage {
  service: Usage;
  converter: Usage;
  /** PostgreSQL: the postmaster and everything it has started. */
  database: Usage;
}

/** A Quire server in processes of its own, on a scratch directory and a free port, with an embedded database. */
export interface ServerProcess {
  port: number;
  databaseUrl: string;
  /** Address of the service's inspector, if it was started with one. */
  inspectorUrl: string | null;
  usage(): Promise<ServerUsage>;
  /** Stops everything and removes the directory. */
  stop(): Promise<void>;
}

/**
 * Starts the built server as `quire serve` does, with tokens off and this machine allowed as a source of documents.
 *
 * @param options.environment further settings
 * @param options.nodeOptions arguments for the service's Node, e.g. `--inspect=127.0.0.1:0`
 */
export async function startServerProcess(
  options: { environment?: Environment; nodeOptions?: readonly string[] } = {},
): Promise<ServerProcess> {
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-bench-'));
  // As root, the database runs as another user, who has to get here.
  await chmod(directory, 0o755);
  const child = spawn(
    process.execPath,
    [...serverOptions, ...(options.nodeOptions ?? []), program, 'serve'],
    {
      env: {
        ...processEnvironment(),
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: directory,
        JWT_ENABLED: 'false',
        ALLOW_PRIVATE_IP_ADDRESS: 'true',
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'info',
        // What is measured is the process that is started.
        SUPERVISED: 'false',
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const inspector = options.nodeOptions?.some((option) => option.startsWith('--inspect'))
      ? inspectorAddress(child)
      : Promise.resolve(null);
    const port = await readiness(child);
    const postmaster = await postmasterOf(directory);
    const password = (await readFile(path.join(directory, 'postgres', 'password'), 'utf8')).trim();
    return {
      port,
      databaseUrl: `postgres://${roleName}:${encodeURIComponent(password)}@127.0.0.1:${postmaster.port}/${databaseName}`,
      inspectorUrl: await inspector,
      usage: () => usageOfServer(child.pid!, postmaster.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function usageOfServer(service: number, postmaster: number): Promise<ServerUsage> {
  const all = async (pids: readonly number[]) =>
    sumOf(await Promise.all(pids.map((pid) => usageOf(pid, { withEnded: false }))));
  const [converters, backends] = await Promise.all([childrenOf(service), childrenOf(postmaster)]);
  return {
    service: await usageOf(service, { withEnded: false }),
    converter: await all(converters.filter((pid) => pid !== postmaster)),
    database: sumOf([await usageOf(postmaster, { withEnded: true }), await all(backends)]),
  };
}

/** Resolves with the port once the server listens; passes its warnings and errors on. */
function readiness(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = entryIn(line);
      if (!entry) process.stderr.write(`${line}\n`);
      else if (entry.msg === 'Quire is ready') resolve(Number(new URL(entry.address!).port));
      else if (entry.level !== 'info' && !entry.msg.startsWith('JWT_ENABLED'))
        process.stderr.write(`${line}\n`);
    });
  });
}

/** An entry of the log. Null: long lines of several processes that write at once may be in each other. */
function entryIn(line: string): { level: string; msg: string; address?: string } | null {
  try {
    return JSON.parse(line) as { level: string; msg: string; address?: string };
  } catch {
    return null;
  }
}

/** Node names the inspector's address on standard error. */
function inspectorAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const address = /ws:\/\/\S+/.exec(line)?.[0];
      if (address) resolve(address);
    });
  });
}

/** `postmaster.pid`: the process id on line 1, the port on line 4. */
async function postmasterOf(directory: string): Promise<{ pid: number; port: number }> {
  const text = await readFile(path.join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}
