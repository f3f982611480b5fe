import type { DocumentRow } from '../../db/document-row.ts';
import { type EditedKind, nativeTypeOf } from '../../model/kinds.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { EngineLane } from '../engines/conversion-engine.ts';
import type { ConversionEngines } from '../engines/conversion-engines.ts';
import { codePageOf } from '../engines/x2t/encodings.ts';
import { ConversionError } from '../errors.ts';
import type { ConversionOptions } from '../formats/conversion.ts';
import { savedTypeOf } from '../formats/kind-formats.ts';
import { openingOptionsOf } from '../jobs/opening.ts';
import { likeSourceText } from '../text/plain-text.ts';
import { statedCodePage } from '../text/text-encoding.ts';

export interface WriteBackDependencies {
  blobs: BlobStore;
  sealing: Sealing;
  conversionEngines: ConversionEngines;
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
  const { conversionEngines, assemblyFormatAsOrigin, blobs, sealing, lane } = dependencies;
  const opened = openingOptionsOf(document.openingOptions, sealing);
  const ownType = savedTypeOf(kind, document.fileType, assemblyFormatAsOrigin, conversionEngines.table);
  const baseType = nativeTypeOf(kind);
  const source = await blobs.read(document.sourceHash!);
  const failures: string[] = [];
  for (const toType of new Set([ownType, baseType])) {
    const said = failures.length === 0 ? {} : { fallback: failures.join('; ') };
    const codePage = toType === 'txt' ? codePageFor(opened.encoding, source) : undefined;
    const options: ConversionOptions = { savePassword: opened.password, codePage };
    if (toType === baseType && opened.password === undefined)
      return { bytes: native, fileType: toType, ...said };
    try {
      const conversion = { fromType: baseType, toType, options };
      const bytes = await conversionEngines.choose(conversion).convert(native, conversion, [], {
        lane,
      });
      const shaped = codePage === undefined ? bytes : likeSourceText(bytes, source, codePage);
      return { bytes: shaped, fileType: toType, ...said };
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      failures.push(`${toType}: ${error.message}`);
    }
  }
  throw new ConversionError('convert', `the document cannot be written (${failures.join('; ')})`);
}

/** The encoding that the text was opened with, or says of itself. */
function codePageFor(encoding: number | undefined, source: Uint8Array): number | undefined {
  const said = encoding === undefined ? undefined : codePageOf(encoding);
  return said ?? statedCodePage(source);
}
