import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConversionOutcome } from '../../converter/conversion.ts';
import { ConversionTable } from '../../converter/conversion-table.ts';
import { copyAbility } from '../../converter/engines/copy/copy-engine.ts';
import { x2tAbility } from '../../converter/engines/x2t/conversion.ts';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import type { Config } from '../config.ts';
import type { ConversionQueue } from '../jobs.ts';
import { ConversionRequests, claimLapseMs } from '../lifecycle/conversion-requests.ts';
import { Conversions } from '../lifecycle/conversions.ts';
import type { Metrics } from '../metrics.ts';
import type { Sealing } from '../sealing.ts';
import type { Shutdown } from './shutdown.ts';

const forgetEveryMs = 3_600_000;

export interface ConversionParts {
  table: ConversionTable;
  conversions: Conversions;
  requests: ConversionRequests;
}

/** What converts files outside of documents: which engines there are, and the requests that are under way. */
export function composeConversion(
  from: {
    config: Config;
    pool: pg.Pool;
    queue: ConversionQueue;
    sealing: Sealing;
    x2tVersion: string | null;
    metrics: Metrics;
    log: Logger;
  },
  shutdown: Shutdown,
): ConversionParts {
  const { config, pool, queue, sealing, x2tVersion, log } = from;
  const table = new ConversionTable([copyAbility, ...(x2tVersion ? [x2tAbility(x2tVersion)] : [])]);
  const records = new ConversionRecords(pool);
  const requestRecords = new ConversionRequestRecords<ConversionOutcome>(pool, claimLapseMs);
  shutdown.repeat(
    forgetEveryMs,
    () => Promise.all([records.forgetOld(), requestRecords.forgetOld()]),
    'Old conversions could not be forgotten',
  );
  return {
    table,
    conversions: new Conversions({
      ...{ records, queue, table, sealing },
      onLookedUp: (isKnown) => from.metrics.caches.looked('conversions', isKnown),
    }),
    requests: new ConversionRequests(requestRecords, 2 * config.converterJobTimeoutMs, log),
  };
}
