import type pg from 'pg';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Checkpoints } from '../../db/checkpoints.ts';
import { Closing } from '../../db/closing.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import { Documents } from '../../db/documents.ts';
import { ForcedSaves } from '../../db/forced-saves.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { Media } from '../../db/media.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import type { ConversionJob, JobLane } from '../../jobs/job.ts';

import type { JobOrigin } from '../../jobs/job-worker.ts';
import { kinds } from '../../model/kinds.ts';
import type { Config } from '../../platform/config.ts';
import { faultPoints } from '../../platform/fault-point.ts';
import { type Logger, withLogFields } from '../../platform/log.ts';

import type { ConvertingMetrics, JobOutcome } from '../../platform/metrics/converting.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import { traced } from '../../platform/tracing.ts';
import { LaneLimit } from '../engines/concurrency-limits.ts';
import type { WorkerEngines } from '../engines/worker-engines.ts';
import { sourceLimits } from '../source-checks/source-limits.ts';
import { assembleDocument } from './assembly.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { convertFile } from './convert.ts';
import { exportDocument } from './export.ts';
import { makeForcedSaves } from './forced-save.ts';
import { openSource } from './opening.ts';
import { pickFromModel } from './pick.ts';

/** Does one job and returns what is logged of its result. */
type RunJob = (job: ConversionJob, lane: JobLane) => Promise<object>;

/** What all jobs work with. */
interface JobResources {
  config: Config;
  pool: pg.Pool;
  blobs: BlobStore;
  sealing: Sealing;
  engines: WorkerEngines;
}

/** Does jobs of every kind: one function for each kind, with the tables and engines that it needs. */
export function jobRunner({ config, pool, blobs, sealing, engines }: JobResources): RunJob {
  const { openingTimeoutMs, conversionTimeoutMs } = config;
  const shared = {
    ...{ sealing, blobs, engines: engines.pool, x2t: engines.x2t },
    openedSources: new OpenedSources(pool),
    sourceLimits: sourceLimits(config),
    faultPoint: faultPoints(config.faultPoint, config.dataDir),
  };
  const forFiles = {
    ...shared,
    media: new Media(pool),
    log: new PostgresChangeLog(pool, new GroupCommit(pool, 0)),
    checkpoints: new Checkpoints(pool, kinds.models),
    checkpointEvery: config.checkpointEvery,
    conversionEngines: engines.conversions,
    assemblyFormatAsOrigin: config.assemblyFormatAsOrigin,
  };
  const forConversions = {
    ...{ ...shared, openingTimeoutMs, conversionTimeoutMs },
    conversions: new ConversionRecords(pool),
    conversionEngines: engines.conversions,
  };
  const documents = new Documents(pool);
  const closing = new Closing(pool);
  const forcedSaves = new ForcedSaves(pool);
  // More saves are worked on than files are made: the others store theirs meanwhile.
  const making = new LaneLimit(config.converterConcurrency);

  return (job, lane) => {
    switch (job.name) {
      case 'open':
        return openSource(job.data, { ...shared, openingTimeoutMs });
      case 'convert':
        return convertFile({ ...job.data, lane }, forConversions);
      case 'assemble':
        return assembleDocument(job.data, { ...forFiles, lane, making, closing });
      case 'force-save':
        return makeForcedSaves(job.data, { ...forFiles, lane, making, forcedSaves });
      case 'export':
        return exportDocument(job.data, { ...forFiles, lane, documents });
      case 'pick':
        return pickFromModel(job.data, { ...shared, openingTimeoutMs });
      case 'checkpoint':
        return makeCheckpoint(job.data, { ...forFiles, documents });
    }
  };
}

/**
 * Does jobs by `run`, and reports each: how it ended in the log, its times in the metrics, its span in the trace.
 * Every line that is logged meanwhile says which job it is about.
 */
export function observedRunner(
  run: RunJob,
  { metrics, log }: { metrics: ConvertingMetrics; log: Logger },
): (job: ConversionJob, origin: JobOrigin) => Promise<object> {
  return (job, { queuedAtMs, lane, trace }) => {
    const fields = fieldsOf(job);
    return withLogFields(fields, () =>
      traced(`job ${job.name}`, { 'quire.job': job.name, ...keyOf(fields) }, () => work(job), trace),
    );

    async function work(taken: ConversionJob): Promise<object> {
      const startedAt = performance.now();
      metrics.began(taken.name, Date.now() - queuedAtMs);
      let ended: JobOutcome = 'error';
      try {
        const outcome = await run(taken, lane);
        ended = outcomeOf(outcome);
        metrics.skipped((outcome as { skipped?: number }).skipped ?? 0);
        log.info({ ...outcome, elapsedMs: Math.round(performance.now() - startedAt) }, 'A job ended');
        return outcome;
      } catch (error) {
        log.error({ err: error }, 'A job failed and will be tried again');
        throw error;
      } finally {
        metrics.ended(taken.name, ended, performance.now() - startedAt);
      }
    }
  };
}

function outcomeOf(outcome: object): JobOutcome {
  const { ok, kind } = outcome as { ok?: boolean; kind?: string };
  if (kind === 'superseded') return 'superseded';
  return ok === false || kind === 'not-assembled' ? 'refused' : 'done';
}

/** What is logged of a job: nothing that is sealed. A document is named as everywhere. */
function fieldsOf({ name, data }: ConversionJob): Record<string, unknown> {
  const { key, sealed: _sealed, ...others } = data as Record<string, unknown>;
  return { job: name, ...(key === undefined ? {} : { documentKey: key }), ...others };
}

const keyOf = ({ documentKey }: Record<string, unknown>) =>
  typeof documentKey === 'string' ? { 'quire.document': documentKey } : {};
