import { Queue } from 'bullmq';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FairQueue } from '../../db/fair-queue.ts';
import { type ConversionJob, type JobAsker, type JobLane, queueNames } from '../../jobs/job.ts';

import { backendOf, type JobStore } from '../../jobs/job-store.ts';
import { JobWorker } from '../../jobs/job-worker.ts';
import { ConversionQueue, QueueFullError } from '../../jobs/jobs.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import { eventually } from '../support/eventually.ts';
import { patienceMs } from '../support/patience.ts';

const limit = 1_100;
/** How many jobs of one tenant another's have to pass: a thousand where somebody has the time. */
const flooding = Number(process.env.JOB_ORDER_JOBS ?? 60);

/** In which order jobs are done wherever they are kept. */
export function describeJobOrder(
  name: string,
  open: () => Promise<{ store: JobStore; pool: pg.Pool; close(): Promise<void> }>,
): void {
  describe(`order of jobs: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let fairQueue: FairQueue;
    let nodes: ConversionQueue[];
    let inspector: QueueInspector;
    let done: string[];
    let round = 0;
    let running: JobWorker | null = null;
    beforeAll(async () => {
      opened = await open();
      fairQueue = new FairQueue(opened.pool);
      const order = { fairQueue, limit };
      nodes = [1, 2].map(() => new ConversionQueue(opened.store, 60_000, () => undefined, order));
      await Promise.all(nodes.map((node) => node.ready()));
      inspector = nodes[0]!.inspector();
    });
    beforeEach(() => {
      done = [];
      round += 1;
    });
    afterEach(async () => {
      await running?.close();
      running = null;
    });
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await opened.close();
    });

    const convert = (id: string): ConversionJob => ({ name: 'convert', data: { id, attempt: round } });
    const asker = (lane: JobLane, tenant: string): JobAsker => ({ lane, owner: { tenant } });
    const run = (id: string, lane: JobLane, tenant: string, node = nodes[0]!) =>
      node.run(convert(id), asker(lane, tenant));
    const waits = async (count: number) =>
      eventually(
        () => inspector.counts(),
        ({ waiting }) => waiting === count,
      );
    /** One job of each lane at a time, in the order in which they are taken. */
    const worker = (process: (id: string) => Promise<void> = async () => undefined, concurrency = 1) => {
      running = new JobWorker(opened.store, {
        concurrency,
        process: async ({ name: kind, data }) => {
          const id = kind === 'convert' ? data.id : kind;
          done.push(id);
          await process(id);
        },
        onError: () => undefined,
        onRound: (lane, round) => fairQueue.reach(lane, round),
      });
    };
    /** Queues jobs one after the other. */
    const inLine = async (ids: readonly string[], tenant: string): Promise<Promise<void>[]> => {
      const jobs: Promise<void>[] = [];
      for (const id of ids) {
        jobs.push(run(id, 'batch', tenant));
        await waits(jobs.length);
      }
      return jobs;
    };

    test(
      '[JP1] the many jobs of one tenant let the first ones of another pass, on whichever node they came',
      async () => {
        const flood = Array.from({ length: flooding }, (_, at) =>
          run(`many-${at}`, 'batch', 'many', nodes[at % 2]),
        );
        await waits(flooding);
        const few = ['few-0', 'few-1', 'few-2'].map((id) => run(id, 'batch', 'few', nodes[1]));
        await waits(flooding + 3);
        let release: () => void = () => undefined;
        const until = new Promise<void>((resolve) => {
          release = resolve;
        });
        worker(() => (done.length === 30 ? until : Promise.resolve()));
        await Promise.all(few);
        // Each of the few waits for one of the many at most.
        const places = ['few-0', 'few-1', 'few-2'].map((id) => done.indexOf(id)).sort((a, b) => a - b);
        for (const [at, place] of places.entries()) expect(place).toBeLessThanOrEqual(2 * at + 1);
        // Whoever comes when some are done is not behind those that wait.
        await eventually(
          async () => done.length,
          (length) => length === 30,
        );
        const late = run('late-0', 'batch', 'late');
        await waits(flooding + 3 - 30 + 1);
        release();
        await late;
        expect(done.indexOf('late-0')).toBeLessThanOrEqual(32);
        await Promise.all(flood);
        expect(new Set(done).size).toBe(flooding + 4);
      },
      5 * patienceMs,
    );

    test('[JP2] nobody’s batch holds up what somebody waits for', async () => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      const slow = await inLine(['slow-0', 'slow-1'], 'slow');
      worker((id) => (id.startsWith('slow') ? until : Promise.resolve()));
      await eventually(
        async () => done.length,
        (length) => length === 1,
      );
      await run('quick', 'interactive', 'slow');
      expect(done).toEqual(['slow-0', 'quick']);
      release();
      await Promise.all(slow);
    });

    /** Work that goes on until it is released. */
    const endless = () => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      return { until, release };
    };
    const began = (count: number) =>
      eventually(
        async () => done.length,
        (length) => length === count,
      );

    test('[JP9] a save waits for nothing but saves, whatever has taken every place', async () => {
      const { until, release } = endless();
      worker((id) => (id.includes('slow') ? until : Promise.resolve()), 2);
      const slow = ['a', 'b', 'c'].flatMap((tenant) => [
        run(`slow-${tenant}`, 'interactive', tenant),
        run(`batch-slow-${tenant}`, 'batch', tenant),
      ]);
      const taken = (kind: string) => done.filter((id) => id.startsWith(kind)).length;
      await eventually(
        async () => [taken('slow'), Math.min(1, taken('batch'))],
        (counts) => counts.join() === '3,1',
      );
      await nodes[0]!.run({ name: 'assemble', data: { key: `k${round}`, epoch: 1 } });
      await nodes[1]!.run({ name: 'force-save', data: { key: `k${round}`, saveId: `s${round}` } });
      expect([taken('slow'), taken('assemble'), taken('force-save')]).toEqual([3, 1, 1]);
      release();
      await Promise.all(slow);
    });

    test('[JP10] one tenant alone has every place, and another’s jobs begin all the same', async () => {
      const { until, release } = endless();
      worker((id) => (id.startsWith('slow') ? until : Promise.resolve()), 2);
      const slow = [1, 2, 3, 4, 5].map((number) => run(`slow-${number}`, 'interactive', 'many'));
      await began(2);
      for (let number = 1; number <= 4; number += 1) {
        await run(`quick-${number}`, 'interactive', 'few', nodes[number % 2]);
      }
      // Those that come together, too.
      await Promise.all([5, 6, 7].map((number) => run(`quick-${number}`, 'interactive', 'few')));
      expect(done.filter((id) => id.startsWith('slow'))).toHaveLength(2);
      release();
      await Promise.all(slow);
      expect(new Set(done).size).toBe(5 + 7);
    });

    test('[JP12] a job that let others pass is called as soon as its tenant has a place, and that is no attempt', async () => {
      const ends: (() => void)[] = [];
      worker((id) => (id.startsWith('slow') ? new Promise((end) => ends.push(end)) : Promise.resolve()), 2);
      const slow = [1, 2, 3].map((number) => run(`slow-${number}`, 'interactive', 'many'));
      const passing = () => inspector.jobs(10);
      const passed = await eventually(passing, (jobs) => jobs.some(({ state }) => state === 'delayed'));
      expect(passed.find(({ state }) => state === 'delayed')).toMatchObject({ attempts: 0, lastError: null });
      expect(done).toHaveLength(2);
      ends.shift()!();
      await began(3);
      for (const end of ends) end();
      await Promise.all(slow);
    });

    test('[JP3] what waits and is then wanted by somebody who waits goes before the others, and is done once', async () => {
      const first = run('moved', 'batch', 'a');
      await waits(1);
      const again = run('moved', 'interactive', 'b', nodes[1]);
      const quick = new Queue(queueNames.interactive, ...backendOf(opened.store, 1));
      await eventually(
        () => quick.getJobCounts('prioritized'),
        ({ prioritized }) => prioritized === 1,
      );
      await quick.close();
      await waits(1);
      worker();
      await Promise.all([first, again]);
      expect(done).toEqual(['moved']);
    });

    test('[JP4] more than may wait are refused at once and leave nothing; saving is not', async () => {
      const small = new ConversionQueue(opened.store, 60_000, () => undefined, { fairQueue, limit: 2 });
      await small.ready();
      const held = [
        small.run(convert('h-0'), asker('batch', 'a')),
        small.run(convert('h-1'), asker('batch', 'a')),
      ];
      await waits(2);
      await expect(small.run(convert('h-2'), asker('batch', 'b'))).rejects.toThrow(QueueFullError);
      expect(await small.isFull('batch')).toBe(true);
      expect(await small.isFull('interactive')).toBe(false);
      const saving = [0, 1, 2, 3].map((epoch) =>
        small.run({ name: 'assemble', data: { key: `k${round}`, epoch } }),
      );
      await waits(6);
      worker();
      await Promise.all([...held, ...saving]);
      await small.close();
    });

    test('[JP5] a place in the line is how many are before', async () => {
      const jobs = await inLine(['p-0', 'p-1', 'p-2'], 'p');
      expect(await nodes[1]!.placeOf(convert('p-2'))).toBe(2);
      expect(await nodes[1]!.placeOf(convert('p-9'))).toBeNull();
      worker();
      await Promise.all(jobs);
    });
  });
}

/** For how many jobs of each tenant there is a round at or before this one, when all ask at the same time. */
export function describeRounds(open: () => Promise<{ pool: pg.Pool; close(): Promise<void> }>): void {
  let database: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database?.close());
  test('[JP20] people of a tenant take turns, and what one waits for of another is bounded by how many wait', async () => {
    const fairQueue = new FairQueue(database.pool);
    const steps = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'done', 'done'), { maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await fairQueue.restart('batch');
        const line: { person: string; round: number; at: number }[] = [];
        for (const [at, step] of given.entries()) {
          if (step === 'done') {
            line.sort((one, other) => one.round - other.round || one.at - other.at);
            const taken = line.shift();
            if (taken) await fairQueue.reach('batch', taken.round);
            continue;
          }
          const { round } = await fairQueue.nextRound('batch', { key: 'turns-0', person: step });
          line.push({ person: step, round, at });
          const own = line.filter(({ person }) => person === step);
          expect(own.every((one) => one.at === at || one.round < round)).toBe(true);
          // With three others each of its jobs is four rounds after the one before at most.
          for (const other of ['a', 'b', 'c', 'd'].filter((name) => name !== step)) {
            const ahead = line.filter(({ person, round: theirs }) => person === other && theirs <= round);
            expect(ahead.length).toBeLessThanOrEqual(4 * own.length + 1);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
  test('[JP20] a person’s first job passes another’s thousand, on another node too, and other tenants wait no longer for it', async () => {
    await new FairQueue(database.pool).restart('batch');
    const nodes = [new FairQueue(database.pool), new FairQueue(database.pool)];
    const take = async (node: number, key: string, person: string) =>
      (await nodes[node]!.nextRound('batch', { key, person })).round;
    for (let job = 0; job < 20; job += 1) await take(job % 2, 'turns-0', 'many');
    expect(await take(1, 'turns-1', 'few')).toBeLessThanOrEqual(2);
    expect(await take(0, 'turns-1', 'few')).toBeLessThanOrEqual(4);
    // Where no person is known, the document is one.
    expect(await take(0, 'turns-2', '')).toBeLessThanOrEqual(3);
    const { round } = await nodes[0]!.nextRound('batch', { tenant: 'another' });
    expect(round).toBe(1);
  });
  test('[NC16] what a round costs does not grow with the people who wait, nor with those who waited', async () => {
    const people = 3_000;
    const jobs = 300;
    const client = await database.pool.connect();
    try {
      const fairQueue = new FairQueue(client);
      // PostgreSQL says of the transaction under way what it has read in it.
      await client.query('BEGIN');
      await fairQueue.restart('batch');
      const { tenant } = await fairQueue.nextRound('batch', { key: 'crowded-0', person: 'first' });
      for (const [name, at] of [
        ['waits', people],
        ['waited', 0],
      ] as const)
        await client.query(
          `INSERT INTO job_turns (lane, tenant, turn)
           SELECT 'batch', $1 || chr(31) || $2 || n, n + $3::int - $4::int FROM generate_series(1, $4::int) AS n`,
          [tenant, name, at, people],
        );
      await client.query(`UPDATE job_turns SET turn = $1, people = $3 WHERE tenant = $2`, [
        people,
        tenant,
        people + 1,
      ]);
      const read = async () => {
        const { rows } = await client.query<{ count: number }>(
          `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'job_turns'`,
        );
        return rows[0]!.count;
      };
      const before = await read();
      for (let job = 1; job <= jobs; job += 1) {
        await fairQueue.reach('batch', job);
        const { round } = await fairQueue.nextRound('batch', { key: 'crowded-0', person: `new-${job}` });
        expect(round).toBeGreaterThan(people / 2);
      }
      expect((await read()) - before).toBeLessThan((jobs * people) / 20);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
  test('[NC16] few people who wait are counted as they are', async () => {
    const fairQueue = new FairQueue(database.pool);
    const steps = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'done', 'done', 'done'), {
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await fairQueue.restart('batch');
        const line: { round: number; at: number }[] = [];
        const last = new Map<string, number>();
        let [reached, tenant] = [1, 0];
        for (const [at, step] of given.entries()) {
          if (step === 'done') {
            line.sort((one, other) => one.round - other.round || one.at - other.at);
            const taken = line.shift();
            if (!taken) continue;
            reached = Math.max(reached, taken.round);
            await fairQueue.reach('batch', taken.round);
            continue;
          }
          const own = last.get(step);
          const others = [...last].filter(([name, round]) => name !== step && round >= reached).length;
          tenant = Math.max(tenant + 1, reached);
          const next = Math.min(tenant, Math.max((own ?? 0) + 1 + others, reached + others));
          const first = Math.min(tenant, reached + others);
          const { round } = await fairQueue.nextRound('batch', { key: 'turns-0', person: step });
          expect(round).toBe(own === undefined ? first : next);
          last.set(step, round);
          line.push({ round, at });
        }
      }),
      { numRuns: 40 },
    );
  });
  test('[JP6] whatever comes in whichever order, a tenant’s job waits for no more jobs of another than it has had itself in this round and waiting, and one', async () => {
    const fairQueue = new FairQueue(database.pool);
    // A job comes from one of four tenants, or one is done.
    const steps = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'done', 'done', 'done'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        await fairQueue.restart('batch');
        const line: {
          tenant: string;
          round: number;
          at: number;
          ahead: Record<string, number>;
          own: number;
          hadRound: number;
        }[] = [];
        /** The round that was taken last, and the last one that each tenant had. */
        let reached = 0;
        const had = new Map<string, number>();
        let at = 0;
        for (const step of given) {
          at += 1;
          if (step !== 'done') {
            const own = line.filter(({ tenant }) => tenant === step).length;
            const { round } = await fairQueue.nextRound('batch', { tenant: step });
            const hadRound = had.get(step) === reached ? 1 : 0;
            line.push({ tenant: step, round, at, ahead: {}, own, hadRound });
            continue;
          }
          line.sort((one, other) => one.round - other.round || one.at - other.at);
          const taken = line.shift();
          if (!taken) continue;
          await fairQueue.reach('batch', taken.round);
          reached = taken.round;
          had.set(taken.tenant, taken.round);
          for (const waiting of line) {
            waiting.ahead[taken.tenant] = (waiting.ahead[taken.tenant] ?? 0) + 1;
            const bound = waiting.tenant === taken.tenant ? waiting.own : waiting.own + waiting.hadRound + 1;
            expect(waiting.ahead[taken.tenant]).toBeLessThanOrEqual(bound);
          }
        }
        // The jobs of one tenant are done in the order in which they came.
        for (const { tenant, round, at: came } of line)
          for (const other of line)
            if (other.tenant === tenant && other.at > came) expect(other.round).toBeGreaterThan(round);
      }),
      { numRuns: 40, examples: [[['b', 'a', 'a', 'done', 'c', 'done', 'done']]] },
    );
  });
}
