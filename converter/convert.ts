import type { ConversionEnd, ConversionRecords, ConversionRow } from '../db/conversions.ts';
import type { BlobStore } from '../services/ports/blob-store.ts';
import type { Sealing } from '../services/sealing.ts';
import { type Conversion, type ConversionOptions, resultType } from './conversion.ts';
import type { ConversionEngine } from './conversion-engine.ts';
import { ConversionTable } from './conversion-table.ts';
import { EngineEnded, EngineFault } from './engine-pool.ts';
import { CONVERSION_ERROR, ConversionError } from './errors.ts';
import { kindOf, typeOf } from './file-kind.ts';

export interface ConvertDependencies {
  conversions: ConversionRecords;
  blobs: BlobStore;
  sealing: Sealing;
  /** In the order of preference. */
  conversionEngines: readonly ConversionEngine[];
}

/** The options that are passwords; they are kept apart from the others, encrypted. */
export type Passwords = Pick<ConversionOptions, 'password' | 'savePassword'>;

/** What came of a job, for the worker's log. */
export interface ConversionReport {
  kind: 'made' | 'failed' | 'superseded';
  fromType?: string;
  toType?: string;
  errorCode?: number;
}

/** Makes a conversion that is on record and waits, and puts its end on record: also that it cannot be made. */
export async function convertFile(
  { id }: { id: string },
  dependencies: ConvertDependencies,
): Promise<ConversionReport> {
  const row = await dependencies.conversions.find(id);
  if (row?.state !== 'waiting') return { kind: 'superseded' };
  const { fromType, toType } = row;
  const end = await convert(row, dependencies);
  await dependencies.conversions.end(id, end);
  if ('resultHash' in end) return { kind: 'made', fromType, toType };
  return { kind: 'failed', fromType, toType, errorCode: end.errorCode };
}

async function convert(
  row: ConversionRow,
  { blobs, sealing, conversionEngines }: ConvertDependencies,
): Promise<ConversionEnd> {
  try {
    const source = await blobs.read(row.sourceHash);
    const conversion: Conversion = {
      // Where name and content disagree, the content is right.
      fromType: typeOf(kindOf(source), row.fromType),
      toType: row.toType,
      options: { ...row.options, ...passwordsOf(row, sealing) },
    };
    const table = new ConversionTable(conversionEngines.map(({ ability }) => ability));
    const chosen = table.choose(conversion);
    const engine = conversionEngines.find(({ ability }) => ability === chosen)!;
    const media = Object.entries(row.media).map(
      async ([path, blob]) => [path, await blobs.read(blob)] as const,
    );
    const result = await engine.convert(source, conversion, await Promise.all(media));
    const { hash } = await blobs.put(result);
    return { resultHash: hash, resultType: resultType(conversion) };
  } catch (error) {
    return failureOf(error);
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
function failureOf(error: unknown): ConversionEnd {
  if (error instanceof ConversionError) {
    const { code: errorCode, message, kind } = error;
    return { errorCode, message, lasting: kind !== 'convert' && kind !== 'timeout' };
  }
  if (error instanceof EngineEnded) {
    const kind = error.limit === 'time' ? 'timeout' : 'limits';
    return { errorCode: CONVERSION_ERROR[kind], message: error.message, lasting: false };
  }
  if (error instanceof EngineFault) {
    return { errorCode: CONVERSION_ERROR.convert, message: error.message, lasting: false };
  }
  throw error;
}
