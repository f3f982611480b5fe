import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../platform/package-root.ts';
import { freePort } from './free-port.ts';
import { listening } from './listening.ts';

/** Whether this machine has nginx; without it, tests that need it are skipped, which vitest says. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

const shipped = path.join(packageRoot, 'deploy', 'nginx');

/** nginx with the configuration that is shipped; only its port and the names of the nodes are others. */
export class TestNginx {
  readonly port: number;
  readonly #directory: string;
  readonly #child: ChildProcess;

  private constructor(port: number, directory: string, child: ChildProcess) {
    this.port = port;
    this.#directory = directory;
    this.#child = child;
  }

  static async start(nodePorts: readonly number[]): Promise<TestNginx> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-nginx-'));
    const port = await freePort();
    const conf = await readFile(path.join(shipped, 'nginx.conf'), 'utf8');
    const upstreams = await readFile(path.join(shipped, 'upstreams.conf'), 'utf8');
    await writeFile(
      path.join(directory, 'nginx.conf'),
      conf.replace('listen 8080;', `listen 127.0.0.1:${port};`).replace(/^\s*listen \[::\]:8080;$/m, ''),
    );
    await writeFile(path.join(directory, 'upstreams.conf'), withNodes(upstreams, nodePorts));
    await copyFile('/etc/nginx/mime.types', path.join(directory, 'mime.types')).catch(() => undefined);
    const globals = [`pid ${directory}/nginx.pid;`, 'daemon off;', 'error_log stderr warn;'].join(' ');
    const child = spawn('nginx', ['-p', directory, '-c', path.join(directory, 'nginx.conf'), '-g', globals], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-4_000);
    });
    await listening('nginx', port, child).catch((error: Error) => {
      child.kill('SIGKILL');
      error.message += `\n${complaints}`;
      throw error;
    });
    return new TestNginx(port, directory, child);
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** The shipped upstreams, each with these nodes in place of those it names, and with its own parameters. */
function withNodes(upstreams: string, ports: readonly number[]): string {
  return upstreams.replace(/(^ *server [^;]*;\n)+/gm, (servers) => {
    const [sample] = servers.split('\n', 1);
    return ports.map((port) => `${sample!.replace(/server \S+/, `server 127.0.0.1:${port}`)}\n`).join('');
  });
}
