import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { followClaims, type JobClaim } from './jobs/job-claims.ts';
import { figuresOf } from './metrics/converters.ts';
import { programFile } from './package-root.ts';

const stopDeadlineMs = 10_000;
const firstRestartMs = 200;
const longestRestartMs = 10_000;
/** A process that lived this long is not thought to fail at its start. */
const healthyAfterMs = 30_000;

/** Converter processes beside a server: started with it, restarted when they die, stopped with it. */
export class ConverterProcesses {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: Logger;
  readonly #release: (claims: readonly JobClaim[]) => Promise<void>;
  readonly #children = new Set<ChildProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #stopping = false;

  /** `release`: gives the jobs that a process had when it died to others. */
  constructor(
    environment: NodeJS.ProcessEnv,
    release: (claims: readonly JobClaim[]) => Promise<void>,
    log: Logger,
  ) {
    this.#environment = environment;
    this.#release = release;
    this.#log = log;
  }

  start(count: number): void {
    for (let index = 0; index < count; index += 1) this.#spawn(firstRestartMs);
  }

  /** The figures of all of them added up, as Prometheus reads them; empty when there are none. */
  figures(): Promise<string> {
    return figuresOf([...this.#children]);
  }

  /** Lets jobs under way end, then stops the processes; kills what does not end in time. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all(
      [...this.#children].map(async (child) => {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
        await exited;
        clearTimeout(timer);
      }),
    );
  }

  #spawn(restartMs: number): void {
    const startedAt = Date.now();
    // A process group of its own: Ctrl-C in a terminal is for the server, which then stops its converters in order.
    const child = spawn(process.execPath, [programFile, 'worker'], {
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    this.#children.add(child);
    const heldBy = followClaims(child);
    child.once('exit', (code, signal) => {
      this.#children.delete(child);
      void this.#giveAway(heldBy);
      if (this.#stopping) return;
      const delayMs = Date.now() - startedAt > healthyAfterMs ? firstRestartMs : restartMs;
      this.#log.error({ code, signal, delayMs }, 'A converter process ended; another one is started');
      const timer = setTimeout(() => {
        this.#restarts.delete(timer);
        this.#spawn(Math.min(longestRestartMs, delayMs * 2));
      }, delayMs);
      this.#restarts.add(timer);
    });
  }

  /** What cannot be given away now is taken up all the same, when its claim has lapsed. */
  async #giveAway(heldBy: () => Promise<JobClaim[]>): Promise<void> {
    const claims = await heldBy();
    if (claims.length === 0) return;
    await this.#release(claims);
    this.#log.info({ jobs: claims.length }, 'The jobs of a converter that ended are given to others');
  }
}
