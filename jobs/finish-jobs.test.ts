import { expect, test } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { openTestDatabase } from '../test/support/postgres.ts';
import { jobLanes } from './job.ts';
import { finishJobs, JobClaims } from './job-claims.ts';
import { JobWorker } from './job-worker.ts';
import { ConversionQueue } from './jobs.ts';

test('[UP6] jobs that do not end in time are given to another worker, which does them once; those that end are waited for', async () => {
  const database = await openTestDatabase();
  const store = { databaseUrl: database.url, redis: null, prefix: 'quire' };
  const onError = () => undefined;
  const queue = new ConversionQueue(store, 30_000, onError);
  const begun: string[] = [];
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const untilEnded = (key: string) => new Promise<void>((resolve) => ends.set(key, resolve));
  const open = (name: string, process: (key: string) => Promise<void>) =>
    new JobWorker(store, {
      ...{ concurrency: 2, onError },
      process: async ({ data }) => {
        const { key } = data as { key: string };
        begun.push(`${name} ${key}`);
        await process(key);
        done.push(`${name} ${key}`);
        return {};
      },
    });
  const first = open('first', untilEnded);
  const claims = new JobClaims(jobLanes.map((lane) => first.lanes[lane]));
  await Promise.all([queue.ready(), first.waitUntilReady()]);
  let second: JobWorker | undefined;
  try {
    const asked = ['short', 'endless'].map((key) => queue.ask({ name: 'assemble', data: { key, epoch: 1 } }));
    await eventually(() => expect(begun.length).toBe(2));
    const stopping = finishJobs(first, claims, 5_000);
    ends.get('short')!();
    expect(await stopping).toBe(1);
    second = open('second', async () => undefined);
    await Promise.all(asked);
    expect(done).toEqual(['first short', 'second endless']);
  } finally {
    for (const end of ends.values()) end();
    await Promise.all([first.close(), second?.close()]);
    await queue.close();
    await database.close();
  }
});
