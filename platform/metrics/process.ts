import type { ChildProcess } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { Collections } from '../collections.ts';
import { EventLoopDelay } from '../event-loop-delay.ts';
import type { ProcessMetrics } from './summed-metrics.ts';

/** What the library's own monitor gives is replaced: it looks by a timer of 10 ms also while nothing happens. */
const replaced = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);
/** The library goes through all connections for these, each time: 60 ms in which nobody is served, with 10,000 of them. */
const left = ['handles', 'requests', 'resources'].flatMap((name) => [
  `nodejs_active_${name}`,
  `nodejs_active_${name}_total`,
]);
const openFilesName = 'process_open_fds';
const openFiles = '/proc/self/fd';
const neverMs = 2 ** 31 - 1;

/** Adds the metrics of the process and of Node: memory, CPU, event loop, garbage collection, handles, descriptors. */
export function collectProcess(registry: Registry, prefix: string): void {
  collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: neverMs });
  for (const name of [...replaced, ...left, openFilesName]) registry.removeSingleMetric(`${prefix}${name}`);
  collectOpenFiles(registry, prefix);
  collectDelay(registry, prefix);
  collectCollections(registry, prefix);
  let before = performance.eventLoopUtilization();
  new Gauge({
    name: `${prefix}nodejs_eventloop_utilization_ratio`,
    help: 'Share of the time that the event loop was busy since this was asked last, from 0 to 1.',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
}

function collectCollections(registry: Registry, prefix: string): void {
  const collections = new Collections();
  new Gauge({
    name: `${prefix}nodejs_gc_longest_seconds`,
    help: 'The longest garbage collection since this was asked last.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(collections.longestMs / 1_000);
      collections.reset();
    },
  });
  new Gauge({
    name: `${prefix}nodejs_heap_live_bytes`,
    help: 'What the last garbage collection of the whole heap has left in it; before the first, what is in it.',
    registers: [registry],
    collect() {
      this.set(collections.liveBytes);
    },
  });
}

/** The library reads the names of all of them while everybody waits. */
function collectOpenFiles(registry: Registry, prefix: string): void {
  if (process.platform !== 'linux') return;
  new Gauge({
    name: `${prefix}${openFilesName}`,
    help: 'Number of open file descriptors.',
    registers: [registry],
    async collect() {
      // Linux tells the number as the size since 6.2.
      const { size } = await stat(openFiles);
      this.set(size > 0 ? size : (await readdir(openFiles)).length);
    },
  });
}

function collectDelay(registry: Registry, prefix: string): void {
  const delay = new EventLoopDelay();
  const gauge = (name: string, help: string, collect?: () => void) =>
    new Gauge({
      name: `${prefix}nodejs_eventloop_lag_${name}_seconds`,
      help,
      registers: [registry],
      ...(collect && { collect }),
    });
  // The first that is asked sets all of them.
  const mean = gauge('mean', 'How late the event loop was on average since this was asked last.', () => {
    mean.set(delay.meanMs / 1_000);
    p50.set(delay.percentileMs(50) / 1_000);
    p99.set(delay.percentileMs(99) / 1_000);
    max.set(delay.maxMs / 1_000);
    delay.reset();
  });
  const p50 = gauge(
    'p50',
    'Half of the delays of the event loop since this was asked last were at most so long.',
  );
  const p99 = gauge(
    'p99',
    'Of 100 delays of the event loop since this was asked last, 99 were at most so long.',
  );
  const max = gauge('max', 'The longest delay of the event loop since this was asked last.');
}

const askMessage = 'metrics?';
/** A process that is busy answers next time. */
const patienceMs = 1_000;

interface Answer {
  metrics: ProcessMetrics;
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && Array.isArray((message as Answer).metrics);

/** In a process that a server started: answers with its metrics when the server asks. */
export function answerWithMetrics(registry: Registry): void {
  process.on('message', (message) => {
    if (message !== askMessage) return;
    registry
      .getMetricsAsJSON()
      .then((metrics) => process.send?.({ metrics }))
      .catch(() => undefined);
  });
}

/** Asks a process that the server started for its metrics. Resolves with null where it is too busy to answer, or gone. */
export function askForMetrics(child: ChildProcess): Promise<ProcessMetrics | null> {
  if (!child.connected) return Promise.resolve(null);
  return new Promise((resolve) => {
    const end = (metrics: ProcessMetrics | null) => {
      clearTimeout(timer);
      child.off('message', listen);
      child.off('exit', gone);
      resolve(metrics);
    };
    const listen = (message: unknown) => {
      if (isAnswer(message)) end(message.metrics);
    };
    const gone = () => end(null);
    const timer = setTimeout(gone, patienceMs);
    child.on('message', listen);
    child.once('exit', gone);
    child.send(askMessage, (error) => {
      if (error) end(null);
    });
  });
}
