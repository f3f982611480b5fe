import { Router } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from './config.ts';
import { callerAddress } from './integration/caller.ts';

/** Upper bounds in seconds, from a save in memory to a long conversion. */
const timeBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Figures that are read when somebody asks for them. */
export interface Watched {
  /** Open connections by transport. */
  connections: () => Record<string, number>;
  /** Connections that have not signed in. */
  strangers: () => number;
  /** Documents somebody is attached to. */
  documents: () => number;
  /** Age of the oldest change that an integrator has not got, of those who want it within a time and of others. */
  oldestUnsavedMs: () => Promise<{ asked: number; others: number }>;
  /** Documents of which integrators take no file. */
  refusedDocuments: () => Promise<number>;
}

/**
 * The figures of one process, in Prometheus' conventions: `quire_` before each name, base units, `_total` on
 * counters. Labels take few values; what identifies a document belongs into the log.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly messages = new Counter({
    name: 'quire_messages_total',
    help: 'Messages received from editors and viewers, by type.',
    labelNames: ['type'] as const,
    registers: [this.registry],
  });
  readonly commitDuration = new Histogram({
    name: 'quire_change_commit_duration_seconds',
    help: 'From the first batch of a group to the end of its transaction.',
    buckets: timeBuckets,
    registers: [this.registry],
  });
  readonly commitBatches = new Histogram({
    name: 'quire_change_commit_batches',
    help: 'Batches of changes that were committed together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.registry],
  });
  readonly callbackDuration = new Histogram({
    name: 'quire_callback_duration_seconds',
    help: 'Callbacks to integrators, by whether they were accepted.',
    labelNames: ['accepted'] as const,
    buckets: timeBuckets,
    registers: [this.registry],
  });

  readonly tidied = new Counter({
    name: 'quire_tidied_total',
    help: 'What was removed because nobody needs it any more, by kind.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });

  readonly #messagesOfType = new Map<string, { inc(): void }>();

  /** Counts a message; the label is looked up once per type. */
  countMessage(type: string): void {
    let counter = this.#messagesOfType.get(type);
    if (!counter) {
      counter = this.messages.labels(type);
      this.#messagesOfType.set(type, counter);
    }
    counter.inc();
  }

  /** Adds the figures of the process and of Node: memory, CPU, event loop, descriptors. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry, prefix: 'quire_' });
  }

  watch(watched: Watched): void {
    const registers = [this.registry];
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
        this.set(watched.strangers());
      },
    });
    new Gauge({
      name: 'quire_documents',
      help: 'Documents that somebody is attached to on this node.',
      registers,
      collect() {
        this.set(watched.documents());
      },
    });
    new Gauge({
      name: 'quire_oldest_unsaved_change_seconds',
      help: 'Age of the oldest change that is not in its storage, by whether its integrator wants it there within a time. NaN when the database does not say.',
      labelNames: ['promised'] as const,
      registers,
      async collect() {
        const unknown = { asked: Number.NaN, others: Number.NaN };
        const age = await watched.oldestUnsavedMs().catch(() => unknown);
        this.set({ promised: 'true' }, age.asked / 1000);
        this.set({ promised: 'false' }, age.others / 1000);
      },
    });
    new Gauge({
      name: 'quire_refused_documents',
      help: 'Documents of which their storage takes no file at present. NaN when the database does not say.',
      registers,
      async collect() {
        this.set(await watched.refusedDocuments().catch(() => Number.NaN));
      },
    });
  }
}

/** Records a time measured in milliseconds: the one place where it becomes seconds. */
export function recordMs<Label extends string>(
  histogram: Histogram<Label>,
  durationMs: number,
  labels: Partial<Record<Label, string>> = {},
): void {
  histogram.observe(labels, durationMs / 1000);
}

/** `GET /` of this router is the metrics page; addresses outside the list get 403. */
export function metricsRouter(
  metrics: Metrics,
  config: Pick<Config, 'metricsAllowFrom' | 'trustProxy'>,
): Router {
  const router = Router();
  router.get('/', async (request, response) => {
    if (!config.metricsAllowFrom.includes(callerAddress(request, config))) {
      response.status(403).type('text/plain').send('Forbidden');
      return;
    }
    response.set('Content-Type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}
