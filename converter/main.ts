import { Registry } from 'prom-client';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Checkpoints } from '../db/checkpoints.ts';
import { Closing } from '../db/closing.ts';
import { ConversionRecords } from '../db/conversions.ts';
import { ConverterEngines, enginesLapseMs } from '../db/converter-engines.ts';
import { Documents } from '../db/documents.ts';
import { FairQueue } from '../db/fair-queue.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { Media } from '../db/media.ts';
import { OpenedSources } from '../db/opened-sources.ts';
import { PausedJobs } from '../db/paused-jobs.ts';
import { openPool, poolOptions } from '../db/pool.ts';
import { SecretRecords } from '../db/secret-records.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { JobClaims, releaseJobs } from '../jobs/job-claims.ts';
import { type JobLane, jobLanes } from '../jobs/job-lanes.ts';
import { JobWorker, mostJobs } from '../jobs/job-worker.ts';
import { mostAtOnce } from '../jobs/tenant-places.ts';
import { kinds } from '../model/kinds.ts';
import { openBlobStore } from '../platform/adapters/open-blob-store.ts';
import { RedisConnection } from '../platform/adapters/redis/redis-connection.ts';
import type { Config } from '../platform/config.ts';
import { faultPoints } from '../platform/fault-point.ts';
import type { Logger } from '../platform/log.ts';
import { answerWithMetrics } from '../platform/metrics/converters.ts';
import { ConvertingMetrics } from '../platform/metrics/converting.ts';
import { OfficeMetrics } from '../platform/metrics/office.ts';
import { collectProcess } from '../platform/metrics/process.ts';
import { databaseAnswers } from '../platform/probes.ts';
import { Sealing } from '../platform/secrets/sealing.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { startTracing } from '../platform/tracing.ts';
import { confinementSentence } from './confinement/confinement.ts';
import { ConversionEngines } from './engines/conversion-engines.ts';
import { copyEngine } from './engines/copy/copy-engine.ts';
import { EngineAnnouncement } from './engines/engine-announcement.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { loadKindModules } from './engines/kind-modules.ts';
import { findOffice } from './engines/libreoffice/installation.ts';
import { type Office, openOffice } from './engines/libreoffice/open-office.ts';
import { x2tConversions } from './engines/x2t/conversion.ts';
import { findX2t } from './engines/x2t/installation.ts';
import { X2tEngine } from './engines/x2t/x2t-engine.ts';
import { enginePreference } from './formats/engine-preference.ts';
import { assembleDocument } from './jobs/assembly.ts';
import { makeCheckpoint } from './jobs/checkpoint.ts';
import { convertFile } from './jobs/convert.ts';
import { exportDocument } from './jobs/export.ts';
import { makeForcedSaves } from './jobs/forced-save.ts';
import { openSource } from './jobs/opening.ts';
import { sourceLimits } from './source-checks/source-limits.ts';
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
  await loadKindModules(config.kindModules);
  const registry = new Registry();
  const metrics = new ConvertingMetrics(registry);
  collectProcess(registry, 'quire_converter_');
  answerWithMetrics(registry);
  const stopTracing = await startTracing(config, 'quire-converter', log);
  const pool = openPool({
    ...poolOptions(config),
    url: config.databaseUrl,
    max: mostJobs(config.converterConcurrency) + 1,
    statementTimeoutMs: 2 * config.databaseStatementTimeoutMs,
    log,
  });
  const engines = new EnginePool({
    threads: mostJobs(config.converterConcurrency),
    memoryMb: config.converterMemoryMb,
    timeoutMs: config.converterJobTimeoutMs,
    kindModules: config.kindModules,
    log,
    onRun: (task, isDone, elapsedMs) => metrics.ran('ooxml', task, isDone, elapsedMs),
  });
  const [found, { office: officeFound, missing }] = await Promise.all([findX2t(config), findOffice(config)]);
  if (missing !== null) log.info({ missing }, 'LibreOffice is not used');
  const office: Office | null = officeFound
    ? await openOffice(officeFound, config, {
        log,
        onRun: (task, isDone, elapsedMs) => metrics.ran('libreoffice', task, isDone, elapsedMs),
        listener: new OfficeMetrics(registry, () => office?.pool ?? null),
      })
    : null;
  const x2t = found
    ? await X2tEngine.start(found, {
        dataDir: config.dataDir,
        timeoutMs: config.converterJobTimeoutMs,
        memoryMb: config.converterMemoryMb,
        atOnce: mostAtOnce(config.converterConcurrency),
        log,
        onRun: (task, isDone, elapsedMs) => metrics.ran('x2t', task, isDone, elapsedMs),
      })
    : null;
  const { version: x2tVersion = 'not installed', directory, confinement } = found ?? {};
  const libreoffice = officeFound?.version ?? 'not used';
  log.info(
    { x2t: x2tVersion, directory, confinement: confinement && confinementSentence(confinement), libreoffice },
    'Engines are ready',
  );
  const sealing = new Sealing(await loadSecrets(config, new SecretRecords(pool)));
  const engineList = [copyEngine, ...(x2t ? [x2tConversions(x2t)] : []), ...(office ? [office.engine] : [])];
  const conversionEngines = new ConversionEngines(engineList, enginePreference(config.converterEngines));
  const announced = await EngineAnnouncement.begin(
    new ConverterEngines(pool, enginesLapseMs),
    engineList.map(({ ability }) => ability),
    log,
  );
  const conversions = new ConversionRecords(pool);
  const shared = {
    sealing,
    blobs: await openBlobStore(config),
    engines,
    x2t,
    openedSources: new OpenedSources(pool),
    sourceLimits: sourceLimits(config),
    faultPoint: faultPoints(config.faultPoint, config.dataDir),
  };
  const changeLog = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
  const closing = new Closing(pool);
  const documents = new Documents(pool);
  const forcedSaves = new ForcedSaves(pool);
  const kept = {
    ...shared,
    media: new Media(pool),
    log: changeLog,
    checkpoints: new Checkpoints(pool, kinds.models),
    checkpointEvery: config.checkpointEvery,
    conversionEngines,
    assemblyFormatAsOrigin: config.assemblyFormatAsOrigin,
  };

  const { openingTimeoutMs, conversionTimeoutMs } = config;
  const perform = (job: ConversionJob, lane: JobLane): Promise<object> => {
    const files = { ...kept, lane };
    switch (job.name) {
      case 'open':
        return openSource(job.data, { ...shared, openingTimeoutMs });
      case 'convert':
        return convertFile(
          { ...job.data, lane },
          { ...shared, conversions, conversionEngines, openingTimeoutMs, conversionTimeoutMs },
        );
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
  const fairQueue = new FairQueue(pool);
  const pausedJobs = new PausedJobs(pool);
  const worker = new JobWorker(
    { databaseUrl: config.databaseDirectUrl ?? config.databaseUrl, redis, prefix: config.redisPrefix },
    {
      concurrency: config.converterConcurrency,
      process: watchedWork(perform, { metrics, log }),
      onError: (error) => log.warn({ err: error }, 'The job queue reports an error'),
      onRound: (lane, round) => fairQueue.reach(lane, round),
      // When the database does not answer, the job finds that out by itself.
      isPaused: (kind) => pausedJobs.has(kind).catch(() => false),
    },
  );
  const workers = jobLanes.map((lane) => worker.lanes[lane]);
  const claims = new JobClaims(workers);
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
      await announced.end();
      await worker.close();
      statusPage?.close().closeAllConnections();
      await engines.close();
      await office?.pool.close();
      await pool.end();
      await redis?.close();
      await stopTracing();
    },
    async abandon() {
      await Promise.all(workers.map((one) => releaseJobs(one, claims.held)));
    },
  };
}
