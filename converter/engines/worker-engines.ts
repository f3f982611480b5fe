import type { Registry } from 'prom-client';
import { mostJobs } from '../../jobs/job-worker.ts';
import { mostAtOnce } from '../../jobs/tenant-places.ts';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { type ConvertingMetrics, OfficeMetrics } from '../../platform/metrics/converting.ts';

import { confinementSentence } from '../confinement/confinement.ts';
import { enginePreference } from '../formats/engine-preference.ts';
import { ConversionEngines } from './conversion-engines.ts';
import { copyEngine } from './copy-engine.ts';
import { EnginePool } from './engine-pool.ts';
import { findOffice, type OfficeInstallation } from './libreoffice/installation.ts';
import { type Office, openOffice } from './libreoffice/libreoffice-engine.ts';
import { tableEngine } from './table-engine.ts';
import { x2tConversions } from './x2t/conversion.ts';
import { findX2t, type X2tInstallation } from './x2t/installation.ts';
import { X2tEngine } from './x2t/x2t-engine.ts';

/** All engines of a converter process. */
export interface WorkerEngines {
  /** Threads for the engines of our own models. */
  pool: EnginePool;
  /** Null where it is not installed. */
  x2t: X2tEngine | null;
  /** Engines that make files of one format from another. */
  conversions: ConversionEngines;
  close(): Promise<void>;
}

/** What engines report to. */
interface EngineObservers {
  registry: Registry;
  metrics: ConvertingMetrics;
  log: Logger;
}

/**
 * Starts the engines that are installed on this machine.
 * @throws X2tUnusable, OfficeUnusable when one is named that cannot be used
 */
export async function startEngines(config: Config, observers: EngineObservers): Promise<WorkerEngines> {
  const pool = openPool(config, observers);
  const [installedX2t, { office: installedOffice, missing }] = await Promise.all([
    findX2t(config),
    findOffice(config),
  ]);
  if (missing !== null) observers.log.info({ missing }, 'LibreOffice is not used');
  const office = installedOffice && (await startOffice(installedOffice, config, observers));
  const x2t = installedX2t && (await startX2t(installedX2t, config, observers));
  logEngines(installedX2t, installedOffice, observers.log);
  const list = [
    ...[copyEngine, tableEngine(pool)],
    ...(x2t ? [x2tConversions(x2t)] : []),
    ...(office ? [office.engine] : []),
  ];
  return {
    ...{ pool, x2t },
    conversions: new ConversionEngines(list, enginePreference(config.converterEngines)),
    async close() {
      await pool.close();
      await office?.pool.close();
    },
  };
}

function openPool(config: Config, { metrics, log }: EngineObservers): EnginePool {
  return new EnginePool({
    threads: mostJobs(config.converterConcurrency),
    memoryMb: config.converterMemoryMb,
    timeoutMs: config.converterJobTimeoutMs,
    kindModules: config.kindModules,
    log,
    onRun: (task, isDone, elapsedMs) => metrics.ran('ooxml', task, isDone, elapsedMs),
  });
}

async function startOffice(
  installation: OfficeInstallation,
  config: Config,
  { registry, metrics, log }: EngineObservers,
): Promise<Office> {
  let started: Office | null = null;
  started = await openOffice(installation, config, {
    log,
    onRun: (task, isDone, elapsedMs) => metrics.ran('libreoffice', task, isDone, elapsedMs),
    listener: new OfficeMetrics(registry, () => started?.pool ?? null),
  });
  return started;
}

function startX2t(
  installation: X2tInstallation,
  config: Config,
  { metrics, log }: EngineObservers,
): Promise<X2tEngine> {
  return X2tEngine.start(installation, {
    dataDir: config.dataDir,
    timeoutMs: config.converterJobTimeoutMs,
    memoryMb: config.converterMemoryMb,
    atOnce: mostAtOnce(config.converterConcurrency),
    log,
    onRun: (task, isDone, elapsedMs) => metrics.ran('x2t', task, isDone, elapsedMs),
  });
}

function logEngines(x2t: X2tInstallation | null, office: OfficeInstallation | null, log: Logger): void {
  const { version = 'not installed', directory, confinement } = x2t ?? {};
  log.info(
    {
      ...{ x2t: version, directory, confinement: confinement && confinementSentence(confinement) },
      libreoffice: office?.version ?? 'not used',
    },
    'Engines are ready',
  );
}
