import type { DocumentRow } from '../../db/document-row.ts';
import { type EditedKind, nativeTypeOf } from '../../model/kinds.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { EngineLane } from '../engines/conversion-engine.ts';
import type { ConversionEngines } from '../engines/conversion-engines.ts';
import type { EnginePool } from '../engines/engine-pool.ts';
import { writtenTable } from '../engines/table-engine.ts';
import { codePageOf } from '../engines/x2t/encodings.ts';
import { isPlain } from '../engines/x2t/formats.ts';
import { ConversionError } from '../errors.ts';
import type { ConversionOptions } from '../formats/conversion.ts';
import { savedTypeOf } from '../formats/kind-formats.ts';
import { openingOptionsOf } from '../jobs/opening.ts';
import type { OpeningOptions } from '../jobs/opening-options.ts';
import { likeSourceText, withPlainSource } from '../text/plain-text.ts';
import { statedCodePage } from '../text/text-encoding.ts';

export interface WriteBackDependencies {
  blobs: BlobStore;
  sealing: Sealing;
  conversionEngines: ConversionEngines;
  /** Threads of our own engines. */
  engines: Pick<EnginePool, 'run'>;
  /** Whether documents are saved in the format they came in. */
  assemblyFormatAsOrigin: boolean;
  /** For whom the file is made. */
  lane: EngineLane;
}

/** A file to be delivered; `fallback`: why it is of the native type although the document's own type can be written. */
interface WrittenBack {
  bytes: Uint8Array;
  fileType: string;
  fallback?: string;
}

/**
 * Writes a file of a kind's native type that has a document's changes in the document's own format, with its password and
 * encoding. Where that cannot be done now the file stays as it is (integration API, 7.5), so that no work is lost; a
 * protected document is never delivered unprotected.
 * @throws ConversionError when the document is protected and nothing can be
 */
export async function writtenBack(
  native: Uint8Array,
  { document, kind }: { document: DocumentRow; kind: EditedKind },
  dependencies: WriteBackDependencies,
): Promise<WrittenBack> {
  const { conversionEngines, engines, assemblyFormatAsOrigin, blobs, sealing, lane } = dependencies;
  const opened = openingOptionsOf(document.openingOptions, sealing);
  const ownType = savedTypeOf(kind, document.fileType, assemblyFormatAsOrigin, conversionEngines.table);
  const baseType = nativeTypeOf(kind);
  const source = await blobs.read(document.sourceHash!);
  const failures: string[] = [];
  for (const toType of new Set([ownType, baseType])) {
    const said = failures.length === 0 ? {} : { fallback: failures.join('; ') };
    const plain = toType === document.fileType && isPlain(toType) ? plainOptions(toType, opened, source) : {};
    const options: ConversionOptions = { savePassword: opened.password, ...plain };
    if (toType === baseType && opened.password === undefined)
      return { bytes: native, fileType: toType, ...said };
    try {
      const conversion = { fromType: baseType, toType, options };
      const { codePage } = plain;
      if (codePage !== undefined && toType !== 'txt')
        return {
          bytes: await writtenTable(native, source, toType, plain, engines),
          fileType: toType,
          ...said,
        };
      const bytes = await conversionEngines.choose(conversion).convert(native, conversion, [], { lane });
      const shaped = codePage === undefined ? bytes : likeSourceText(bytes, source, codePage);
      return { bytes: shaped, fileType: toType, ...said };
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      failures.push(`${toType}: ${error.message}`);
    }
  }
  throw new ConversionError('convert', `the document cannot be written (${failures.join('; ')})`);
}

/** The encoding and delimiter that the text was opened with, or shows itself: the same as when it was opened. */
function plainOptions(
  fileType: string,
  { encoding, delimiter, delimiterChar }: OpeningOptions,
  source: Uint8Array,
): ConversionOptions {
  const codePage = (encoding === undefined ? undefined : codePageOf(encoding)) ?? statedCodePage(source);
  if (fileType === 'txt') return { codePage };
  return withPlainSource(source, fileType, { codePage, delimiter, delimiterChar });
}
