import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from '../platform/package-root.ts';
import { QuireError } from '../platform/quire-error.ts';
import type { Order, Report, Setup } from './messages.ts';
import type { Comparisons } from './rooms.ts';

/** The command that a generator's process runs: see `services/cli.ts`. */
export const generatorCommand = 'load-generator';

export class GeneratorError extends QuireError<'generator_failed'> {}

type ReportOf<Type extends Report['type']> = Extract<Report, { type: Type }>;

/** A generator in a process of its own. */
export class GeneratorProcess {
  readonly #child: ChildProcess;
  readonly #awaited = new Map<
    Report['type'],
    { resolve: (report: Report) => void; reject: (error: Error) => void }
  >();
  #failure: GeneratorError | null = null;

  constructor() {
    this.#child = fork(programFile, [generatorCommand], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (report: Report) => {
      if (report.type === 'broken') return this.#fail(report.message);
      this.#awaited.get(report.type)?.resolve(report);
      this.#awaited.delete(report.type);
    });
    this.#child.once('exit', (code, signal) => this.#fail(`it ended with ${signal ?? code}`));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async setUp(setup: Setup): Promise<void> {
    await this.#ask({ type: 'setup', setup }, 'ready');
  }

  order(order: Order): void {
    if (this.#child.connected) this.#child.send(order);
  }

  report(): Promise<ReportOf<'readings'>> {
    return this.#ask({ type: 'report' }, 'readings');
  }

  async finish(withinMs: number): Promise<Comparisons> {
    return (await this.#ask({ type: 'finish', withinMs }, 'finished')).compared;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }

  /** Rejects with what the generator failed of. */
  #ask<Type extends Report['type']>(order: Order, answer: Type): Promise<ReportOf<Type>> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#awaited.set(answer, { resolve: resolve as (report: Report) => void, reject });
      this.order(order);
    });
  }

  #fail(why: string): void {
    this.#failure ??= new GeneratorError('generator_failed', `A process of the generator failed: ${why}`);
    for (const { reject } of this.#awaited.values()) reject(this.#failure);
    this.#awaited.clear();
  }
}
