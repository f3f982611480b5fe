/**
 * Job rounds: what it costs to queue a job while many people of one application wait.
 *
 *     node dist/bench/job-rounds.js [--jobs 500] [--at-once 8]
 *
 * For each number of people who wait, as many jobs come as are begun: a job of somebody new takes its round, and the next
 * round is reached. `people waited before`: whose jobs are done already. The time is that of one job with its share of what the others take.
 */
import './support/help.ts';

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { FairQueue } from '../db/fair-queue.ts';
import { migrate } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import { descendantsOf, sumOf, usageOf } from '../load/process-usage.ts';
import { inParallel, numbersFrom } from './support/bench-run.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ jobs: 500, 'at-once': 8 });
const lane = 'saving';
const crowds = [
  { waiting: 100, served: 0 },
  { waiting: 1_000, served: 0 },
  { waiting: 10_000, served: 0 },
  { waiting: 100, served: 10_000 },
];

const silent = { info: () => {}, warn: () => {}, error: console.error };
const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-bench-'));
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log: silent });
await migrate({ url: postgres.url });
const pool = openPool({ url: postgres.url, max: options['at-once'], statementTimeoutMs: 0, log: silent });

const databaseMs = async () => {
  const processes = await descendantsOf(process.pid, 'postgres');
  return sumOf(await Promise.all(processes.map((pid) => usageOf(pid, { withEnded: true })))).cpuMs;
};

/** Jobs of so many people, each of whom has one, and of whom the first have been begun. */
async function crowd(fairQueue: FairQueue, waiting: number, served: number): Promise<number> {
  await fairQueue.restart(lane);
  let first = 0;
  await inParallel(waiting + served, options['at-once'], async (number) => {
    const { round } = await fairQueue.nextRound(lane, { key: `waits-${number}` });
    if (number < served) await fairQueue.reach(lane, round);
    first = Math.max(first, number < served ? round : 0);
  });
  return first;
}

try {
  const fairQueue = new FairQueue(pool);
  const rows: Row[] = [];
  for (const { waiting, served } of crowds) {
    progress(`${waiting} people wait`);
    let reached = await crowd(fairQueue, waiting, served);
    const [startedAt, cpuMs] = [performance.now(), await databaseMs()];
    await inParallel(options.jobs, options['at-once'], async (number) => {
      await fairQueue.nextRound(lane, { key: `comes-${number}` });
      reached += 1;
      await fairQueue.reach(lane, reached);
    });
    rows.push({
      'people who wait': waiting,
      'people waited before': served,
      'ms/job': rounded((performance.now() - startedAt) / options.jobs),
      'database CPU ms/job': rounded(((await databaseMs()) - cpuMs) / options.jobs),
    });
  }
  report('job-rounds', options, rows);
} finally {
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
