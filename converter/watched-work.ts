import type { ConversionJob } from '../jobs/job.ts';
import type { JobLane } from '../jobs/job-lanes.ts';
import type { JobOrigin } from '../jobs/job-worker.ts';
import type { Logger } from '../platform/log.ts';
import { withLogFields } from '../platform/log-context.ts';
import type { ConvertingMetrics, JobOutcome } from '../platform/metrics/converting.ts';
import { traced } from '../platform/tracing.ts';

/**
 * Does jobs by `perform`, and reports each: how it ended in the log, its times in the metrics, its span in the trace.
 * Every line that is logged meanwhile says which job it is about.
 */
export function watchedWork(
  perform: (job: ConversionJob, lane: JobLane) => Promise<object>,
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
        const outcome = await perform(taken, lane);
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
