import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { rowsOf } from '../test/support/postgres.ts';
import { readPostmaster } from './embedded-postgres/postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const packageRoot = path.dirname(import.meta.dirname);

let parent: string;
let directory: string;
let dataDirectory: string;
let servers: EmbeddedPostgres[];
/** What was logged as an error. */
let errors: { err?: { code?: string } }[];

async function start(): Promise<EmbeddedPostgres> {
  const log = { info: () => {}, error: (said: object) => errors.push(said) };
  const server = await startEmbeddedPostgres({ directory, log });
  servers.push(server);
  return server;
}

beforeEach(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), 'quire-embedded-'));
  directory = path.join(parent, 'postgres');
  dataDirectory = path.join(directory, 'data');
  servers = [];
  errors = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  await rm(parent, { recursive: true });
});

describe('startEmbeddedPostgres', () => {
  it('[SU1] keeps the data from one start to the next, and a stop leaves no process', async () => {
    const first = await start();
    expect(first).toMatchObject({ adopted: false, version: expect.stringMatching(/^\d+\.\d+/) });
    await rowsOf(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const { pid } = (await readPostmaster(dataDirectory))!;
    await Promise.all([first.stop(), first.stop()]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await rowsOf(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('[SU10] starts a server that died again, on the same port and with what was committed', async () => {
    const { url } = await start();
    await rowsOf(url, 'CREATE TABLE kept AS SELECT 7 AS value');
    process.kill((await readPostmaster(dataDirectory))!.pid, 'SIGKILL');
    await eventually(async () =>
      expect(await rowsOf(url, 'SELECT value FROM kept').catch(() => null)).toEqual([{ value: 7 }]),
    );
  });

  it('[SU10] tries on when that fails at first', async () => {
    const { url } = await start();
    const { pid } = (await readPostmaster(dataDirectory))!;
    const logFile = path.join(directory, 'server.log');
    await rename(logFile, `${logFile}.kept`);
    await mkdir(logFile);
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(errors.map(({ err }) => err?.code)).toContain('EISDIR'));
    await rmdir(logFile);
    await eventually(async () =>
      expect(await rowsOf(url, 'SELECT 7 AS value').catch(() => null)).toEqual([{ value: 7 }]),
    );
  });

  it('[SU54] leaves no process when it is stopped while a server that died is started again', async () => {
    const server = await start();
    const dead = (await readPostmaster(dataDirectory))!.pid;
    process.kill(dead, 'SIGKILL');
    const next = async () => {
      const postmaster = await readPostmaster(dataDirectory);
      return postmaster && postmaster.pid !== dead ? postmaster.pid : null;
    };
    await eventually(async () => expect(await next()).not.toBeNull());
    const pid = (await next())!;
    await server.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await readPostmaster(dataDirectory)).toBeNull();
  });

  it('[SU54] starts none when it is stopped before that', async () => {
    const server = await start();
    const { pid } = (await readPostmaster(dataDirectory))!;
    process.kill(pid, 'SIGKILL');
    await eventually(async () => expect(await isRunning(pid)).toBe(false));
    await server.stop();
    expect(await readPostmaster(dataDirectory)).toMatchObject({ pid });
  });

  it('[SU2] commits are durable and the cluster is UTF-8 with checksums', async () => {
    const { url } = await start();
    const names = ['synchronous_commit', 'fsync', 'full_page_writes', 'data_checksums', 'server_encoding'];
    const rows = await rowsOf(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`,
    );
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    expect(settings).toEqual({
      synchronous_commit: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
    });
  });

  it('[SU3] lets nobody in without the generated password, which only its owner can read', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(rowsOf(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const rules = await rowsOf(url, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
    expect(rules).toEqual([{ auth_method: 'scram-sha-256' }]);
    expect(await rowsOf(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect((await stat(path.join(directory, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
  });

  it('[SU4] is not stopped by a lock file that a dead server left, or whose number is taken by another program', async () => {
    const first = await start();
    const file = path.join(dataDirectory, 'postmaster.pid');
    const left = await readFile(file, 'utf8');
    await first.stop();
    await writeFile(file, left.replace(/^\d+/, String(process.pid)));
    const second = await start();
    expect(second.adopted).toBe(false);
    process.kill((await readPostmaster(dataDirectory))!.pid, 'SIGKILL');
    const third = await start();
    expect(third.adopted).toBe(false);
    expect(await rowsOf(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('[SU5] a first start that was interrupted does not hinder the next', async () => {
    await mkdir(path.join(directory, 'initializing-a1b2c3', 'data'), { recursive: true });
    await start();
    expect((await readdir(directory)).sort()).toEqual(['data', 'password', 'server.log']);
  });

  it('[SU6] says what the server said when it does not start', async () => {
    const first = await start();
    await first.stop();
    await appendFile(path.join(dataDirectory, 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start()).rejects.toThrow(
      /did not start.*unrecognized configuration parameter "no_such_setting"/s,
    );
  });

  it('[SU7] refuses data of another major version', async () => {
    const first = await start();
    await first.stop();
    await writeFile(path.join(dataDirectory, 'PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/of PostgreSQL 9.*pg_dump/);
  });

  it.runIf(isRoot)('[SU8] runs for root under a directory that is closed to everybody else', async () => {
    await chmod(parent, 0o700);
    const { url } = await start();
    expect(await rowsOf(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await stat(dataDirectory)).uid).not.toBe(0);
    expect((await stat(parent)).mode & 0o777).toBe(0o700);
  });
});

describe('a process that is killed', () => {
  let bundle: string;

  beforeAll(async () => {
    // Inside the package, so that its imports of npm packages resolve.
    await mkdir(path.join(packageRoot, 'node_modules', '.cache'), { recursive: true });
    bundle = await mkdtemp(path.join(packageRoot, 'node_modules', '.cache', 'quire-test-'));
    await build({
      stdin: {
        contents: `
          import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
          const log = { info: () => {}, error: () => {} };
          const { url } = await startEmbeddedPostgres({ directory: process.argv[2], log });
          console.log(url);
          setInterval(() => {}, 60_000);`,
        resolveDir: packageRoot,
      },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outfile: path.join(bundle, 'child.mjs'),
    });
  });

  afterAll(() => rm(bundle, { recursive: true }));

  it('[SU9] leaves its server to the next start, which takes it over and can stop it', async () => {
    const child = spawn(process.execPath, [path.join(bundle, 'child.mjs'), directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(createInterface({ input: child.stdout }), 'line');
    await rowsOf(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const { pid } = (await readPostmaster(dataDirectory))!;
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await start();
    expect(server).toMatchObject({ url, adopted: true });
    expect(await rowsOf(server.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await server.stop();
    expect(await readPostmaster(dataDirectory)).toBeNull();
    await eventually(async () => expect(await isRunning(pid)).toBe(false));

    const next = await start();
    expect(next.adopted).toBe(false);
    expect(await rowsOf(next.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });
});

/** A zombie, which an init process that does not reap leaves behind, does not count. */
async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return state !== null && !/\) Z /.test(state);
}
