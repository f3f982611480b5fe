import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { listening } from './listening.ts';
import { hasNginx } from './nginx.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** A server of files as people really run them. */
export interface RealStorage {
  what: string;
  /** Whether its program is on this machine. */
  isHere: boolean;
  /** Writes what it needs beside the files of a directory; the command that serves them at a port of this machine. */
  prepare(directory: string, port: number): Promise<readonly [program: string, ...args: string[]]>;
}

function nginx(what: string, ...settings: string[]): RealStorage {
  return {
    what: `nginx, ${what}`,
    isHere: hasNginx,
    async prepare(directory, port) {
      const conf = path.join(directory, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${directory}/${name};`,
      );
      const server = `server { listen 127.0.0.1:${port}; root ${directory}; ${settings.join(' ')} }`;
      await writeFile(
        conf,
        `pid ${directory}/nginx.pid; daemon off; error_log stderr; events {}
         http { access_log off; ${temporary.join(' ')} ${server} }`,
      );
      return ['nginx', '-p', directory, '-c', conf];
    },
  };
}

const phpScript = `<?php
$file = __DIR__ . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (!is_file($file)) { http_response_code(404); exit; }
readfile($file);
`;

const pythonScript = `import os
def app(environ, start_response):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.path.basename(environ['PATH_INFO']))
    start_response('200 OK', [('Content-Type', 'application/octet-stream')])
    def chunks():
        with open(path, 'rb') as file:
            while part := file.read(10000):
                yield part
    return chunks()
`;

const gunicorn = (what: string, ...args: string[]): RealStorage => ({
  what: `gunicorn, ${what}`,
  isHere: has('gunicorn'),
  async prepare(directory, port) {
    await writeFile(path.join(directory, 'files.py'), pythonScript);
    return ['gunicorn', '--chdir', directory, '--bind', `127.0.0.1:${port}`, ...args, 'files:app'];
  },
});

export const realStorages: readonly RealStorage[] = [
  {
    what: 'python3 -m http.server',
    isHere: has('python3'),
    prepare: async (directory, port) => [
      ...(['python3', '-m', 'http.server', '--bind', '127.0.0.1', '--directory'] as const),
      ...[directory, String(port)],
    ],
  },
  {
    what: 'php -S, its own files',
    isHere: has('php'),
    prepare: async (directory, port) => ['php', '-S', `127.0.0.1:${port}`, '-t', directory],
  },
  {
    what: 'php -S, a script',
    isHere: has('php'),
    async prepare(directory, port) {
      const script = path.join(directory, 'files.php');
      await writeFile(script, phpScript);
      return ['php', '-S', `127.0.0.1:${port}`, '-t', directory, script];
    },
  },
  nginx('connections kept'),
  nginx('connections not kept', 'keepalive_timeout 0;'),
  nginx('connections kept for five requests', 'keepalive_requests 5;'),
  gunicorn('connections not kept'),
  gunicorn('connections kept', '--threads', '4', '--keep-alive', '2'),
];

/** One that runs, on a scratch directory. */
export class RunningStorage {
  readonly #directory: string;
  readonly #port: number;
  readonly #child: ChildProcess;
  #files = 0;

  private constructor(directory: string, port: number, child: ChildProcess) {
    this.#directory = directory;
    this.#port = port;
    this.#child = child;
  }

  static async start({ what, prepare }: RealStorage): Promise<RunningStorage> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-storage-'));
    // The workers of an nginx that root started are somebody else.
    await chmod(directory, 0o755);
    const port = await freePort();
    const [program, ...args] = await prepare(directory, port);
    const child = spawn(program, args, { stdio: 'ignore' });
    child.once('error', () => undefined);
    await listening(what, port, child);
    return new RunningStorage(directory, port, child);
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Stores a file; where it is. */
  async store(content: Buffer, extension: string): Promise<string> {
    this.#files += 1;
    const name = `${this.#files}.${extension}`;
    await writeFile(path.join(this.#directory, name), content);
    return `http://127.0.0.1:${this.#port}/${name}`;
  }
}
