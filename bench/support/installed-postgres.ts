import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chooseLauncher, type Launcher } from '../../db/embedded-postgres/launcher.ts';
import { freePort } from '../../test/support/free-port.ts';

const run = promisify(execFile);

/** A PostgreSQL of whatever version, from a directory with all of its programs, on scratch data and a free port. */
export class InstalledPostgres {
  readonly url: string;
  readonly #programs: string;
  readonly #directory: string;
  readonly #launcher: Launcher;

  private constructor(programs: string, directory: string, port: number, launcher: Launcher) {
    this.url = `postgres://quire@127.0.0.1:${port}/postgres`;
    this.#programs = programs;
    this.#directory = directory;
    this.#launcher = launcher;
  }

  static async start(programs: string): Promise<InstalledPostgres> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-installed-postgres-'));
    const binaries = {
      directory: programs,
      initdb: path.join(programs, 'initdb'),
      postgres: path.join(programs, 'postgres'),
    };
    const data = path.join(directory, 'data');
    const launcher = await chooseLauncher(binaries, directory, data);
    await chmod(directory, 0o711);
    await mkdir(data, { mode: 0o700 });
    if (launcher.owner) await chown(data, launcher.owner.uid, launcher.owner.gid);
    const port = await freePort();
    const server = new InstalledPostgres(programs, directory, port, launcher);
    await server.#run('initdb', '-D', data, '-U', 'quire', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8');
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
    await server.#run(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-l',
      path.join(data, 'server.log'),
      '-o',
      settings,
      'start',
    );
    return server;
  }

  /** Runs one of its programs on a file of the caller's. */
  async tool(name: 'pg_dump' | 'pg_restore', ...args: readonly string[]): Promise<void> {
    await run(path.join(this.#programs, name), [...args]);
  }

  async remove(): Promise<void> {
    await this.#run('pg_ctl', '-D', path.join(this.#directory, 'data'), '-m', 'immediate', 'stop');
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #run(name: string, ...args: readonly string[]): Promise<void> {
    const command = this.#launcher.command(path.join(this.#programs, name), [...args]);
    await run(command.file, command.args, command.options);
  }
}
