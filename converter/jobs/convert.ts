import type { ConversionEnd, ConversionRecords, ConversionRow } from '../../db/conversions.ts';
import type { JobLane } from '../../jobs/job.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { ConversionEngines } from '../engines/conversion-engines.ts';
import { ConversionError, conversionErrorNumber } from '../errors.ts';
import { type Conversion, type ConversionOptions, resultType } from '../formats/conversion.ts';
import { sourceTypeOf } from '../formats/source-type.ts';
import { checkPages } from '../source-checks/check-pages.ts';
import { checkSource } from '../source-checks/check-source.ts';
import { checkTable } from '../source-checks/check-table.ts';
import type { SourceLimits } from '../source-checks/source-limits.ts';
import { withMark, withPlainSource } from '../text/plain-text.ts';
import { ConversionProgress } from './conversion-progress.ts';

interface ConvertDependencies {
  conversions: ConversionRecords;
  blobs: BlobStore;
  sealing: Sealing;
  conversionEngines: ConversionEngines;
  sourceLimits: SourceLimits;
  /** Longest an engine may work on what is opened by it, milliseconds. */
  openingTimeoutMs: number;
  /** The same for what is not opened by it, milliseconds. */
  conversionTimeoutMs: number;
}

/** The options that are passwords; they are kept apart from the others, encrypted. */
type Passwords = Pick<ConversionOptions, 'password' | 'savePassword'>;

/** What came of a job, for the worker's log. */
interface ConversionReport {
  kind: 'made' | 'failed' | 'superseded';
  fromType?: string;
  toType?: string;
  errorCode?: number;
}

/** Makes a recorded conversion that waits, and records its end, also when it cannot be made. */
export async function convertFile(
  { id, lane, isOpening = false }: { id: string; lane: JobLane; isOpening?: boolean | undefined },
  dependencies: ConvertDependencies,
): Promise<ConversionReport> {
  const { conversions } = dependencies;
  const row = await conversions.find(id);
  if (row?.state !== 'waiting') return { kind: 'superseded' };
  const { fromType, toType } = row;
  using progress = new ConversionProgress((stage, share) => conversions.progressed(id, stage, share));
  const timeoutMs = isOpening ? dependencies.openingTimeoutMs : dependencies.conversionTimeoutMs;
  const end = await convert(row, { lane, progress, timeoutMs, isOpening }, dependencies);
  await conversions.end(id, end);
  if ('resultHash' in end) return { kind: 'made', fromType, toType };
  return { kind: 'failed', fromType, toType, errorCode: end.errorCode };
}

async function convert(
  row: ConversionRow,
  {
    lane,
    progress,
    timeoutMs,
    isOpening,
  }: { lane: JobLane; progress: ConversionProgress; timeoutMs: number; isOpening: boolean },
  { blobs, sealing, conversionEngines, sourceLimits }: ConvertDependencies,
): Promise<ConversionEnd> {
  try {
    const source = await blobs.read(row.sourceHash);
    const count = await checkSource(source, sourceLimits);
    // Where name and content disagree, the content is right.
    const fromType = sourceTypeOf(source, row.fromType);
    const asked = { ...row.options, ...passwordsOf(row, sealing) };
    const options = row.toType === fromType ? asked : withPlainSource(source, fromType, asked);
    const conversion: Conversion = { fromType, toType: row.toType, options };
    if (row.toType !== fromType) checkTable(source, conversion, sourceLimits);
    checkPages(source, count, conversion, sourceLimits);
    const engine = conversionEngines.choose(conversion);
    const media = Object.entries(row.media).map(
      async ([path, blob]) => [path, await blobs.read(blob)] as const,
    );
    const loaded = await Promise.all(media);
    progress.enter('converting');
    const onProgress = (share: number) => progress.reach(share);
    const made = await engine.convert(source, conversion, loaded, { lane, onProgress, timeoutMs });
    const result = withMark(made, options);
    progress.enter('storing');
    const { hash, sizeBytes } = await blobs.put(result);
    const storedBytes = source.byteLength + (hash === row.sourceHash ? 0 : sizeBytes);
    return { resultHash: hash, resultType: resultType(conversion), storedBytes };
  } catch (error) {
    return failureOf(error, isOpening);
  }
}

function passwordsOf({ id, passwords }: ConversionRow, sealing: Sealing): Passwords {
  if (passwords === null) return {};
  const text = sealing.open(passwords, id);
  if (text === null) {
    throw new ConversionError(
      'convert',
      'this worker has another secret than the server that took the password',
    );
  }
  return JSON.parse(text) as Passwords;
}

/** Errors that say more of the converter than of the file do not last. */
function failureOf(error: unknown, isOpening: boolean): ConversionEnd {
  if (!(error instanceof ConversionError)) throw error;
  const errorCode = isOpening ? error.serviceError : conversionErrorNumber(error);
  return { errorCode, message: error.message, lasting: !error.retryable };
}
