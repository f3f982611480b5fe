import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { serverLog } from './evidence.ts';
import { freePort } from './free-port.ts';
import { inTime } from './in-time.ts';
import { patienceMs } from './patience.ts';

const readyMessage = 'Quire is ready';
const portTakenCode = 'EADDRINUSE';
/** So much of the log is kept for failure messages, lines. */
const keptLogLines = 5_000;

/** `bin/quire.js`, from the sources or from what was built of them. */
function program(): string {
  const places = ['../../bin/quire.js', '../../../bin/quire.js'];
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return files.find((file) => existsSync(file)) ?? files[0]!;
}

/** One line of the server's JSON log. */
export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** Which program a server is, if not `bin/quire.js` of this tree, and the command it is started within, if any. */
export interface QuireProgram {
  readonly program?: string;
  readonly within?: readonly string[];
}

/** A server in a process of its own, as `quire serve` runs it, on a scratch data directory and a free port. */
export class QuireProcess {
  readonly dataDir: string;
  #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #address: URL | null = null;
  /** Settles when no process of the server has its output any more: its converters live a moment longer than it. */
  #silent: Promise<unknown> = Promise.resolve();
  readonly #log: LogLine[] = [];
  /** Where in the log the newest start begins. */
  #startedAt = 0;

  /** What starts Node: more than its own program where it is to run in an environment of its own. */
  readonly #command: readonly [string, ...string[]];

  private constructor(dataDir: string, environment: Readonly<Record<string, string>>, from: QuireProgram) {
    this.dataDir = dataDir;
    this.#environment = environment;
    const [file, ...args] = [...(from.within ?? []), process.execPath, from.program ?? program()];
    this.#command = [file!, ...args];
  }

  /** Starts a server and waits until it, and a converter if it has any, is ready. `environment` holds its settings. */
  static async start(
    environment: Readonly<Record<string, string>>,
    from: QuireProgram = {},
  ): Promise<QuireProcess> {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-test-data-'));
    const quire = new QuireProcess(dataDir, environment, from);
    try {
      await quire.#startSomewhere();
      if (environment.CONVERTER_PROCESSES !== '0') await quire.converterReady();
    } catch (error) {
      await quire.remove();
      throw error;
    }
    return quire;
  }

  /** `http://host:port`. */
  get address(): string {
    if (!this.#address) throw new Error('The server has not started.');
    return this.#address.origin;
  }

  /** Where operators find the administration, with a slash at the end. */
  get adminAddress(): string {
    return String(this.#log.findLast(({ msg }) => msg === readyMessage)?.administration);
  }

  get log(): readonly LogLine[] {
    return this.#log;
  }

  /** The first line that is meant, once it is there: lines come a little later than what clients are told. */
  async logged(isMeant: (line: LogLine) => boolean): Promise<LogLine> {
    return (await eventually(() => this.#log.find(isMeant), Boolean))!;
  }

  /** Resolves when a converter takes jobs that it has started since it was last started itself. */
  async converterReady(): Promise<void> {
    const said = () => this.#log.slice(this.#startedAt).map(({ msg }) => msg);
    await eventually(said, (lines) => lines.includes('A converter is ready'));
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Kills the server as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Sends the process a signal, if it runs: SIGSTOP and SIGCONT pause it. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** The process number; null when it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Stops the server as Ctrl-C does. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Resolves when the server is gone by itself, as one that reached an armed fault point. */
  async died(): Promise<void> {
    if (this.#child) await once(this.#child, 'exit');
  }

  /** Starts the server again on the same data and the same port, with further settings if given. */
  async restart(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.#child) throw new Error('The server still runs.');
    this.#environment = { ...this.#environment, ...environment };
    await this.#spawn(Number(new URL(this.address).port));
  }

  /**
   * Starts the server again with a fault point armed, and resolves when it has died there: where other work of before
   * reaches that point, even before it is ready.
   */
  async restartToDie(faultPoint: string, environment: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.restart({ ...environment, FAULT_POINT: faultPoint }).catch((error: unknown) => {
      if (this.#child) throw error;
    });
    await this.died();
  }

  /** Ends the server, if it runs, and removes its data, once nothing of the server writes there any more. */
  async remove(): Promise<void> {
    await this.kill();
    await this.#silent;
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** The log as text, for failure messages. */
  logText(): string {
    return this.#log.map((line) => JSON.stringify(line)).join('\n');
  }

  /** The last lines of the log that tell of errors, cut to a readable length. */
  errorText(): string {
    const severe = this.#log.filter(({ level }) => !['trace', 'debug', 'info', 'warn'].includes(level));
    return severe
      .slice(-3)
      .map((line) => JSON.stringify(line).slice(0, 1_500))
      .join('\n');
  }

  /**
   * Not on any port that the machine gives: after a restart the same one has to be free again, and one that the machine gives
   * may be another connection's by then.
   */
  async #startSomewhere(): Promise<void> {
    for (;;) {
      try {
        return await this.#spawn(await freePort());
      } catch (error) {
        // Somebody was quicker, and it may be another port.
        const isChosen = this.#environment.PORT !== undefined;
        if (this.#child || isChosen || !this.logText().includes(portTakenCode)) throw error;
        this.#log.length = 0;
      }
    }
  }

  async #spawn(port: number): Promise<void> {
    this.#startedAt = this.#log.length;
    const [file, ...args] = this.#command;
    const child = spawn(file, [...args, 'serve'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: this.dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        ADMIN_PORT: '0',
        LOG_FORMAT: 'json',
        // It takes a second of a core at each start: tests that need it say so.
        LIBREOFFICE: 'off',
        // Scenes look at one process and kill it. Tests of the process above it turn that on.
        SUPERVISED: 'false',
        ...this.#environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#silent = Promise.all([this.#silent, once(child, 'close')]);
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    const kept = serverLog();
    if (kept) {
      for (const output of [child.stdout!, child.stderr!]) output.pipe(kept, { end: false });
      child.once('close', () => kept.end());
    }
    createInterface({ input: child.stderr! }).on('line', (line) =>
      this.#keep({ level: 'stderr', msg: line }),
    );
    const ready = new Promise<URL>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on('line', (text) => {
        const line = parseLine(text);
        this.#keep(line);
        if (line.msg === readyMessage) resolve(new URL(String(line.address)));
      });
      // By then its whole output has been read: what it says last is why it ended.
      child.once('close', (code, signal) => {
        const why = `ended (${code ?? signal}) before it was ready`;
        reject(new Error(`The server ${why}:\n${this.logText()}`));
      });
    });
    this.#address = await inTime('the server to be ready', ready, () => this.logText());
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    const [code] = (await exited) as [number | null];
    clearTimeout(timer);
    return code;
  }

  #keep(line: LogLine): void {
    this.#log.push(line);
    if (this.#log.length <= keptLogLines) return;
    this.#log.shift();
    this.#startedAt = Math.max(0, this.#startedAt - 1);
  }
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { level: 'stdout', msg: text };
  }
}
