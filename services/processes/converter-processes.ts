import { type ChildProcess, spawn } from 'node:child_process';
import type { Logger } from 'pino';
import { followClaims, type JobClaim } from '../../jobs/job-claims.ts';
import { askForMetrics } from '../../platform/metrics/process.ts';
import { SummedMetrics } from '../../platform/metrics/summed-metrics.ts';
import { programFile } from '../../platform/package-root.ts';
import { whenReady } from './child-process.ts';
import { RestartedProcesses, type Started } from './restarted-processes.ts';

/** Together with the stop of the servers before it this is less than the whole stop may take, milliseconds. */
const stopDeadlineMs = 8_000;

/** What a server does about its converters. */
interface ConverterEvents {
  /** Gives the jobs of a process that died to others. */
  release(claims: readonly JobClaim[]): Promise<void>;
  /** One that died is started again. */
  restarted(): void;
}

/** Converter processes beside a server: started with it, restarted when they die, stopped with it. */
export class ConverterProcesses {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: Logger;
  readonly #events: ConverterEvents;
  readonly #processes: RestartedProcesses;
  readonly #metrics: SummedMetrics<ChildProcess>;

  constructor(environment: NodeJS.ProcessEnv, events: ConverterEvents, log: Logger) {
    this.#environment = environment;
    this.#events = events;
    this.#log = log;
    this.#processes = new RestartedProcesses(stopDeadlineMs, log, () => events.restarted());
    this.#metrics = new SummedMetrics(() => this.#processes.children, askForMetrics);
  }

  /** Resolves when each of them takes jobs, or has ended without. */
  start(count: number): Promise<unknown> {
    const kind = { name: 'A converter process', start: () => this.#spawn() };
    for (let index = 0; index < count; index += 1) this.#processes.start(kind);
    return Promise.all(this.#processes.children.map(whenReady));
  }

  /** The metrics of all of them added up, with those that have ended, in Prometheus' text format; empty when there are none. */
  metricsPage(): Promise<string> {
    return this.#metrics.page();
  }

  /** Lets jobs under way end, then stops the processes; kills what does not end in time. */
  stop(): Promise<void> {
    return this.#processes.stop();
  }

  #spawn(): Started {
    // A process group of its own: Ctrl-C in a terminal reaches only the server, which then stops its converters in order.
    const child = spawn(process.execPath, ['--v8-pool-size=1', programFile, 'worker'], {
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    const heldBy = followClaims(child);
    return { child, ended: () => this.#giveAway(heldBy) };
  }

  /** If this fails, other workers take the jobs when their claims have lapsed. */
  async #giveAway(heldBy: () => Promise<JobClaim[]>): Promise<void> {
    const claims = await heldBy();
    if (claims.length === 0) return;
    await this.#events.release(claims);
    this.#log.info({ jobs: claims.length }, 'The jobs of a converter that ended are given to others');
  }
}
