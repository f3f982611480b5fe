import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { recordMs, timeBuckets } from './conventions.ts';

const jobOutcomes = ['done', 'refused', 'superseded', 'error'] as const;
/** How a job ended: `done`, `refused` (the file cannot be had, which is on record), `superseded`, `error` (tried again). */
export type JobOutcome = (typeof jobOutcomes)[number];

/** Why a process of LibreOffice ended. */
const officeEnds = ['time', 'memory', 'size', 'hung', 'crashed', 'killed', 'failed'];

/** What a converter process does. */
export class ConvertingMetrics {
  readonly #jobs: Histogram<'kind' | 'outcome'>;
  readonly #wait: Histogram<'kind'>;
  readonly #engines: Histogram<'engine' | 'task' | 'outcome'>;
  readonly #skipped: Counter;
  #active = 0;

  /** `kinds`: of the jobs that there are. */
  constructor(registry: Registry, kinds: readonly string[]) {
    const registers = [registry];
    const buckets = timeBuckets;
    this.#jobs = new Histogram({
      name: 'quire_converter_job_seconds',
      help: 'Work on jobs, by kind and outcome: `done`, `refused` (no file can be made, which is on record), `superseded` (somebody came back), `error` (tried again).',
      labelNames: ['kind', 'outcome'] as const,
      ...{ buckets, registers },
    });
    for (const kind of kinds) for (const outcome of jobOutcomes) this.#jobs.zero({ kind, outcome });
    this.#wait = new Histogram({
      name: 'quire_converter_job_wait_seconds',
      help: 'How long jobs had waited when a converter took them, by kind; attempts after a failure count from the beginning.',
      labelNames: ['kind'] as const,
      ...{ buckets, registers },
    });
    this.#engines = new Histogram({
      name: 'quire_converter_engine_seconds',
      help: 'Runs of the engines, with the wait for a free thread or core, by engine (`ooxml`, `x2t`, `libreoffice`), task (`open`, `assemble`, `convert`, `checkpoint`) and outcome (`done`, `failed`).',
      labelNames: ['engine', 'task', 'outcome'] as const,
      ...{ buckets, registers },
    });
    this.#skipped = new Counter({
      name: 'quire_converter_skipped_changes_total',
      help: 'Changes that could not be applied when a file was made.',
      registers,
    });
    const active = () => this.#active;
    new Gauge({
      name: 'quire_converter_jobs_active',
      help: 'Jobs that are worked on.',
      registers,
      collect() {
        this.set(active());
      },
    });
  }

  began(kind: string, waitedMs: number): void {
    this.#active += 1;
    recordMs(this.#wait, Math.max(0, waitedMs), { kind });
  }

  ended(kind: string, outcome: JobOutcome, elapsedMs: number): void {
    this.#active -= 1;
    recordMs(this.#jobs, elapsedMs, { kind, outcome });
  }

  ran(engine: 'ooxml' | 'x2t' | 'libreoffice', task: string, isDone: boolean, elapsedMs: number): void {
    recordMs(this.#engines, elapsedMs, { engine, task, outcome: isDone ? 'done' : 'failed' });
  }

  skipped(changes: number): void {
    this.#skipped.inc(changes);
  }
}

/** What is asked of a pool of LibreOffice when somebody looks. */
interface WatchedPool {
  readonly processes: number;
  readonly waiting: number;
}

/** The processes of LibreOffice of a converter process. */
export class OfficeMetrics {
  readonly #ended: Counter<'reason'>;
  readonly #recycled: Counter;

  constructor(registry: Registry, pool: () => WatchedPool | null) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'quire_converter_libreoffice_ends_total',
      help: 'Processes of LibreOffice that ended and were not meant to, by reason: `time`, `memory`, `size` (a limit), `hung` (no answer), `crashed`, `killed` (by somebody else), `failed` (did not start).',
      labelNames: ['reason'] as const,
      registers,
    });
    for (const reason of officeEnds) this.#ended.inc({ reason }, 0);
    this.#recycled = new Counter({
      name: 'quire_converter_libreoffice_recycled_total',
      help: 'Processes of LibreOffice that were replaced after many conversions, or because they kept much memory.',
      registers,
    });
    new Gauge({
      name: 'quire_converter_libreoffice_processes',
      help: 'Processes of LibreOffice that there are.',
      registers,
      collect() {
        this.set(pool()?.processes ?? 0);
      },
    });
    new Gauge({
      name: 'quire_converter_libreoffice_waiting',
      help: 'Conversions that wait for a process of LibreOffice.',
      registers,
      collect() {
        this.set(pool()?.waiting ?? 0);
      },
    });
  }

  ended(reason: string): void {
    this.#ended.inc({ reason });
  }

  recycled(): void {
    this.#recycled.inc();
  }
}
