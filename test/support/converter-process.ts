import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../platform/package-root.ts';
import { inTime } from './in-time.ts';
import type { LogLine } from './quire-process.ts';

/** A converter in a process of its own, as `quire worker` runs it. */
export class ConverterProcess {
  readonly log: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #dataDir: string;
  readonly #exited: Promise<number | null>;

  private constructor(child: ChildProcess, dataDir: string) {
    this.#child = child;
    this.#dataDir = dataDir;
    this.#exited = once(child, 'exit').then(([code]) => code as number | null);
  }

  /** Starts a converter and waits until it takes jobs. `environment` holds its settings, `program` another `bin/quire.js`. */
  static async start(
    environment: Readonly<Record<string, string>>,
    program: string = path.join(packageRoot, 'bin', 'quire.js'),
  ): Promise<ConverterProcess> {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-test-converter-'));
    const child = spawn(process.execPath, [program, 'worker'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        LOG_FORMAT: 'json',
        LIBREOFFICE: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const converter = new ConverterProcess(child, dataDir);
    const ready = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        converter.log.push(line);
        if (line.msg === 'A converter is ready') resolve();
      });
      child.once('exit', (code) => {
        reject(new Error(`The converter ended (${code}): ${JSON.stringify(converter.log.slice(-3))}`));
      });
    });
    try {
      await inTime('the converter to be ready', ready, () => JSON.stringify(converter.log));
    } catch (error) {
      await converter.remove();
      throw error;
    }
    return converter;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks it to stop. Resolves with its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  /** Ends it, if it runs, and removes its data. */
  async remove(): Promise<void> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGKILL');
    await this.#exited;
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
