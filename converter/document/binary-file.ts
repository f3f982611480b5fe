import { documentFile } from '../../client/protocol/index.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { OpenedSource, OpenedSources } from '../../db/opened-sources.ts';
import type { StoredBatch } from '../../platform/ports/change-log.ts';
import type { EngineLane } from '../engines/conversion-engine.ts';
import type { Pictures } from '../engines/engine-thread.ts';
import { savingOptions } from '../engines/x2t/conversion.ts';
import { savedType } from '../engines/x2t/formats.ts';
import type { X2tEngine } from '../engines/x2t/x2t-engine.ts';
import { ConversionError } from '../errors.ts';
import { type OpeningDependencies, openingOptionsOf, openSource } from '../jobs/opening.ts';
import { authorRuns } from './change-archive.ts';

export interface BinaryFileDependencies extends OpeningDependencies {
  openedSources: OpenedSources;
  x2t: X2tEngine | null;
  /** For whom files are made. */
  lane: EngineLane;
  /** Whether documents are saved in the format they came in. */
  assemblyFormatAsOrigin: boolean;
}

/**
 * Has x2t apply a log to a document in the binary form. The base is the binary form that the editors got; the source is
 * opened again only when that is gone.
 * @throws ConversionError, EngineEnded
 */
export async function makeBinaryFile(
  document: DocumentRow,
  { batches, pictures }: { batches: readonly StoredBatch[]; pictures: Pictures },
  dependencies: BinaryFileDependencies,
): Promise<{ bytes: Uint8Array; fileType: string }> {
  const { x2t, blobs, sealing, assemblyFormatAsOrigin } = dependencies;
  if (!x2t) throw new ConversionError('convert', 'x2t, which reads the changes, is not installed');
  const { [documentFile]: base, ...media } = await openedFiles(document, dependencies);
  const changes: string[] = [];
  for await (const run of authorRuns([batches])) changes.push(run.json);
  const toType = savedType(document.fileType, assemblyFormatAsOrigin) ?? document.fileType;
  const parts = Object.entries(media).map(async ([path, hash]) => [path, await blobs.read(hash)] as const);
  const bytes = await x2t.assemble({
    document: await blobs.read(base!),
    media: [...(await Promise.all(parts)), ...Object.entries(pictures)],
    changes,
    toType,
    lane: dependencies.lane,
    options: savingOptions(openingOptionsOf(document.openingOptions, sealing), toType),
  });
  return { bytes, fileType: toType };
}

async function openedFiles(
  { sourceHash, fileType, openingOptions, openedVariant }: DocumentRow,
  dependencies: BinaryFileDependencies,
): Promise<Extract<OpenedSource, { ok: true }>['files']> {
  const opening = { sourceHash: sourceHash!, model: 'binary' as const, variant: openedVariant };
  const known = await dependencies.openedSources.find(opening);
  const wanted = { ...opening, fileType, sealed: openingOptions };
  const opened = known?.ok ? known : await openSource(wanted, dependencies);
  if (!opened.ok) throw new ConversionError('convert', `the base cannot be opened (${opened.errorCode})`);
  return opened.files;
}
