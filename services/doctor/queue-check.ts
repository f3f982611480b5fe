import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';

const slowMs = 3_000;
const patienceMs = 5_000;
/** Only the report is printed. */
const silentLog = pino({ level: 'silent' });

/**
 * Sends a job to any worker and waits for the answer. The job is the assembly of a document that does not exist, so it changes
 * nothing, also when a worker takes it only later.
 */
export async function checkQueue(
  {
    databaseUrl,
    redisUrl,
    prefix,
  }: { databaseUrl: string | null; redisUrl: string | undefined; prefix: string },
  timeoutMs: number,
): Promise<Finding[]> {
  if (databaseUrl === null) return [skip('The database does not run, and jobs are in it')];
  if (redisUrl === undefined) {
    const state = await stateOf(databaseUrl);
    if (state === 'away') return [skip('The database cannot be used, and jobs are in it')];
    if (state === 'empty') return [skip('No server has been started on this database yet')];
  }
  const errors: Error[] = [];
  let redis: RedisConnection | null = null;
  let queue: ConversionQueue | null = null;
  try {
    redis = redisUrl ? await RedisConnection.connect(redisUrl, silentLog, patienceMs) : null;
    queue = new ConversionQueue({ databaseUrl, redis, prefix }, timeoutMs, (error) => errors.push(error));
    await queue.ready();
    const startedAt = performance.now();
    await queue.ask({ name: 'assemble', data: { key: `doctor-${randomUUID()}`, epoch: 0 } });
    const elapsedMs = Math.round(performance.now() - startedAt);
    const sentence = `A worker took a job and answered after ${elapsedMs} ms`;
    return [
      elapsedMs < slowMs
        ? ok(sentence)
        : warn(sentence, 'Add workers: CONVERTER_PROCESSES or `quire worker`.'),
    ];
  } catch (error) {
    if (errors[0])
      return [
        fail(`The job queue cannot be used: ${errors[0].message}`, 'See the checks of database and Redis.'),
      ];
    return [
      fail(
        `No worker answered within ${timeoutMs / 1_000} s (${(error as Error).message})`,
        'Start the server with CONVERTER_PROCESSES above 0, or `quire worker` with the same DATABASE_URL and REDIS_URL; look into the log of the workers.',
      ),
    ];
  } finally {
    await queue?.close();
    await redis?.close();
  }
}

async function stateOf(databaseUrl: string): Promise<'set up' | 'empty' | 'away'> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regnamespace('bullmq') IS NOT NULL AS there`,
    );
    return rows[0]!.there ? 'set up' : 'empty';
  } catch {
    return 'away';
  } finally {
    await client.end().catch(() => undefined);
  }
}
