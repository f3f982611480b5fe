import type pg from 'pg';
import type { Logger } from 'pino';
import { copyAbility } from '../../converter/engines/copy-engine.ts';
import { tableAbility } from '../../converter/engines/table-engine.ts';
import { presentEngines } from '../../converter/formats/abilities.ts';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { enginePreference } from '../../converter/formats/engine-preference.ts';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import { ConverterEngines, enginesLapseMs, type PresentEngine } from '../../db/converter-engines.ts';
import { FairQueue } from '../../db/fair-queue.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import type { Config } from '../../platform/config.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import { ConversionRequests, claimLapseMs } from '../lifecycle/conversion-requests.ts';
import { Conversions } from '../lifecycle/conversions.ts';
import { FollowedEngines } from '../lifecycle/followed-engines.ts';
import { OpeningProgress } from '../lifecycle/opening/opening-progress.ts';
import type { Shutdown } from './shutdown.ts';

const forgetEveryMs = 3_600_000;
const lookForEnginesEveryMs = 5_000;

export interface ConversionParts {
  table: ConversionTable;
  conversions: Conversions;
  requests: ConversionRequests;
  openingProgress: OpeningProgress;
}

/** What converts files: the table of engines, and the requests that are under way. */
export async function composeConversion(
  from: {
    config: Config;
    pool: pg.Pool;
    queue: ConversionQueue;
    sealing: Sealing;
    /** Engines on this machine, for the time until converter processes have reported theirs. */
    ownEngines: readonly PresentEngine[];
    metrics: Metrics;
    log: Logger;
  },
  shutdown: Shutdown,
): Promise<ConversionParts> {
  const { config, pool, queue, sealing, ownEngines, log } = from;
  const table = new ConversionTable([], enginePreference(from.config.converterEngines));
  const engines = new FollowedEngines(table, new ConverterEngines(pool, enginesLapseMs), [
    ...presentEngines([copyAbility, tableAbility]),
    ...ownEngines,
  ]);
  await engines.look();
  shutdown.repeat(
    lookForEnginesEveryMs,
    () => engines.look(),
    'The engines of converters could not be looked for',
  );
  const { conversionCacheMs } = config;
  const records = new ConversionRecords(pool, conversionCacheMs);
  const requestRecords = new ConversionRequestRecords<ConversionOutcome>(
    pool,
    claimLapseMs,
    conversionCacheMs,
  );
  const fairQueue = new FairQueue(pool);
  shutdown.repeat(
    forgetEveryMs,
    () => Promise.all([records.forgetOld(), requestRecords.forgetOld(), fairQueue.forgetServed()]),
    'Old conversions could not be forgotten',
  );
  return {
    table,
    conversions: new Conversions({
      ...{ records, queue, table, sealing },
      onLookedUp: (isKnown) => from.metrics.caches.looked('conversions', isKnown),
    }),
    openingProgress: new OpeningProgress(records, queue),
    requests: new ConversionRequests(requestRecords, 2 * config.converterJobTimeoutMs, log),
  };
}
