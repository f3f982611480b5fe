import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

const firstRestartMs = 200;
const longestRestartMs = 10_000;
/** After this time a process counts as healthy: its next restart begins with the shortest pause again. */
const healthyAfterMs = 30_000;

/** How a process is started, each time. */
interface Kind {
  /** Its name in the log, e.g. `A converter process`, and further fields. */
  name: string;
  fields?: object;
  /** @throws Error when it cannot be started; an `error` event of the child means the same */
  start(): Started;
  /** Whether a process that ended by itself is started again. Without it: always. */
  isWanted?(): boolean;
}

export interface Started {
  child: ChildProcess;
  /** Called when it has ended, or could not be started. A stop waits for what it does. */
  ended(): Promise<void> | void;
}

/**
 * Child processes that are started again when they end or cannot be started, each time after twice the pause. All are stopped
 * together.
 */
export class RestartedProcesses {
  readonly #stopDeadlineMs: number;
  readonly #log: Logger;
  readonly #children = new Set<ChildProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** What is done after processes that have ended. */
  readonly #endings = new Set<Promise<void>>();
  #stopping = false;

  /** `stopDeadlineMs`: after that a process that does not stop is killed. */
  constructor(stopDeadlineMs: number, log: Logger) {
    this.#stopDeadlineMs = stopDeadlineMs;
    this.#log = log;
  }

  get children(): readonly ChildProcess[] {
    return [...this.#children];
  }

  start(kind: Kind): void {
    this.#start(kind, firstRestartMs);
  }

  /** Asks all processes to end; kills those that do not end in time. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all(
      this.children.map(async (child) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), this.#stopDeadlineMs);
        await ended;
        clearTimeout(timer);
      }),
    );
    await Promise.all(this.#endings);
  }

  #start(kind: Kind, restartMs: number): void {
    const { name, fields } = kind;
    const startedAtMs = performance.now();
    const { child, ended } = kind.start();
    this.#children.add(child);
    child.on('error', (err) => this.#log.error({ ...fields, err }, `${name} cannot be started, or reached`));
    // Not `exit`: a process that could not be started has no such event.
    child.once('close', (code, signal) => {
      this.#children.delete(child);
      this.#endedAside(ended, kind);
      if (this.#stopping || kind.isWanted?.() === false) return;
      const delayMs = performance.now() - startedAtMs > healthyAfterMs ? firstRestartMs : restartMs;
      this.#log.error({ ...fields, code, signal, delayMs }, `${name} ended; another one is started`);
      this.#startLater(kind, delayMs);
    });
  }

  #endedAside(ended: Started['ended'], { name, fields }: Kind): void {
    const ending = (async () => ended())()
      .catch((err: unknown) =>
        this.#log.warn({ ...fields, err }, `${name} ended, and could not be cleared up`),
      )
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  #startLater(kind: Kind, delayMs: number): void {
    const nextMs = Math.min(longestRestartMs, delayMs * 2);
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      try {
        this.#start(kind, nextMs);
      } catch (error) {
        this.#log.error({ ...kind.fields, err: error, delayMs: nextMs }, `${kind.name} cannot be started`);
        this.#startLater(kind, nextMs);
      }
    }, delayMs);
    this.#restarts.add(timer);
  }
}
