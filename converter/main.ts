import { Registry } from 'prom-client';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Checkpoints } from '../db/checkpoints.ts';
import { Closing } from '../db/closing.ts';
import { ConversionRecords } from '../db/conversions.ts';
import { Documents } from '../db/documents.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { Media } from '../db/media.ts';
import { OpenedSources } from '../db/opened-sources.ts';
import { openPool, poolOptions } from '../db/pool.ts';
import { SecretRecords } from '../db/secret-records.ts';
import { openBlobStore } from '../services/adapters/open-blob-store.ts';
import { RedisConnection } from '../services/adapters/redis/redis-connection.ts';
import type { Config } from '../services/config.ts';
import { faultPoints } from '../services/fault-point.ts';
import { JobClaims, releaseJobs } from '../services/job-claims.ts';
import { type ConversionJob, startWorker } from '../services/jobs.ts';
import type { Logger } from '../services/log.ts';
import { answerWithFigures } from '../services/metrics/converters.ts';
import { ConvertingMetrics } from '../services/metrics/converting.ts';
import { collectProcess } from '../services/metrics/process.ts';
import { databaseAnswers } from '../services/probes.ts';
import { Sealing } from '../services/sealing.ts';
import { loadSecrets } from '../services/secrets.ts';
import { startTracing } from '../services/tracing.ts';
import { assembleDocument } from './assembly.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { convertFile } from './convert.ts';
import { EnginePool } from './engine-pool.ts';
import { copyEngine } from './engines/copy/copy-engine.ts';
import { x2tConversions } from './engines/x2t/conversion.ts';
import { findX2t } from './engines/x2t/installation.ts';
import { X2tEngine } from './engines/x2t/x2t-engine.ts';
import { exportDocument } from './export.ts';
import { makeForcedSaves } from './forced-save.ts';
import { openSource } from './opening.ts';
import { openStatusPage } from './status-page.ts';
import { watchedWork } from './watched-work.ts';

export interface WorkerProcess {
  stop(): Promise<void>;
  /** Gives the jobs under way to others: this process ends in the middle of them. */
  abandon(): Promise<void>;
}

/** Composition root of a converter process: takes jobs until it is stopped; a job under way is finished first. */
export async function startWorkerProcess(config: Config, log: Logger): Promise<WorkerProcess> {
  if (!config.databaseUrl) {
    throw new Error('A worker needs the DATABASE_URL of the server whose jobs it takes.');
  }
  const registry = new Registry();
  const metrics = new ConvertingMetrics(registry);
  collectProcess(registry, 'quire_converter_');
  answerWithFigures(registry);
  const stopTracing = await startTracing(config, 'quire-converter', log);
  const pool = openPool({
    ...poolOptions(config),
    url: config.databaseUrl,
    max: config.converterConcurrency + 1,
    statementTimeoutMs: 2 * config.databaseStatementTimeoutMs,
    log,
  });
  const engines = new EnginePool({
    threads: config.converterConcurrency,
    memoryMb: config.converterMemoryMb,
    timeoutMs: config.converterJobTimeoutMs,
    log,
    onRun: (task, isDone, elapsedMs) => metrics.ran('ooxml', task, isDone, elapsedMs),
  });
  const found = await findX2t(config);
  const x2t = found
    ? await X2tEngine.start(found, {
        dataDir: config.dataDir,
        timeoutMs: config.converterJobTimeoutMs,
        memoryMb: config.converterMemoryMb,
        log,
        onRun: (task, isDone, elapsedMs) => metrics.ran('x2t', task, isDone, elapsedMs),
      })
    : null;
  const { version: x2tVersion = 'not installed', directory, confined } = found ?? {};
  log.info({ x2t: x2tVersion, directory, confined }, 'Engines are ready');
  const sealing = new Sealing(await loadSecrets(config, new SecretRecords(pool)));
  const conversionEngines = [copyEngine, ...(x2t ? [x2tConversions(x2t)] : [])];
  const conversions = new ConversionRecords(pool);
  const shared = {
    sealing,
    blobs: await openBlobStore(config),
    engines,
    x2t,
    openedSources: new OpenedSources(pool),
    faultPoint: faultPoints(config.faultPoint, config.dataDir),
  };
  const changeLog = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
  const closing = new Closing(pool);
  const documents = new Documents(pool);
  const forcedSaves = new ForcedSaves(pool);
  const files = {
    ...shared,
    media: new Media(pool),
    log: changeLog,
    checkpoints: new Checkpoints(pool),
    checkpointEvery: config.checkpointEvery,
  };

  const perform = (job: ConversionJob): Promise<object> => {
    switch (job.name) {
      case 'open':
        return openSource(job.data, shared);
      case 'convert':
        return convertFile(job.data, { ...shared, conversions, conversionEngines });
      case 'assemble':
        return assembleDocument(job.data, { ...files, closing });
      case 'force-save':
        return makeForcedSaves(job.data, { ...files, forcedSaves });
      case 'export':
        return exportDocument(job.data, { ...files, documents });
      case 'checkpoint':
        return makeCheckpoint(job.data, { ...files, documents });
    }
  };
  const redis = config.redisUrl ? await RedisConnection.connect(config.redisUrl, log) : null;
  const worker = startWorker(
    { databaseUrl: config.databaseDirectUrl ?? config.databaseUrl, redis, prefix: config.redisPrefix },
    config.converterConcurrency,
    watchedWork(perform, { metrics, log }),
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
  );
  const claims = new JobClaims(worker);
  await worker.waitUntilReady();
  const statusPage = config.converterPort
    ? await openStatusPage({
        port: config.converterPort,
        host: config.host,
        registry,
        readers: config.metricsAllowFrom,
        isHealthy: async () => worker.isRunning() && (await databaseAnswers(pool)),
      })
    : null;
  return {
    async stop() {
      await worker.close();
      statusPage?.close().closeAllConnections();
      await engines.close();
      await pool.end();
      await redis?.close();
      await stopTracing();
    },
    async abandon() {
      await releaseJobs(worker, claims.held);
    },
  };
}
