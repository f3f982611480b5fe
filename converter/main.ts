import path from 'node:path';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Closing } from '../db/closing.ts';
import { ConversionRecords } from '../db/conversions.ts';
import { Documents } from '../db/documents.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { Media } from '../db/media.ts';
import { OpenedSources } from '../db/opened-sources.ts';
import { openPool } from '../db/pool.ts';
import { FileBlobStore } from '../services/adapters/file-blob-store.ts';
import type { Config } from '../services/config.ts';
import { faultPoints } from '../services/fault-point.ts';
import { type ConversionJob, startWorker } from '../services/jobs.ts';
import type { Logger } from '../services/log.ts';
import { Sealing } from '../services/sealing.ts';
import { loadSecrets } from '../services/secrets.ts';
import { assembleDocument } from './assembly.ts';
import { convertFile } from './convert.ts';
import { EnginePool } from './engine-pool.ts';
import { copyEngine } from './engines/copy/copy-engine.ts';
import { x2tConversions } from './engines/x2t/conversion.ts';
import { findX2t } from './engines/x2t/installation.ts';
import { X2tEngine } from './engines/x2t/x2t-engine.ts';
import { exportDocument } from './export.ts';
import { makeForcedSaves } from './forced-save.ts';
import { openSource } from './opening.ts';

const statementTimeoutMs = 60_000;

/** Composition root of a converter process: takes jobs until it is stopped; a job under way is finished first. */
export async function startWorkerProcess(config: Config, log: Logger): Promise<{ stop(): Promise<void> }> {
  if (!config.databaseUrl) {
    throw new Error('A worker needs the DATABASE_URL of the server whose jobs it takes.');
  }
  const pool = openPool({
    url: config.databaseUrl,
    max: config.converterConcurrency + 1,
    statementTimeoutMs,
    log,
  });
  const engines = new EnginePool({
    threads: config.converterConcurrency,
    memoryMb: config.converterMemoryMb,
    timeoutMs: config.converterJobTimeoutMs,
    log,
  });
  const found = await findX2t(config);
  const x2t = found
    ? await X2tEngine.start(found, {
        dataDir: config.dataDir,
        timeoutMs: config.converterJobTimeoutMs,
        memoryMb: config.converterMemoryMb,
        log,
      })
    : null;
  const { version: x2tVersion = 'not installed', directory, confined } = found ?? {};
  log.info({ x2t: x2tVersion, directory, confined }, 'Engines are ready');
  const sealing = new Sealing(await loadSecrets(config));
  const conversionEngines = [copyEngine, ...(x2t ? [x2tConversions(x2t)] : [])];
  const conversions = new ConversionRecords(pool);
  const shared = {
    sealing,
    blobs: new FileBlobStore(path.join(config.dataDir, 'blobs')),
    engines,
    x2t,
    openedSources: new OpenedSources(pool),
    faultPoint: faultPoints(config.faultPoint, config.dataDir),
  };
  const changeLog = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
  const closing = new Closing(pool);
  const documents = new Documents(pool);
  const forcedSaves = new ForcedSaves(pool);
  const files = { ...shared, media: new Media(pool), log: changeLog };

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
    }
  };
  const work = async (job: ConversionJob): Promise<object> => {
    const startedAt = performance.now();
    const outcome = await perform(job);
    const elapsedMs = Math.round(performance.now() - startedAt);
    log.info({ job: job.name, ...logged(job), ...outcome, elapsedMs }, 'A job ended');
    return outcome;
  };
  const worker = startWorker(
    { databaseUrl: config.databaseUrl, redisUrl: config.redisUrl },
    config.converterConcurrency,
    (job) =>
      work(job).catch((error: unknown) => {
        log.error({ err: error, job: job.name, ...logged(job) }, 'A job failed and will be tried again');
        throw error;
      }),
    (error) => log.warn({ err: error }, 'The job queue reports an error'),
  );
  await worker.waitUntilReady();
  return {
    async stop() {
      await worker.close();
      await engines.close();
      await pool.end();
    },
  };
}

/** What is logged of a job: nothing that is sealed. */
function logged({ data }: ConversionJob): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'sealed'));
}
