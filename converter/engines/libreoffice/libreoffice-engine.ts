import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConversionError, EngineEnded, overLimit } from '../../errors.ts';
import type { Conversion } from '../../formats/conversion.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { type EngineListener, heard } from '../engine-listener.ts';
import { libreofficeAbility } from './ability.ts';
import { OfficeEnded } from './office-ended.ts';
import { officeTask } from './office-options.ts';
import type { OfficePool } from './office-pool.ts';
import { readOfficeResult } from './office-result.ts';
import { isEncryptedWorkbook } from './protected-source.ts';

/** The largest result that is taken, bytes. */
export const maxResultBytes = 1_024 * 1_048_576;

/** Conversions by a pool of LibreOffice. `onRun` hears of each, with the wait for a process. */
export function libreofficeEngine(
  pool: OfficePool,
  { version, onRun = () => undefined }: { version: string; onRun?: EngineListener },
): ConversionEngine {
  return {
    ability: libreofficeAbility(version),
    convert: (source, conversion, _media, run = { lane: 'batch' }) =>
      heard(onRun, 'convert', async () => {
        const { task, files, result, protectedSource } = officeTask(conversion, source);
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

/** LibreOffice takes a workbook for damaged whose way of encryption it does not know. */
function lockedWorkbook(password: string | undefined, cause: Error): ConversionError {
  return password === undefined
    ? new ConversionError('passwordRequired', 'the file is protected by a password', { cause })
    : new ConversionError('protected', 'the file is protected in a way that LibreOffice cannot open', {
        cause,
      });
}

/** What is wrong with the file. That a process was killed by others says nothing of it: the job is tried again later. */
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
