import type { Logger } from 'pino';
import { CommandResult, ForceSaveType } from '../../client/protocol/index.ts';
import type { ForcedSaves, ForceSaveRequest, ForceSaveRequested } from '../../db/forced-saves.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';

const sweepEveryMs = 30_000;

/** The answer to somebody who wants a document saved now (co-authoring protocol, 13.1). */
export interface ForceSaveAnswer {
  code: CommandResult;
  /** The time by which the end of the save is recognised; null when none was begun. */
  timeMs: number | null;
  /** It was asked for before. */
  inProgress: boolean;
}

export interface ForceSavesDependencies {
  forcedSaves: ForcedSaves;
  queue: Pick<ConversionQueue, 'run'>;
  /** How often documents are looked for whose changes have to be stored by themselves, milliseconds. */
  lookEveryMs: number;
  /** A save that nobody could make in this time has failed, milliseconds. */
  timeoutMs: number;
  log: Logger;
  /** A save was begun by the timer. */
  began: (key: string, timeMs: number) => void;
  /** Has the outbox looked at. */
  wakeDelivery: () => void;
  faultPoint: (name: string) => void;
}

/**
 * Saves a document while people go on editing it. A request is recorded before it is answered; a job makes the file,
 * and the outbox delivers it. Requests that a dead process left are taken up again.
 */
export class ForceSaves {
  readonly #deps: ForceSavesDependencies;
  readonly #working = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(dependencies: ForceSavesDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Takes up what a dead process left, and saves documents whose integrator wants that without a request; now and at
   * intervals.
   */
  start(): void {
    this.#repeat(sweepEveryMs, () => this.#sweep(), 'Forced saves could not be taken up again');
    this.#repeat(this.#deps.lookEveryMs, () => this.#look(), 'Documents could not be looked at');
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async request(request: ForceSaveRequest): Promise<ForceSaveAnswer> {
    const requested = await this.#deps.forcedSaves.request(request);
    this.#deps.faultPoint('forced:requested');
    if (requested.kind !== 'started' && requested.kind !== 'joined') {
      return { code: codeOf(requested.kind), timeMs: null, inProgress: false };
    }
    this.#make(request.key);
    return {
      code: CommandResult.ok,
      timeMs: requested.at.getTime(),
      inProgress: requested.kind === 'joined',
    };
  }

  async #sweep(): Promise<void> {
    const { forcedSaves, timeoutMs, wakeDelivery } = this.#deps;
    if (await forcedSaves.failOverdue(timeoutMs)) wakeDelivery();
    for (const key of await forcedSaves.unfinished()) this.#make(key);
  }

  async #look(): Promise<void> {
    const { forcedSaves, began } = this.#deps;
    for (const key of await forcedSaves.due()) {
      const type = ForceSaveType.timer;
      const { timeMs, inProgress } = await this.request({ key, type, initiator: null, userData: null });
      if (timeMs !== null && !inProgress) began(key, timeMs);
    }
  }

  /** Has the saves of a document made that wait, one job after the other. */
  #make(key: string): void {
    if (this.#working.has(key)) return;
    this.#working.add(key);
    const work = this.#work(key).finally(() => this.#working.delete(key));
    this.#aside(work, 'A forced save could not be made');
  }

  async #work(key: string): Promise<void> {
    const { forcedSaves, queue, wakeDelivery } = this.#deps;
    let last: string | null = null;
    for (;;) {
      const saveId = await forcedSaves.oldest(key);
      // A job that ended and left its save is tried again by the next sweep.
      if (saveId === null || saveId === last) return;
      last = saveId;
      await queue.run({ name: 'force-save', data: { key, saveId } });
      wakeDelivery();
    }
  }

  /** Runs a task now, and again when `pauseMs` have passed since it ended, whatever came of it. */
  #repeat(pauseMs: number, task: () => Promise<void>, failure: string): void {
    const again = () => {
      if (this.#stopped) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#repeat(pauseMs, task, failure);
      }, pauseMs);
      this.#timers.add(timer);
    };
    this.#aside(task().finally(again), failure);
  }

  #aside(work: Promise<void>, failure: string): void {
    work.catch((error: unknown) => this.#deps.log.error({ err: error }, failure));
  }
}

function codeOf(kind: Exclude<ForceSaveRequested['kind'], 'started' | 'joined'>): CommandResult {
  switch (kind) {
    case 'unknown':
      return CommandResult.badDocumentId;
    case 'unchanged':
    case 'closed':
    case 'unaddressed':
      return CommandResult.notModified;
    case 'opaque':
      return CommandResult.unknownError;
  }
}
