import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { childrenOf, sumOf, usageOf } from '../../load/process-usage.ts';
import { processEnvironment } from '../../platform/config.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { serverOptions } from './server-options.ts';

/** From `dist/bench/support`, where this file is built to. */
const program = fileURLToPath(new URL('../../../bin/quire.js', import.meta.url));

/** CPU time until now, milliseconds. */
interface NodesUsage {
  nodesMs: number;
  redisMs: number;
  databaseMs: number;
}

/** Nodes of one installation, each a process of its own, on a PostgreSQL and a Redis of their own. More can be added. */
export class NodeProcesses {
  readonly #directory: string;
  readonly #postgres: EmbeddedPostgres;
  readonly #redis: TestRedis;
  readonly #children: ChildProcess[] = [];
  readonly ports: number[] = [];

  private constructor(directory: string, postgres: EmbeddedPostgres, redis: TestRedis) {
    this.#directory = directory;
    this.#postgres = postgres;
    this.#redis = redis;
  }

  static async start(): Promise<NodeProcesses> {
    const directory = await mkdtemp(path.join(tmpdir(), 'quire-bench-'));
    // As root, the database runs as another user, who has to get here.
    await chmod(directory, 0o755);
    const log = { info: () => undefined, error: console.error };
    const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log });
    return new NodeProcesses(directory, postgres, await startRedis());
  }

  get databaseUrl(): string {
    return this.#postgres.url;
  }

  /** Starts nodes until there are `count`. */
  async grow(count: number): Promise<void> {
    while (this.ports.length < count) {
      const dataDir = path.join(this.#directory, `node-${this.ports.length}`);
      await mkdir(dataDir);
      const child = spawn(process.execPath, [...serverOptions, program, 'serve'], {
        env: {
          ...processEnvironment(),
          PORT: '0',
          HOST: '127.0.0.1',
          DATA_DIR: dataDir,
          BLOB_DIR: path.join(this.#directory, 'blobs'),
          DATABASE_URL: this.#postgres.url,
          REDIS_URL: this.#redis.url,
          CONVERTER_PROCESSES: '0',
          // Eight nodes, and the embedded server takes a hundred connections.
          DATABASE_POOL_SIZE: '6',
          JWT_ENABLED: 'false',
          ALLOW_PRIVATE_IP_ADDRESS: 'true',
          LOG_FORMAT: 'json',
          LOG_LEVEL: 'info',
          // What is measured is the process that is started.
          SUPERVISED: 'false',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      this.#children.push(child);
      this.ports.push(await readiness(child));
    }
  }

  async usage(): Promise<NodesUsage> {
    const all = async (pids: readonly number[]) =>
      sumOf(await Promise.all(pids.map((pid) => usageOf(pid, { withEnded: false })))).cpuMs;
    const file = path.join(this.#directory, 'postgres', 'data', 'postmaster.pid');
    const postmaster = Number((await readFile(file, 'utf8')).split('\n', 1)[0]);
    return {
      nodesMs: await all(this.#children.map(({ pid }) => pid!)),
      redisMs: await all([this.#redis.pid()]),
      databaseMs:
        (await usageOf(postmaster, { withEnded: true })).cpuMs + (await all(await childrenOf(postmaster))),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }),
    );
    await Promise.all([this.#redis.stop(), this.#postgres.stop()]);
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Resolves with the port once the node listens; passes its warnings and errors on. */
function readiness(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A node ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = JSON.parse(line) as { level: string; msg: string; address?: string };
      if (entry.msg === 'Quire is ready') resolve(Number(new URL(entry.address!).port));
      else if (entry.level !== 'info' && !entry.msg.startsWith('JWT_ENABLED'))
        process.stderr.write(`${line}\n`);
    });
  });
}
