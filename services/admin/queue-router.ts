import { Router } from 'express';
import type pg from 'pg';
import { conversionsAtWork } from '../../db/conversions.ts';
import { PausedJobs } from '../../db/paused-jobs.ts';
import { jobKinds } from '../../jobs/job.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import { sharedQuery } from '../../platform/metrics/conventions.ts';
import type { PartName } from '../../platform/ports/cluster.ts';
import { operatorsOnly } from './access.ts';
import type { Actions } from './actions.ts';
import { AdminError } from './admin-error.ts';
import type { KindAnswer, QueueAnswer, Wire } from './api.ts';
import { PartialAnswer } from './partial-answer.ts';
import { pathPart } from './request-reading.ts';

const jobsCounted = 1_000;
const jobsShown = 100;
const conversionsShown = 100;

interface QueueRouterDependencies {
  queue: QueueInspector;
  /** Where the queue is kept. */
  queuePart: Extract<PartName, 'redis' | 'database'>;
  pool: pg.Pool;
  actions: Actions;
}

/** The queue of the converters, its workers, and conversions. */
export function queueRouter({ queue, queuePart, pool, actions }: QueueRouterDependencies): Router {
  const router = Router();
  const pausedJobs = new PausedJobs(pool);
  // While the queue does not answer, it is not asked again by each who looks.
  const looked = {
    counts: sharedQuery(() => queue.counts(), { keepMs: 0 }),
    jobs: sharedQuery(() => queue.jobs(jobsCounted), { keepMs: 0 }),
    workers: sharedQuery(() => queue.workers(), { keepMs: 0 }),
  };

  const switched = (action: () => Promise<void>) =>
    actions.done(queuePart, async () => {
      await action();
      return queue.counts();
    });

  router.get('/queue', async (_request, response) => {
    response.json(await queueAnswer(looked, queue.failures(), pool, pausedJobs));
  });
  router.post('/queue/pause', operatorsOnly, async (_request, response) => {
    response.json(await switched(() => queue.pause()));
  });
  router.post('/queue/resume', operatorsOnly, async (_request, response) => {
    response.json(await switched(() => queue.resume()));
  });
  const kindOf = (given: string): string => {
    if (jobKinds.some((kind) => kind === given)) return given;
    throw new AdminError('bad-request', `There is no kind of jobs ${given}: ${jobKinds.join(', ')}.`);
  };
  router.post('/queue/:kind/pause', operatorsOnly, async (request, response) => {
    const kind = kindOf(pathPart(request, 'kind'));
    await actions.done('database', () => pausedJobs.pause(kind));
    response.json({ kind, isPaused: true } satisfies KindAnswer);
  });
  router.post('/queue/:kind/resume', operatorsOnly, async (request, response) => {
    const kind = kindOf(pathPart(request, 'kind'));
    await actions.done('database', () => pausedJobs.resume(kind));
    response.json({ kind, isPaused: false } satisfies KindAnswer);
  });
  return router;
}

type Looked<Name extends 'counts' | 'jobs' | 'workers'> = () => Promise<Awaited<
  ReturnType<QueueInspector[Name]>
> | null>;

/** What the queue holds at present, by kind and by job. */
async function queueAnswer(
  queue: { counts: Looked<'counts'>; jobs: Looked<'jobs'>; workers: Looked<'workers'> },
  failures: ReturnType<QueueInspector['failures']>,
  pool: pg.Pool,
  pausedJobs: PausedJobs,
): Promise<QueueAnswer> {
  const gathered = new PartialAnswer();
  const [counts, queued, workers, conversionsNow, pausedNow] = await Promise.all([
    gathered.of('queue', queue.counts()),
    gathered.of('queue', queue.jobs()),
    gathered.of('queue', queue.workers()),
    gathered.of('database', conversionsAtWork(pool, conversionsShown)),
    gathered.of('database', pausedJobs.kinds()),
  ]);
  const [jobs, conversions, paused] = [queued ?? [], conversionsNow ?? [], pausedNow ?? []];
  const none = { waiting: 0, active: 0, delayed: 0, oldestAt: null };
  const named = new Map<string, QueueAnswer['kinds'][number]>(
    [...jobKinds, ...jobs.map(({ kind }) => kind)].map((kind) => [
      kind,
      { kind, ...none, isPaused: paused.includes(kind) },
    ]),
  );
  for (const { kind, state, queuedAtMs } of jobs) {
    const known = named.get(kind)!;
    known.oldestAt ??= isoOf(queuedAtMs);
    known[state] += 1;
  }
  return {
    ...(counts ?? { isPaused: false, waiting: null, active: null, delayed: null }),
    // Without the jobs it is not known how many there are of a kind.
    kinds: queued ? [...named.values()] : [],
    jobs: jobs.slice(0, jobsShown).map(({ queuedAtMs, startedAtMs, ...job }) => ({
      ...job,
      queuedAt: isoOf(queuedAtMs),
      startedAt: startedAtMs === null ? null : isoOf(startedAtMs),
    })),
    failed: failures.map(({ failedAtMs, ...job }) => ({ ...job, failedAt: isoOf(failedAtMs) })),
    workers: workers ?? [],
    missing: gathered.missing,
    conversions: conversions as unknown as Wire<typeof conversions>,
  };
}

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();
