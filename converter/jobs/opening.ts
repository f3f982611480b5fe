import { documentFile } from '../../client/protocol/index.ts';
import type { OpenedSource, OpenedSources, SourceOpening } from '../../db/opened-sources.ts';
import { kinds, ownTypesOf, UnknownModelError } from '../../model/kinds.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { EnginePool } from '../engines/engine-pool.ts';
import type { DocumentPart } from '../engines/x2t/job-directory.ts';
import type { X2tEngine } from '../engines/x2t/x2t-engine.ts';
import { ConversionError } from '../errors.ts';
import { isOwnType } from '../formats/kind-formats.ts';
import { checkSource } from '../source-checks/check-source.ts';
import type { SourceLimits } from '../source-checks/source-limits.ts';
import { type OpeningOptions, unsealOptions } from './opening-options.ts';

export interface OpeningDependencies {
  openedSources: OpenedSources;
  blobs: BlobStore;
  sealing: Sealing;
  engines: Pick<EnginePool, 'run'>;
  /** Null where it is not installed. */
  x2t: X2tEngine | null;
  sourceLimits: SourceLimits;
  /** Longest an engine may work, milliseconds: as long as for anything else unless given. */
  openingTimeoutMs?: number;
}

/** What is opened: the blob of the source, the wanted form, and the options for opening it, encrypted. */
export interface WantedSource extends SourceOpening {
  fileType: string;
  sealed: string | null;
}

/**
 * Turns a source into the form that its editors load (a model of ours, or the binary form) and its media, and records the
 * outcome, also when it cannot be opened.
 */
export async function openSource(
  job: WantedSource,
  dependencies: OpeningDependencies,
): Promise<OpenedSource> {
  const opened = await convert(job, dependencies);
  await dependencies.openedSources.store(job, opened);
  return opened;
}

async function convert(job: WantedSource, dependencies: OpeningDependencies): Promise<OpenedSource> {
  const { blobs } = dependencies;
  try {
    const [document, media] = await (job.model === 'binary' ? toBinary : toModel)(job, dependencies);
    const files: Record<string, string> = {};
    for (const [path, bytes] of media) files[path] = (await blobs.put(bytes)).hash;
    files[documentFile] = (await blobs.put(document)).hash;
    return { ok: true, files };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, errorCode: error.serviceError };
    throw error;
  }
}

/** A document as editors load it, and the files it names by their paths. */
type Opened = readonly [document: Uint8Array, media: readonly DocumentPart[]];

async function toModel(
  { sourceHash, model, fileType, sealed }: WantedSource,
  { blobs, engines, sourceLimits, openingTimeoutMs }: OpeningDependencies,
): Promise<Opened> {
  const kind = kinds.ofModel(model);
  if (!kind) throw new UnknownModelError(model, kinds.models);
  if (!isOwnType(kind, fileType)) {
    const types = ownTypesOf(kind).join(', ');
    throw new ConversionError('unknownFormat', `the model "${model}" is for files of the types ${types}`);
  }
  // Our own engines decrypt nothing: of a protected source they get the base.
  if (sealed !== null)
    throw new ConversionError('protected', 'protected files cannot be opened in this editor');
  const source = await blobs.read(sourceHash);
  const task = { kind: 'open' as const, model, source, limits: sourceLimits };
  const result = await engines.run(task, openingTimeoutMs);
  if (result.kind === 'refused') throw new ConversionError(result.error, result.message);
  if (result.kind !== 'opened') throw new Error(`an engine opened a file and gave ${result.kind}`);
  return [result.model, result.media];
}

async function toBinary(
  { sourceHash, fileType, sealed }: WantedSource,
  { blobs, x2t, sealing, sourceLimits, openingTimeoutMs: timeoutMs }: OpeningDependencies,
): Promise<Opened> {
  if (!x2t) throw new ConversionError('convert', 'x2t is not installed');
  const options = openingOptionsOf(sealed, sealing);
  const bytes = await blobs.read(sourceHash);
  await checkSource(bytes, sourceLimits);
  const { document, media } = await x2t.open({
    ...{ bytes, fileType, options },
    run: { lane: 'interactive', timeoutMs },
  });
  return [document, media];
}

/** @throws ConversionError when they were encrypted under another secret */
export function openingOptionsOf(sealed: string | null, sealing: Sealing): OpeningOptions {
  const options = unsealOptions(sealing, sealed);
  if (options) return options;
  throw new ConversionError('convert', 'the password was taken with another SECURE_LINK_SECRET');
}
