import { machineCpuMs } from '../../load/process-usage.ts';
import type { ServerProcess } from './server-process.ts';

/** CPU time spent in a stretch of time, milliseconds. */
export interface LoadWindow {
  elapsedMs: number;
  serviceMs: number;
  databaseMs: number;
  converterMs: number;
  /** This process, which makes the load. */
  loadMs: number;
  /** Everything else on the machine: what disturbed the measurement. */
  otherMs: number;
}

/** Begins to measure; the function returned ends it. */
export async function openWindow(server: ServerProcess): Promise<() => Promise<LoadWindow>> {
  const read = async () => ({
    usage: await server.usage(),
    own: process.cpuUsage(),
    machine: await machineCpuMs(),
    at: performance.now(),
  });
  const before = await read();
  return async () => {
    const after = await read();
    const spent = (part: keyof typeof before.usage) => after.usage[part].cpuMs - before.usage[part].cpuMs;
    const loadMs = (after.own.user + after.own.system - before.own.user - before.own.system) / 1_000;
    const known = spent('service') + spent('database') + spent('converter') + loadMs;
    return {
      elapsedMs: after.at - before.at,
      serviceMs: spent('service'),
      databaseMs: spent('database'),
      converterMs: spent('converter'),
      loadMs,
      otherMs: Math.max(0, after.machine - before.machine - known),
    };
  };
}
