import type pg from 'pg';
import { Registry } from 'prom-client';
import { checkDatabaseAddresses } from '../db/connection-check.ts';
import { ConversionRecords } from '../db/conversions.ts';
import { ConverterEngines, enginesLapseMs } from '../db/converter-engines.ts';
import { FairQueue } from '../db/fair-queue.ts';
import { PausedJobs } from '../db/paused-jobs.ts';
import { openPool, poolOptions } from '../db/pool.ts';
import { SecretRecords } from '../db/secret-records.ts';
import { jobKinds, jobLanes } from '../jobs/job.ts';
import { finishJobs, JobClaims } from '../jobs/job-claims.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { JobWorker, type JobWorkerOptions, mostJobs } from '../jobs/job-worker.ts';
import { openBlobStore } from '../platform/adapters/open-blob-store.ts';
import { RedisConnection } from '../platform/adapters/redis/redis-connection.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import { ConvertingMetrics } from '../platform/metrics/converting.ts';
import { answerWithMetrics, collectProcess } from '../platform/metrics/process.ts';

import type { BlobStore } from '../platform/ports/blob-store.ts';
import { databaseAnswers } from '../platform/probes.ts';
import { SetupError } from '../platform/quire-error.ts';
import { Sealing } from '../platform/secrets/sealing.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { startTracing } from '../platform/tracing.ts';
import { EngineAnnouncement } from './engines/engine-announcement.ts';
import { loadKindModules } from './engines/kind-modules.ts';
import { startEngines } from './engines/worker-engines.ts';
import { jobRunner, observedRunner } from './jobs/job-runner.ts';
import { isOfLargeSource } from './jobs/large-source.ts';
import { openStatusPage } from './status-page.ts';

/** Longest that jobs under way are waited for at a stop: it leaves some of the 30 s that Kubernetes gives, milliseconds. */
const finishJobsMs = 25_000;

export interface WorkerProcess {
  stop(): Promise<void>;
  /** Gives the jobs under way to others: this process ends in the middle of them. */
  abandon(): Promise<void>;
}

/**
 * Composition root of a converter process: takes jobs until it is stopped. A job under way is finished first, or given to
 * another converter when it takes too long.
 */
export async function startWorkerProcess(config: Config, log: Logger): Promise<WorkerProcess> {
  const { databaseUrl } = config;
  if (!databaseUrl) {
    const sentence = 'A worker needs the DATABASE_URL of the server whose jobs it takes';
    const remedy = 'Set DATABASE_URL as for the server.';
    throw new SetupError('database-unnamed', { setting: 'DATABASE_URL', sentence, remedy });
  }
  await checkDatabaseAddresses(config);
  await loadKindModules(config.kindModules);
  const { registry, metrics } = openMetrics();
  const stopTracing = await startTracing(config, 'quire-converter', log);
  const pool = openDatabase(config, databaseUrl, log);
  const engines = await startEngines(config, { registry, metrics, log });
  const sealing = new Sealing(await loadSecrets(config, new SecretRecords(pool)));
  const engineRecords = new ConverterEngines(pool, enginesLapseMs);
  const announcement = await EngineAnnouncement.begin(engineRecords, engines.conversions.abilities, log);
  const blobs = await openBlobStore(config);
  const run = jobRunner({ config, pool, blobs, sealing, engines });
  const redis = config.redisUrl ? await RedisConnection.connect(config.redisUrl, log) : null;
  const jobStore = {
    databaseUrl: config.databaseDirectUrl ?? databaseUrl,
    ...{ redis, prefix: config.redisPrefix },
  };
  const doJob = observedRunner(run, { metrics, log });
  const { worker, claims } = await takeJobs(jobStore, doJob, { config, pool, blobs, log });
  const statusPage = await openStatus(config, registry, async () => {
    return worker.isRunning() && (await databaseAnswers(pool));
  });
  return {
    async stop() {
      await announcement.end();
      const left = await finishJobs(worker, claims, finishJobsMs);
      if (left > 0) {
        log.warn({ jobs: left }, 'Jobs that did not end in time are given to other converters');
        return;
      }
      statusPage?.close().closeAllConnections();
      await engines.close();
      await pool.end();
      await redis?.close();
      await stopTracing();
    },
    async abandon() {
      await claims.giveAway();
    },
  };
}

function openMetrics(): { registry: Registry; metrics: ConvertingMetrics } {
  const registry = new Registry();
  const metrics = new ConvertingMetrics(registry, jobKinds);
  collectProcess(registry, 'quire_converter_');
  answerWithMetrics(registry);
  return { registry, metrics };
}

function openDatabase(config: Config, url: string, log: Logger): pg.Pool {
  return openPool({
    ...poolOptions(config),
    url,
    max: mostJobs(config.converterConcurrency) + 1,
    statementTimeoutMs: 2 * config.databaseStatementTimeoutMs,
    log,
  });
}

/** Begins to take jobs. Resolves when the queue is reached. */
async function takeJobs(
  store: JobStore,
  doJob: JobWorkerOptions['process'],
  { config, pool, blobs, log }: { config: Config; pool: pg.Pool; blobs: BlobStore; log: Logger },
): Promise<{ worker: JobWorker; claims: JobClaims }> {
  const fairQueue = new FairQueue(pool);
  const pausedJobs = new PausedJobs(pool);
  const conversions = new ConversionRecords(pool);
  const worker = new JobWorker(store, {
    concurrency: config.converterConcurrency,
    process: doJob,
    onError: (error) => log.warn({ err: error }, 'The job queue reports an error'),
    onRound: (lane, round) => fairQueue.reach(lane, round),
    // When the database does not answer, the job finds that out by itself.
    isPaused: (kind) => pausedJobs.has(kind).catch(() => false),
    isLarge: (job) => isOfLargeSource(job, { blobs, conversions }).catch(() => false),
  });
  const claims = new JobClaims(jobLanes.map((lane) => worker.lanes[lane]));
  await worker.waitUntilReady();
  return { worker, claims };
}

async function openStatus(config: Config, registry: Registry, isHealthy: () => Promise<boolean>) {
  if (!config.converterPort) return null;
  return openStatusPage({
    port: config.converterPort,
    host: config.host,
    registry,
    readers: config.metricsAllowFrom,
    isHealthy,
  });
}
