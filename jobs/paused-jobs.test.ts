import { expect, test } from 'vitest';
import { PausedJobs } from '../db/paused-jobs.ts';
import { eventually } from '../test/support/eventually.ts';
import { openTestDatabase } from '../test/support/postgres.ts';
import { JobWorker } from './job-worker.ts';
import { ConversionQueue } from './jobs.ts';

test('[AD24] jobs of a paused kind wait and the others are done; that they wait is no attempt, and they are done afterwards', async () => {
  const database = await openTestDatabase();
  const store = { databaseUrl: database.url, redis: null, prefix: 'quire' };
  const pausedJobs = new PausedJobs(database.pool);
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const queue = new ConversionQueue(store, 20_000, onError);
  const done: string[] = [];
  const worker = new JobWorker(store, {
    concurrency: 2,
    process: async ({ name }) => {
      done.push(name);
      return {};
    },
    onError,
    isPaused: (kind) => pausedJobs.has(kind),
    times: { pausedMs: 200 },
  });
  try {
    await Promise.all([queue.ready(), worker.waitUntilReady()]);
    await pausedJobs.pause('assemble');
    await pausedJobs.pause('assemble');
    expect(await pausedJobs.kinds()).toEqual(['assemble']);
    const assembled = queue.ask({ name: 'assemble', data: { key: 'd1', epoch: 1 } });
    await queue.run({ name: 'checkpoint', data: { key: 'd1' } });
    const inspector = queue.inspector();
    const waiting = async () => (await inspector.jobs(10)).find(({ kind }) => kind === 'assemble');
    await eventually(async () =>
      expect(await waiting()).toMatchObject({ state: 'delayed', attempts: 0, lastError: null }),
    );
    expect(done).toEqual(['checkpoint']);
    await pausedJobs.resume('assemble');
    await assembled;
    expect(done).toEqual(['checkpoint', 'assemble']);
    expect(errors).toEqual([]);
  } finally {
    await worker.close();
    await queue.close();
    await database.close();
  }
});
