import { EventEmitter } from 'node:events';
import { type MetricType, Registry } from 'prom-client';
import { jobKinds } from '../jobs/job.ts';
import { watchPool, watchQueue, watchRedis } from '../platform/metrics/backends.ts';
import { ConvertingMetrics, OfficeMetrics } from '../platform/metrics/converting.ts';
import { watchHealth } from '../platform/metrics/health.ts';
import { watchDocuments } from '../platform/metrics/lifecycle.ts';
import { collectProcess } from '../platform/metrics/process.ts';
import { RestartMetrics } from '../platform/metrics/restarts.ts';

import { Metrics } from '../platform/metrics.ts';

/** A metric as it is declared. */
export interface DeclaredMetric {
  name: string;
  type: MetricType | string;
  labels: readonly string[];
  help: string;
}

/** Metrics of Node.js that every program has. */
const ofEveryProgram = /^quire_(converter_)?(process|nodejs)_/;

/** Every metric of servers and converters, by name. No value is read. */
export function declaredMetrics(): DeclaredMetric[] {
  const metrics = new Metrics();
  metrics.nameNode('', '');
  const notAsked = async () => {
    throw new Error('only declared');
  };
  metrics.watch({
    connections: () => ({}),
    unauthenticated: () => 0,
    oldestUnsavedMs: notAsked,
    refusedDocuments: notAsked,
  });
  metrics.admission.watch(() => ({ limit: 0, underWay: 0, waiting: 0 }));
  const nobody = { editor: 0, viewer: 0, live_viewer: 0, closed: 0 };
  watchDocuments(metrics.registry, { attached: () => 0, sessions: () => nobody, stored: notAsked });
  const pool = Object.assign(new EventEmitter(), {
    totalCount: 0,
    idleCount: 0,
    waitingCount: 0,
    timeouts: 0,
  });
  watchPool(metrics.registry, pool as never, 0);
  watchRedis(metrics.registry, { onCommand: () => undefined });
  watchQueue(metrics.registry, jobKinds, notAsked);
  watchHealth(metrics.registry, { parts: { look: notAsked }, isLeaving: () => false, directories: {} });
  new RestartMetrics(metrics.registry, {});
  metrics.collectProcess();
  const converting = new Registry();
  new ConvertingMetrics(converting, jobKinds);
  new OfficeMetrics(converting, () => null);
  collectProcess(converting, 'quire_converter_');
  return [...declaredIn(metrics.registry), ...declaredIn(converting)];
}

function declaredIn(registry: Registry): DeclaredMetric[] {
  const declared = registry.getMetricsAsArray().map((metric) => {
    const {
      name,
      help,
      type,
      labelNames = [],
    } = metric as unknown as {
      name: string;
      help: string;
      type: string;
      labelNames?: readonly string[];
    };
    return { name, help, type: String(type), labels: labelNames };
  });
  return declared.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The metrics of this program as a table in Markdown, for `docs/metrics.md`. */
export function metricsTable(): string {
  const rows = declaredMetrics()
    .filter(({ name }) => !ofEveryProgram.test(name) || name.endsWith('eventloop_utilization_ratio'))
    .map(({ name, type, labels, help }) => {
      const named = labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${named} | ${help} |`;
    });
  return ['| name | type | labels | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
