import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../platform/config.ts';
import type { Logger } from '../../../platform/log.ts';
import { ConversionError, EngineEnded, overLimit } from '../../errors.ts';
import type { Conversion } from '../../formats/conversion.ts';
import { type ConversionEngine, type EngineListener, observed } from '../conversion-engine.ts';
import { libreofficeAbility } from './ability.ts';
import type { OfficeInstallation } from './installation.ts';
import { OfficeEnded } from './office-ended.ts';
import { officeTask } from './office-options.ts';
import { type OfficeListener, OfficePool } from './office-pool.ts';
import { readOfficeResult } from './office-result.ts';
import { isEncryptedWorkbook } from './protected-source.ts';

/** The largest result that is taken, bytes. */
const maxResultBytes = 1_024 * 1_048_576;

/** Conversions by a pool of LibreOffice. `onRun` hears of each, with the wait for a process. */
export function libreofficeEngine(
  pool: OfficePool,
  { version, onRun = () => undefined }: { version: string; onRun?: EngineListener },
): ConversionEngine {
  return {
    ability: libreofficeAbility(version),
    convert: (source, conversion, _media, run = { lane: 'batch' }) =>
      observed(onRun, 'convert', async () => {
        const { task, files, result, protectedSource } = await officeTask(conversion, source);
        const converted = pool.run({
          ...run,
          async prepare(directory) {
            for (const { name, bytes } of files) await writeFile(path.join(directory, name), bytes);
            return task;
          },
          collect: (directory) => readOfficeResult(directory, result, maxResultBytes),
        });
        return converted.catch((error: unknown) => {
          throw meaningOf(error, source, conversion, protectedSource);
        });
      }),
  };
}

/** LibreOffice reports a workbook as damaged when it does not know its encryption. */
function lockedWorkbook(password: string | undefined, cause: Error): ConversionError {
  return password === undefined
    ? new ConversionError('passwordRequired', 'the file is protected by a password', { cause })
    : new ConversionError('protected', 'the file is protected in a way that LibreOffice cannot open', {
        cause,
      });
}

/**
 * What is wrong with the file. A process that was killed by others says nothing about the file: the job is tried again
 * later.
 */
function meaningOf(
  error: unknown,
  source: Uint8Array,
  { options }: Conversion,
  protectedSource: boolean,
): unknown {
  if (error instanceof ConversionError) {
    if (error.code === 'corrupted' && isEncryptedWorkbook(source))
      return lockedWorkbook(options.password, error);
    const isLocked = protectedSource && options.password !== undefined && error.code === 'corrupted';
    if (!isLocked) return error;
    return new ConversionError('wrongPassword', 'the password is not the right one', { cause: error });
  }
  if (!(error instanceof OfficeEnded)) return error;
  switch (error.code) {
    case 'time':
    case 'hung':
      return new EngineEnded('time', { cause: error });
    case 'memory':
      return new EngineEnded('memory', { cause: error });
    case 'size':
      return overLimit('the result is too large');
    case 'crashed':
      return new ConversionError('convert', 'LibreOffice crashed over the file', { cause: error });
    case 'killed':
    case 'failed':
    case 'unwanted':
      return error;
  }
}

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
