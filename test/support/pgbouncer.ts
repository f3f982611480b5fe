import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { listening } from './listening.ts';

const searchPath = `${process.env.PATH}:/usr/sbin:/sbin`;
const found = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8', env: { PATH: searchPath } });

/** The version of PgBouncer that is installed here, as `[1, 18]`; null where there is none. */
export const pgBouncerVersion: readonly number[] | null =
  found.status === 0 ? (found.stdout.match(/\d+/g) ?? []).slice(0, 2).map(Number) : null;

/** Whether it knows prepared statements in transaction mode. */
export const keepsPrepared =
  pgBouncerVersion !== null &&
  (pgBouncerVersion[0]! > 1 || (pgBouncerVersion[0] === 1 && pgBouncerVersion[1]! >= 21));

/** PgBouncer before the server of a database, in transaction mode unless asked otherwise. */
export class PgBouncer {
  /** The database's address through it. */
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(url: string, process: ChildProcess, directory: string) {
    this.url = url;
    this.#process = process;
    this.#directory = directory;
  }

  /**
   * `connections`: so few to the server, shared by all clients. `sessions`: a client keeps its connection. `accepts`: settings
   * of connections that it takes and does not pass on.
   */
  static async start(
    databaseUrl: string,
    connections: number,
    { sessions = false, accepts = '' } = {},
  ): Promise<PgBouncer> {
    const server = new URL(databaseUrl);
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-pgbouncer-'));
    const port = await freePort();
    const file = path.join(directory, 'pgbouncer.ini');
    const password = decodeURIComponent(server.password);
    const secret = password === '' ? '' : ` password='${password}'`;
    const to = `host=${server.hostname} port=${server.port || 5432} user=${server.username}${secret}`;
    await writeFile(
      file,
      `[databases]\n* = ${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
        `unix_socket_dir =\nauth_type = any\npool_mode = ${sessions ? 'session' : 'transaction'}\n` +
        `max_client_conn = 200\n${accepts === '' ? '' : `ignore_startup_parameters = ${accepts}\n`}` +
        `default_pool_size = ${connections}\n${keepsPrepared ? 'max_prepared_statements = 100\n' : ''}`,
    );
    // It refuses to run as root.
    await chmod(directory, 0o755);
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', [...asNobody, file], { stdio: 'ignore', env: { PATH: searchPath } });
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    const bouncer = new PgBouncer(url.href, child, directory);
    try {
      await listening('pgbouncer', port, child);
    } catch (error) {
      await bouncer.stop();
      throw error;
    }
    return bouncer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await gone;
    }
    await rm(this.#directory, { recursive: true, force: true });
  }
}
