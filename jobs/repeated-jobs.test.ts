import { expect, test } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { openTestDatabase } from '../test/support/postgres.ts';
import { JobWorker } from './job-worker.ts';
import { ConversionQueue } from './jobs.ts';

test('[OP16] a checkpoint of a document is made as often as it is asked for, but what is asked for meanwhile is one', async () => {
  const database = await openTestDatabase();
  const store = { databaseUrl: database.url, redis: null, prefix: 'quire' };
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const queue = new ConversionQueue(store, 60_000, onError);
  let begun = 0;
  let open = () => {};
  let gate = Promise.resolve();
  const worker = new JobWorker(store, {
    concurrency: 1,
    process: async () => {
      begun += 1;
      await gate;
      return {};
    },
    onError,
  });
  const checkpoint = { name: 'checkpoint', data: { key: 'd1' } } as const;
  try {
    await Promise.all([queue.ready(), worker.waitUntilReady()]);
    for (const round of [1, 2, 3]) {
      await queue.run(checkpoint);
      expect(begun).toBe(round);
    }
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = await queue.add(checkpoint);
    await eventually(() => expect(begun).toBe(4));
    const second = await queue.add(checkpoint);
    open();
    await Promise.all([first.ended, second.ended]);
    await queue.run(checkpoint);
    expect(begun).toBe(5);
    expect(errors).toEqual([]);
  } finally {
    open();
    await worker.close();
    await queue.close();
    await database.close();
  }
});
