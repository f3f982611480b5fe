import { Job } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ConversionJob } from '../../jobs/job.ts';
import { JobClaims } from '../../jobs/job-claims.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import { JobWorker } from '../../jobs/job-worker.ts';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { eventually } from '../support/eventually.ts';

/** What the job queue does wherever it keeps its jobs. */
export function describeConversionQueue(
  name: string,
  open: () => Promise<{ store: JobStore; close(): Promise<void> }>,
): void {
  describe(`conversion queue: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let queue: ConversionQueue;
    const errors: Error[] = [];
    beforeAll(async () => {
      opened = await open();
      queue = new ConversionQueue(opened.store, 30_000, (error) => errors.push(error));
      await queue.ready();
    });
    afterAll(async () => {
      await queue.close();
      await opened.close();
    });

    const withWorker = async (
      process: (job: ConversionJob) => Promise<unknown>,
      act: (worker: JobWorker) => Promise<void>,
    ) => {
      const onError = (error: Error) => void errors.push(error);
      const worker = new JobWorker(opened.store, { concurrency: 2, process, onError });
      try {
        await worker.waitUntilReady();
        await act(worker);
      } finally {
        await worker.close();
      }
    };
    /** Has a job that failed done again at once. It may come by itself meanwhile. */
    const endPause = async (worker: JobWorker, done: Promise<void>) => {
      let isDone = false;
      void done.then(() => {
        isDone = true;
      });
      const inspector = queue.inspector();
      const delayed = await eventually(
        async () => (await inspector.jobs(10)).filter(({ state }) => state === 'delayed'),
        (jobs) => isDone || jobs.length > 0,
      );
      for (const { id } of delayed) {
        const job = await Job.fromId(worker.lanes.saving, id);
        await job?.promote().catch(() => undefined);
      }
    };
    const assemble = (key: string, epoch = 1): ConversionJob => ({ name: 'assemble', data: { key, epoch } });

    test('[JQ1] a job reaches a worker as it was given, and its end is told', async () => {
      const seen: ConversionJob[] = [];
      await withWorker(
        async (job) => void seen.push(job),
        () => queue.run(assemble('d-1', 7)),
      );
      expect(seen).toEqual([assemble('d-1', 7)]);
    });

    test('[JP16] several saves are begun for each that is made at once', async () => {
      const keys = ['e', 'f', 'g', 'h', 'i'];
      const begun: string[] = [];
      let end!: () => void;
      const allBegun = new Promise<void>((resolve) => {
        end = resolve;
      });
      await withWorker(
        async ({ data }) => {
          begun.push((data as { key: string }).key);
          if (begun.length === keys.length) end();
          await allBegun;
        },
        async () => {
          await Promise.all(keys.map((key) => queue.run(assemble(key))));
        },
      );
      expect(begun.sort()).toEqual(keys);
    });

    test('[JQ8] kinds and ages of jobs are told by reading each job once', async () => {
      const inspector = queue.inspector();
      const asked = ['k', 'l'].map((key) => queue.run(assemble(key)));
      const lineOf = async () => (await inspector.jobs(10)).map(({ kind, queuedAtMs }) => [kind, queuedAtMs]);
      await eventually(async () => expect((await lineOf()).length).toBe(2));
      const expected = await lineOf();
      const reads = vi.spyOn(Job, 'fromId');
      for (let look = 0; look < 3; look += 1) {
        const ages = await inspector.ages(10);
        // Those who ask at once are in the queue in either order, whatever their times.
        const inTime = ages.toSorted((a, b) => a.queuedAtMs - b.queuedAtMs);
        expect(inTime.map(({ kind, queuedAtMs }) => [kind, queuedAtMs])).toEqual(expected);
        expect(ages.every(({ state }) => state === 'waiting')).toBe(true);
      }
      expect(reads).toHaveBeenCalledTimes(2);
      reads.mockRestore();
      expect(await inspector.ages(1)).toHaveLength(1);
      await withWorker(
        async () => undefined,
        async () => {
          await Promise.all(asked);
        },
      );
      expect(await inspector.ages(10)).toEqual([]);
    });

    test('[JQ2] the same work that waits already is done once, and everybody who asked is told', async () => {
      let runs = 0;
      const asked = [queue.run(assemble('d-2')), queue.run(assemble('d-2'))];
      await withWorker(
        async () => {
          runs += 1;
        },
        async () => {
          await Promise.all(asked);
        },
      );
      expect(runs).toBe(1);
    });

    test('[JQ3] work that fails is tried again', async () => {
      let runs = 0;
      await withWorker(
        async () => {
          runs += 1;
          if (runs === 1) throw new Error('once');
        },
        async (worker) => {
          const done = queue.run(assemble('d-3'));
          await endPause(worker, done);
          await done;
        },
      );
      expect(runs).toBe(2);
    });

    test('[JQ5] what a worker returns is answered, also to whoever asks for the same again', async () => {
      const copyOf = (key: string): ConversionJob => ({
        name: 'export',
        data: { key, logVersion: 0, endIndex: 3 },
      });
      let runs = 0;
      await withWorker(
        async ({ data }) => {
          runs += 1;
          return { kind: 'made', hash: (data as { key: string }).key };
        },
        async () => {
          const made = { kind: 'made', hash: 'd-5' };
          expect(await Promise.all([queue.ask(copyOf('d-5')), queue.ask(copyOf('d-5'))])).toEqual([
            made,
            made,
          ]);
          expect(await queue.ask(copyOf('d-5'))).toEqual(made);
        },
      );
      expect(runs).toBe(1);
    });

    test('[JQ4] work that came while no worker ran is done when one starts', async () => {
      const data = { sourceHash: 'a', model: 'word', variant: '', fileType: 'docx', sealed: null } as const;
      const done = queue.run({ name: 'open', data });
      const seen: string[] = [];
      await withWorker(
        async (job) => void seen.push(job.name),
        () => done,
      );
      expect(seen).toEqual(['open']);
    });

    test('[JQ6] the job of a worker that died is taken up at once, by one other; nobody’s claim releases another’s', async () => {
      const stuck = new JobWorker(opened.store, {
        concurrency: 1,
        process: () => new Promise(() => undefined),
        onError: () => undefined,
      });
      const claims = new JobClaims([stuck.lanes.saving]);
      const done = queue.run(assemble('d-6'));
      await eventually(
        async () => claims.held,
        (held) => held.length === 1,
      );
      const [held] = claims.held;
      await queue.release([{ ...held!, token: 'of somebody else' }]);
      expect(await (await Job.fromId(stuck.lanes.saving, held!.jobId))!.getState()).toBe('active');
      await stuck.close(true);
      await queue.release([held!]);
      await queue.release([held!]);
      // At once: its claim has not lapsed.
      expect(await queue.inspector().counts()).toMatchObject({ waiting: 1, active: 0 });
      const seen: ConversionJob[] = [];
      const take = async (job: ConversionJob) => void seen.push(job);
      const others = [1, 2].map(
        () => new JobWorker(opened.store, { concurrency: 2, process: take, onError: () => undefined }),
      );
      await done;
      expect(seen).toEqual([assemble('d-6')]);
      await Promise.all(others.map((worker) => worker.close()));
    });
  });
}
