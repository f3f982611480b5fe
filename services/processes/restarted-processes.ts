import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

const firstRestartMs = 200;
const longestRestartMs = 10_000;
/** After this time a process counts as healthy: its next restart begins with the shortest pause again. */
const healthyAfterMs = 30_000;

/** How a process ended: one of the two is null. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How a process is started, each time. */
interface Kind {
  /** Its name in the log, e.g. `A converter process`, and further fields. */
  name: string;
  fields?: object;
  /** @throws Error when it cannot be started; an `error` event of the child means the same */
  start(): Started;
  /** Whether a process that ended by itself is started again. Without it: always. */
  isWanted?(end: ProcessEnd): boolean;
  /** When it has ended so often within so long, it is given up. Without it: never. */
  limit?: DeathLimit;
}

/** `givenUp` is called in place of another start. */
interface DeathLimit {
  deaths: number;
  withinMs: number;
  givenUp(): void;
}

export interface Started {
  child: ChildProcess;
  /** Called when it has ended, or could not be started. A stop waits for what it does. */
  ended(end: ProcessEnd): Promise<void> | void;
}

/** One process over all its starts. */
interface Kept {
  kind: Kind;
  /** The pause before the next start, milliseconds. */
  restartMs: number;
  /** When it ended, of the last times. */
  diedAtMs: number[];
}

/**
 * Child processes that are started again when they end or cannot be started, each time after twice the pause. All are stopped
 * together.
 */
export class RestartedProcesses {
  readonly #stopDeadlineMs: number;
  readonly #log: Pick<Logger, 'fatal' | 'error' | 'warn'>;
  readonly #restarted: () => void;
  readonly #children = new Set<ChildProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** What is done after processes that have ended. */
  readonly #endings = new Set<Promise<void>>();
  #stopping = false;

  /**
   * `stopDeadlineMs`: after that a process that does not stop is killed. `restarted` is called each time just before one is
   * started again.
   */
  constructor(
    stopDeadlineMs: number,
    log: Pick<Logger, 'fatal' | 'error' | 'warn'>,
    restarted: () => void = () => undefined,
  ) {
    this.#stopDeadlineMs = stopDeadlineMs;
    this.#log = log;
    this.#restarted = restarted;
  }

  get children(): readonly ChildProcess[] {
    return [...this.#children];
  }

  start(kind: Kind): void {
    this.#start({ kind, restartMs: firstRestartMs, diedAtMs: [] });
  }

  /** Asks all processes by a signal to end; kills those that do not end in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all(
      this.children.map(async (child) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        child.kill(signal);
        const timer = setTimeout(() => child.kill('SIGKILL'), this.#stopDeadlineMs);
        await ended;
        clearTimeout(timer);
      }),
    );
    await Promise.all(this.#endings);
  }

  #start(kept: Kept): void {
    const { kind } = kept;
    const { name, fields } = kind;
    const startedAtMs = performance.now();
    const { child, ended } = kind.start();
    this.#children.add(child);
    child.on('error', (err) => this.#log.error({ ...fields, err }, `${name} cannot be started, or reached`));
    // Not `exit`: a process that could not be started has no such event.
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
      this.#children.delete(child);
      const end = { code, signal };
      this.#endedAside(() => ended(end), kind);
      if (this.#stopping || kind.isWanted?.(end) === false) return;
      if (performance.now() - startedAtMs > healthyAfterMs) kept.restartMs = firstRestartMs;
      if (this.#isGivenUp(kept, end)) return;
      const delayMs = kept.restartMs;
      this.#log.error({ ...fields, ...end, delayMs }, `${name} ended; another one is started`);
      this.#startLater(kept);
    });
  }

  /** Notes an end, and whether it was one too many. */
  #isGivenUp({ kind, diedAtMs }: Kept, end: ProcessEnd): boolean {
    const { name, fields, limit } = kind;
    if (!limit) return false;
    const { deaths, withinMs, givenUp } = limit;
    const nowMs = performance.now();
    diedAtMs.push(nowMs);
    if (diedAtMs.length > deaths) diedAtMs.shift();
    if (diedAtMs.length < deaths || nowMs - diedAtMs[0]! > withinMs) return false;
    this.#log.fatal({ ...fields, ...end, deaths, withinMs }, `${name} ended too often: it is given up`);
    givenUp();
    return true;
  }

  #endedAside(ended: () => Promise<void> | void, { name, fields }: Kind): void {
    const ending = (async () => ended())()
      .catch((err: unknown) =>
        this.#log.warn({ ...fields, err }, `${name} ended, and could not be cleared up`),
      )
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  #startLater(kept: Kept): void {
    const { kind } = kept;
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#restarted();
      try {
        this.#start(kept);
      } catch (error) {
        const delayMs = kept.restartMs;
        this.#log.error({ ...kind.fields, err: error, delayMs }, `${kind.name} cannot be started`);
        this.#startLater(kept);
      }
    }, kept.restartMs);
    kept.restartMs = Math.min(longestRestartMs, kept.restartMs * 2);
    this.#restarts.add(timer);
  }
}
