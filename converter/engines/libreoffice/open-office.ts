import type { Config } from '../../../platform/config.ts';
import type { Logger } from '../../../platform/log.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import type { EngineListener } from '../engine-listener.ts';
import type { OfficeInstallation } from './installation.ts';
import { libreofficeEngine, maxResultBytes } from './libreoffice-engine.ts';
import { type OfficeListener, OfficePool } from './office-pool.ts';

/** LibreOffice as this process has it. */
export interface Office {
  engine: ConversionEngine;
  pool: OfficePool;
}

/** Starts a pool of an installation as the settings say. */
export async function openOffice(
  installation: OfficeInstallation,
  config: Pick<
    Config,
    | 'libreofficeProcesses'
    | 'libreofficeRecycleJobs'
    | 'libreofficeRecycleMb'
    | 'converterJobTimeoutMs'
    | 'converterMemoryMb'
  >,
  from: { log: Pick<Logger, 'info' | 'warn'>; onRun?: EngineListener; listener?: OfficeListener },
): Promise<Office> {
  const { log, onRun, listener } = from;
  const pool = await OfficePool.start({
    installation,
    size: config.libreofficeProcesses,
    limits: {
      timeoutMs: config.converterJobTimeoutMs,
      memoryMb: config.converterMemoryMb,
      resultBytes: maxResultBytes,
    },
    recycle: { jobs: config.libreofficeRecycleJobs, memoryMb: config.libreofficeRecycleMb },
    log,
    ...(listener && { listener }),
  });
  const engine = libreofficeEngine(pool, { version: installation.version, ...(onRun && { onRun }) });
  return { engine, pool };
}
