import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findBinaries } from '../../db/embedded-postgres/binaries.ts';
import { hasExited } from '../../db/embedded-postgres/keeper.ts';
import { chooseLauncher } from '../../db/embedded-postgres/launcher.ts';
import { becomesReady, hasLeft, readPostmaster, shutDown } from '../../db/embedded-postgres/postmaster.ts';
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { isRunning } from '../../platform/running-process.ts';
import { eventually } from './eventually.ts';
import { patienceMs } from './patience.ts';

/** A PostgreSQL of one test, which ends it as it likes and starts it again under the same address. */
export class RestartablePostgres {
  readonly url: string;
  readonly #directory: string;

  private constructor(url: string, directory: string) {
    this.url = url;
    this.#directory = directory;
  }

  static async start(): Promise<RestartablePostgres> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-fault-postgres-'));
    const silent = { info: () => undefined, error: () => undefined };
    const made = await startEmbeddedPostgres({ directory, log: silent });
    // Stopped and started once more, so that nobody but the test starts it again.
    await made.stop();
    const postgres = new RestartablePostgres(made.url, directory);
    await postgres.startAgain();
    return postgres;
  }

  /** Ends it by a signal: SIGINT cuts connections in order, SIGQUIT and SIGKILL leave the log to be recovered. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const postmaster = await readPostmaster(this.#data);
    if (!postmaster) throw new Error('The database does not run.');
    process.kill(postmaster.pid, signal);
    await eventually(
      () => isRunning(postmaster.pid),
      (runs) => !runs,
    );
  }

  /** Holds all of its processes, as on a machine that hangs: connections stay, and nothing is answered. */
  async pause(): Promise<void> {
    await this.#signalAll('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#signalAll('SIGCONT');
  }

  async #signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const postmaster = await readPostmaster(this.#data);
    if (!postmaster) throw new Error('The database does not run.');
    const { pid } = postmaster;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    // The parent first: it starts no other meanwhile.
    for (const one of [pid, ...children.trim().split(' ').map(Number)]) process.kill(one, signal);
  }

  async startAgain(): Promise<void> {
    const binaries = await findBinaries();
    const launcher = await chooseLauncher(binaries, this.#directory, this.#data);
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: new URL(this.url).port,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { file, args: all, options } = launcher.command(binaries.postgres, ['-D', this.#data, ...args]);
    const deadline = Date.now() + patienceMs;
    // Children of a killed server hold its memory until they notice; while they do, the new one does not start.
    for (;;) {
      const child = spawn(file, all, { ...options, detached: true, stdio: 'ignore' });
      await once(child, 'spawn');
      child.unref();
      if (await becomesReady(this.#data, child.pid!, () => hasExited(child), deadline)) return;
    }
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    const postmaster = await readPostmaster(this.#data);
    if (postmaster) await shutDown(postmaster.pid, () => hasLeft(this.#data, postmaster.pid), patienceMs);
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #data(): string {
    return path.join(this.#directory, 'data');
  }
}
