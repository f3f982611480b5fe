import type { LoadLimit, PhaseFigures, ProcessSeries } from './result.ts';

/** A process of the load that uses so much of a core over a phase has no more to give: JavaScript runs on one. */
const busyCores = 0.9;
/** What was due and began later than this (p99) was delayed by the load itself, milliseconds. */
const lateMs = 100;

interface Measured {
  timesS: readonly number[];
  phases: readonly PhaseFigures[];
  processes: readonly ProcessSeries[];
}

/** In which phases the load was at its own limit, so that their figures say little of the server. */
export function loadLimitsOf({ timesS, phases, processes }: Measured): LoadLimit[] {
  const generators = processes.filter(({ role }) => role === 'generator');
  return phases.flatMap((phase) => {
    const busy = generators
      .map(({ name, cpuCores }) => ({ name, cores: coresIn(phase, timesS, cpuCores) }))
      .filter(({ cores }) => cores >= busyCores);
    const lateP99Ms = phase.latencies.find(({ name }) => name === 'late')?.p99Ms ?? 0;
    if (busy.length === 0 && lateP99Ms <= lateMs) return [];
    return [{ phase: phase.name, title: phase.title, processes: busy, lateP99Ms }];
  });
}

/** Each limit in one sentence. */
export function loadLimitTexts({ loadLimits }: { loadLimits: readonly LoadLimit[] }): string[] {
  return loadLimits.map(({ title, processes, lateP99Ms }) => {
    const reasons = [
      ...processes.map(({ name, cores }) => `${name} used ${cores.toFixed(1)} of a core`),
      ...(lateP99Ms > lateMs ? [`what was due began ${Math.round(lateP99Ms)} ms late, p99`] : []),
    ];
    return `In the phase "${title}" the load was the limit (${reasons.join('; ')}): its figures say little of the server.`;
  });
}

/** Mean over the intervals of a phase in which the process was seen; 0 where it never was. */
function coresIn(
  { fromS, toS }: PhaseFigures,
  timesS: readonly number[],
  cpuCores: readonly (number | null)[],
): number {
  let cpuS = 0;
  let seenS = 0;
  for (const [at, endS] of timesS.entries()) {
    const cores = cpuCores[at] ?? null;
    if (cores === null || endS <= fromS || endS > toS) continue;
    const lengthS = endS - (timesS[at - 1] ?? 0);
    cpuS += cores * lengthS;
    seenS += lengthS;
  }
  return seenS === 0 ? 0 : cpuS / seenS;
}
