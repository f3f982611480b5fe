import { Router } from 'express';
import type pg from 'pg';
import { conversionsAtWork } from '../../db/conversion-overview.ts';
import type { QueueInspector } from '../queue-inspector.ts';
import type { QueueAnswer, Wire } from './api.ts';
import { operatorsOnly } from './api-rights.ts';

const jobsCounted = 1_000;
const jobsShown = 100;
const conversionsShown = 100;

/** The queue of the converters, its workers, and conversions. */
export function queueRouter(queue: QueueInspector, pool: pg.Pool): Router {
  const router = Router();

  router.get('/queue', async (_request, response) => {
    const [counts, jobs, workers, conversions] = await Promise.all([
      queue.counts(),
      queue.jobs(jobsCounted),
      queue.workers(),
      conversionsAtWork(pool, conversionsShown),
    ]);
    const kinds = new Map<string, QueueAnswer['kinds'][number]>();
    for (const { kind, state, queuedAtMs } of jobs) {
      const known = kinds.get(kind) ?? {
        kind,
        waiting: 0,
        active: 0,
        delayed: 0,
        oldestAt: isoOf(queuedAtMs),
      };
      known[state] += 1;
      kinds.set(kind, known);
    }
    response.json({
      ...counts,
      kinds: [...kinds.values()],
      jobs: jobs.slice(0, jobsShown).map(({ queuedAtMs, startedAtMs, ...job }) => ({
        ...job,
        queuedAt: isoOf(queuedAtMs),
        startedAt: startedAtMs === null ? null : isoOf(startedAtMs),
      })),
      failed: queue.failures().map(({ failedAtMs, ...job }) => ({ ...job, failedAt: isoOf(failedAtMs) })),
      workers,
      conversions: conversions as unknown as Wire<typeof conversions>,
    } satisfies QueueAnswer);
  });

  router.post('/queue/pause', operatorsOnly, async (_request, response) => {
    await queue.pause();
    response.json(await queue.counts());
  });
  router.post('/queue/resume', operatorsOnly, async (_request, response) => {
    await queue.resume();
    response.json(await queue.counts());
  });
  return router;
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();
