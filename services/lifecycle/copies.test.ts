import { expect, test } from 'vitest';
import type { Documents } from '../../db/documents.ts';
import type { Outbox } from '../../db/outbox.ts';
import type { ConversionJob } from '../../jobs/job.ts';
import { Copies } from './copies.ts';

/** Documents whose log grows by one change with every look at it, and a queue whose jobs end when told. */
function world() {
  const jobs: { job: ConversionJob; end: (result: unknown) => void; fail: () => void }[] = [];
  let nextIndex = 0;
  const documents = {
    find: async () => {
      nextIndex += 1;
      return { state: 'open', sourceHash: 'base', model: 'word', logVersion: 0, nextIndex };
    },
  } as unknown as Documents;
  const queue = {
    ask: (job: ConversionJob) =>
      new Promise<unknown>((resolve, reject) => {
        jobs.push({ job, end: resolve, fail: () => reject(new Error('no')) });
      }),
  };
  return { jobs, copies: new Copies(documents, {} as Outbox, queue) };
}

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

test('[DN8] one copy of a document is made at a time, and all who ask meanwhile share the next', async () => {
  const { jobs, copies } = world();
  const first = copies.of('a');
  const later = [copies.of('a'), copies.of('a'), copies.of('a')];
  const other = copies.of('b');
  await nextTick();
  expect(jobs.map(({ job }) => job.data)).toMatchObject([{ key: 'a' }, { key: 'b' }]);
  jobs[0]!.end({ kind: 'made', hash: 'one' });
  expect(await first).toEqual({ hash: 'one' });
  await nextTick();
  expect(jobs).toHaveLength(3);
  jobs[2]!.end({ kind: 'made', hash: 'two' });
  for (const copy of later) expect(await copy).toEqual({ hash: 'two' });
  jobs[1]!.end({ kind: 'failed', reason: 'secret' });
  expect(await other).toMatchObject({ errorCode: -80, message: expect.not.stringContaining('secret') });
});

test('[DN9] a copy of a log that was rewritten meanwhile is made again; a job that ends badly is an error with a number', async () => {
  const { jobs, copies } = world();
  const copy = copies.of('a');
  await nextTick();
  jobs[0]!.end({ kind: 'changed' });
  await nextTick();
  jobs[1]!.fail();
  expect(await copy).toMatchObject({ errorCode: -83 });
  const again = copies.of('a');
  await nextTick();
  jobs[2]!.end({ kind: 'made', hash: 'x' });
  expect(await again).toEqual({ hash: 'x' });
});
