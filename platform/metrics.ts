import { Counter, Gauge, Registry } from 'prom-client';
import { AdmissionMetrics } from './metrics/admission.ts';
import { CacheMetrics } from './metrics/caches.ts';
import { sharedQuery } from './metrics/conventions.ts';
import { DeliveryMetrics, OpeningMetrics } from './metrics/lifecycle.ts';
import { collectProcess } from './metrics/process.ts';
import { SavingMetrics } from './metrics/saving.ts';
import { HttpMetrics, TransportMetrics } from './metrics/transport.ts';

/** What is removed when nobody needs it any more. */
const tidiedKinds = ['documents', 'saves', 'sources', 'blobs', 'conversions'] as const;

/** Values that are read when somebody asks for metrics. */
interface Watched {
  /** Open connections by transport. */
  connections: () => Record<string, number>;
  /** Connections that have not signed in. */
  unauthenticated: () => number;
  /** Age of the oldest change that an integrator has not got, of those who want it within a time and of others. */
  oldestUnsavedMs: () => Promise<{ asked: number; others: number }>;
  /** Documents of which integrators take no file. */
  refusedDocuments: () => Promise<number>;
}

/**
 * The metrics of one process, in Prometheus' conventions: `quire_` before each name, base units, `_total` on
 * counters. Labels take few values; what identifies a document belongs into the log. Each stage has a file of its own
 * in `metrics/`.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly transport = new TransportMetrics(this.registry);
  readonly admission = new AdmissionMetrics(this.registry);
  readonly opening = new OpeningMetrics(this.registry);
  readonly saving = new SavingMetrics(this.registry);
  readonly delivering = new DeliveryMetrics(this.registry);
  readonly caches = new CacheMetrics(this.registry);
  readonly http = new HttpMetrics(this.registry);

  readonly tidied = new Counter({
    name: 'quire_tidied_total',
    help: 'What was removed because nobody needs it any more, by kind.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });

  constructor() {
    for (const kind of tidiedKinds) this.tidied.inc({ kind }, 0);
  }

  #pages: (() => Promise<string>)[] = [];
  /** The page of all processes of this server; null where this is the only one. */
  #all: (() => Promise<string>) | null = null;

  /** Says which node these are the metrics of. */
  nameNode(name: string, version: string): void {
    new Gauge({
      name: 'quire_node_info',
      help: 'Always 1: what operators call this node (`NODE_NAME`), and its version.',
      labelNames: ['name', 'version'] as const,
      registers: [this.registry],
    }).set({ name, version }, 1);
  }

  /** Adds the metrics of the process and of Node. */
  collectProcess(): void {
    collectProcess(this.registry, 'quire_');
  }

  /** Shows the metrics of other processes with these; they must have other names. */
  include(page: () => Promise<string>): void {
    this.#pages.push(page);
  }

  /** All metrics, as Prometheus reads them. */
  async page(): Promise<string> {
    if (this.#all) return this.#all();
    const pages = await Promise.all([this.registry.metrics(), ...this.#pages.map((page) => page())]);
    return pages.filter((page) => page !== '').join('\n');
  }

  /** This process is one of several, of which `all` has the metrics: its own bear its number. */
  beWorker(number: number, all: () => Promise<string>): void {
    this.registry.setDefaultLabels({ worker: String(number) });
    this.#all = all;
    new Gauge({
      name: 'quire_worker_pid',
      help: 'Process number of a worker.',
      registers: [this.registry],
    }).set(process.pid);
  }

  /** The metrics of this process, to be added up with those of others. */
  asJson(): Promise<object[]> {
    return this.registry.getMetricsAsJSON();
  }

  watch(watched: Watched): void {
    const registers = [this.registry];
    const oldestUnsavedMs = sharedQuery(watched.oldestUnsavedMs, { keepMs: 0 });
    const refusedDocuments = sharedQuery(watched.refusedDocuments, { keepMs: 0 });
    new Gauge({
      name: 'quire_connections',
      help: 'Connections of editors and viewers, signed in or not, by transport.',
      labelNames: ['transport'] as const,
      registers,
      collect() {
        for (const [transport, count] of Object.entries(watched.connections()))
          this.set({ transport }, count);
      },
    });
    new Gauge({
      name: 'quire_unauthenticated_connections',
      help: 'Connections that have not signed in.',
      registers,
      collect() {
        this.set(watched.unauthenticated());
      },
    });
    new Gauge({
      name: 'quire_oldest_unsaved_change_seconds',
      help: 'Age of the oldest change that is not in its storage, by whether its integrator wants it there within a time. NaN when the database does not say.',
      labelNames: ['promised'] as const,
      registers,
      async collect() {
        const age = await oldestUnsavedMs();
        this.set({ promised: 'true' }, age ? age.asked / 1000 : Number.NaN);
        this.set({ promised: 'false' }, age ? age.others / 1000 : Number.NaN);
      },
    });
    new Gauge({
      name: 'quire_refused_documents',
      help: 'Documents of which their storage takes no file at present. NaN when the database does not say.',
      registers,
      async collect() {
        this.set((await refusedDocuments()) ?? Number.NaN);
      },
    });
  }
}
