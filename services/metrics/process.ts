import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Adds the figures of the process and of Node: memory, CPU, event loop, garbage collection, handles, descriptors. */
export function collectProcess(registry: Registry, prefix: string): void {
  collectDefaultMetrics({ register: registry, prefix });
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
