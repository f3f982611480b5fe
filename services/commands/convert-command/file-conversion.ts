import { readFile, stat } from 'node:fs/promises';
import { ConversionError, conversionErrorNumber } from '../../../converter/errors.ts';
import {
  type Conversion,
  type ConversionOptions,
  resultType,
} from '../../../converter/formats/conversion.ts';
import { sourceTypeOf } from '../../../converter/formats/source-type.ts';
import { checkPages } from '../../../converter/source-checks/check-pages.ts';
import { checkSource } from '../../../converter/source-checks/check-source.ts';
import type { SourceLimits } from '../../../converter/source-checks/source-limits.ts';
import { withPlainSource } from '../../../converter/text/plain-text.ts';
import { usualType } from '../../../model/usual-type.ts';
import { type GivenOptions, optionsFor } from '../../integration/conversion-options.ts';
import type { RequestedFile } from './arguments.ts';
import { checkName, writeNewFile } from './new-file.ts';
import type { OwnEngines } from './own-engines.ts';

/** How all files of one call are converted. */
export interface ConversionManner {
  engines: OwnEngines;
  options: GivenOptions;
  /** Password of the results. */
  savePassword: string | undefined;
  /** Whether files that are there are replaced. */
  replace: boolean;
  limits: SourceLimits;
  maxSourceBytes: number;
  signal: AbortSignal;
}

/** What became of a file. `engineMissing`: an engine that is not installed could make it. */
export type FileOutcome =
  | { ok: true; source: string; result: string; fileType: string; bytes: number; elapsedMs: number }
  | { ok: false; source: string; code: number | null; message: string; engineMissing: boolean };

/** Makes one file with the checks of a server. Every error becomes an outcome. @throws the signal's reason */
export async function convertOne(
  file: RequestedFile,
  manner: ConversionManner,
  onProgress: (share: number) => void,
): Promise<FileOutcome> {
  const { source } = file;
  const failed = (code: number | null, message: string, engineMissing = false): FileOutcome => ({
    ...{ ok: false, source, code, message, engineMissing },
  });
  try {
    return await convert(file, manner, onProgress);
  } catch (error) {
    manner.signal.throwIfAborted();
    if (error instanceof MissingEngine) return failed(error.serviceError, error.message, true);
    if (error instanceof ConversionError) return failed(conversionErrorNumber(error), error.message);
    return failed(null, reasonOf(error as NodeJS.ErrnoException));
  }
}

async function convert(
  file: RequestedFile,
  { engines, options, savePassword, replace, limits, maxSourceBytes, signal }: ConversionManner,
  onProgress: (share: number) => void,
): Promise<FileOutcome> {
  const startedAt = performance.now();
  const { source, outputType } = file;
  signal.throwIfAborted();
  const { size } = await stat(source);
  if (size > maxSourceBytes) throw new ConversionError('limits', 'the file is too large');
  const bytes = await readFile(source);
  const fromType = sourceTypeOf(bytes, usualType(file.fromType));
  const toType = engines.table.resolveTarget(fromType, outputType);
  if (toType === null) {
    throw new ConversionError('unknownFormat', `there is no ${outputType} for files of type ${fromType}`);
  }
  const conversion: Conversion = {
    fromType,
    toType,
    options: withPlainSource(bytes, fromType, given(options, savePassword, fromType, toType)),
  };
  const fileType = resultType(conversion);
  const result = file.target(fileType);
  // Before the work, too, so that it is not done for nothing.
  await checkName(result, replace);
  checkPages(bytes, await checkSource(bytes, limits), conversion, limits);
  const engine = await engineOf(engines, conversion);
  const made = await engine.convert(bytes, conversion, [], { lane: 'batch', onProgress, signal });
  signal.throwIfAborted();
  await writeNewFile(result, made, replace);
  const elapsedMs = Math.round(performance.now() - startedAt);
  return { ok: true, source, result, fileType, bytes: made.byteLength, elapsedMs };
}

const given = (
  options: GivenOptions,
  savePassword: string | undefined,
  fromType: string,
  toType: string,
): ConversionOptions => ({
  ...optionsFor(options, fromType, toType),
  ...(savePassword === undefined ? {} : { savePassword }),
});

/** Errors of the file system, in words. */
const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'this user may not use the file',
  EISDIR: 'that is a directory',
  ENOSPC: 'there is no room on the disk',
};

function reasonOf({ code, message, path: file }: NodeJS.ErrnoException): string {
  const reason = fileErrors[code ?? ''];
  if (reason === undefined) return message;
  return file === undefined ? reason : `${reason}: ${file}`;
}

class MissingEngine extends ConversionError {
  constructor(cause: ConversionError, missing: string | null) {
    super('unknownFormat', `${cause.message} here: ${missing ?? 'x2t is not installed'}`, { cause });
    this.name = 'MissingEngine';
  }
}

async function engineOf(engines: OwnEngines, conversion: Conversion) {
  try {
    return await engines.engineFor(conversion);
  } catch (error) {
    const isUnknown = error instanceof ConversionError && error.code === 'unknownFormat';
    if (isUnknown && engines.couldBeDone(conversion)) throw new MissingEngine(error, engines.missing);
    throw error;
  }
}
