import { Gauge, type Registry } from 'prom-client';
import { sharedQuery } from './gathered.ts';

/** A job as the queue lists it. */
interface QueuedJob {
  readonly kind: string;
  readonly state: string;
  readonly queuedAtMs: number;
}

/** So many jobs of a state are looked at: with more than that in line, what matters is that there are many. */
const jobsLookedAt = 1_000;

/** Jobs that wait for a converter or are worked on, over all nodes. */
export function watchQueue(
  registry: Registry,
  kinds: readonly string[],
  look: (limit: number) => Promise<readonly QueuedJob[]>,
): void {
  const registers = [registry];
  const jobs = sharedQuery(() => look(jobsLookedAt));
  new Gauge({
    name: 'quire_jobs',
    help: 'Jobs in the queue that all nodes share, by kind and state (`waiting`, `active`, `delayed` until another attempt), at most 1000 of a state; NaN when the queue does not say.',
    labelNames: ['kind', 'state'] as const,
    registers,
    async collect() {
      const known = await jobs();
      for (const kind of kinds) {
        for (const state of ['waiting', 'active', 'delayed'] as const) {
          const count = known?.filter((job) => job.kind === kind && job.state === state).length;
          this.set({ kind, state }, count ?? Number.NaN);
        }
      }
    },
  });
  new Gauge({
    name: 'quire_oldest_job_seconds',
    help: 'Age of the oldest job that waits for a converter, by kind; 0 when none does.',
    labelNames: ['kind'] as const,
    registers,
    async collect() {
      const known = await jobs();
      for (const kind of kinds) this.set({ kind }, known ? oldestSeconds(known, kind) : Number.NaN);
    },
  });
}

function oldestSeconds(jobs: readonly QueuedJob[], kind: string): number {
  const waiting = jobs.filter((job) => job.kind === kind && job.state === 'waiting');
  return Math.max(0, ...waiting.map(({ queuedAtMs }) => (Date.now() - queuedAtMs) / 1_000));
}
