import { rateIn } from './phase-recording.ts';
import type { PhaseFigures } from './result.ts';

const p95 = (phase: PhaseFigures, name: string) =>
  phase.latencies.find((latency) => latency.name === name)?.p95Ms ?? null;
const p99 = (phase: PhaseFigures, name: string) =>
  phase.latencies.find((latency) => latency.name === name)?.p99Ms ?? null;

/** What reports show of each phase. */
export const phaseFigures: readonly { title: string; of: (phase: PhaseFigures) => number | null }[] = [
  { title: 'goodput, /s', of: (phase) => rateIn(phase, 'opened') },
  { title: 'refused, /s', of: (phase) => rateIn(phase, 'refused') },
  { title: 'gave up, /s', of: (phase) => rateIn(phase, 'givenUp') },
  { title: 'open p95, ms', of: (phase) => p95(phase, 'open') },
  { title: 'saves, /s', of: (phase) => rateIn(phase, 'saves') },
  { title: 'save p99, ms', of: (phase) => p99(phase, 'save') },
  { title: 'health p99, ms', of: (phase) => p99(phase, 'health') },
  { title: 'errors, /s', of: (phase) => rateIn(phase, 'errors') },
];
