import { documentFile, ServiceError } from '../../../client/protocol/index.ts';
import type { WantedSource } from '../../../converter/jobs/opening.ts';
import { type OpeningOptions, sealOptions } from '../../../converter/jobs/opening-options.ts';
import type { JobOwner } from '../../../db/fair-queue.ts';
import type { OpenedSource, OpenedSources } from '../../../db/opened-sources.ts';
import type { ConversionQueue } from '../../../jobs/jobs.ts';
import { kinds, nativeTypeOf } from '../../../model/kinds.ts';
import type { Sealing } from '../../../platform/secrets/sealing.ts';
import type { ShownPages } from '../shown-pages.ts';
import type { Bases } from './bases.ts';
import type { OpeningProgress } from './opening-progress.ts';

export interface ModelOpeningDependencies {
  openedSources: OpenedSources;
  queue: ConversionQueue;
  sealing: Sealing;
  bases: Pick<Bases, 'of'>;
  pages: Pick<ShownPages, 'of'>;
  progress: Pick<OpeningProgress, 'enter'>;
  /** Hears whether what a source gives was known. */
  onLookedUp: (isKnown: boolean) => void;
}

/** The document that a source is opened for, and who asks; see `JobOwner`. */
export type DocumentOwner = { key: string; person?: string };

/** A source, and the model or form in which it is wanted. */
export type OpenedFile = Pick<WantedSource, 'sourceHash' | 'model' | 'fileType'> & {
  /** The earlier version of the model that the log was made on. */
  version?: number | undefined;
  owner: DocumentOwner;
};

/** What a source gives, and the file that is edited in its place. */
export interface OpenedModel {
  result: OpenedSource;
  baseHash: string | null;
}

/** Errors with which a source asks for more. */
export const asked: readonly number[] = [
  ServiceError.convertNeedParams,
  ServiceError.convertPasswordRequired,
  ServiceError.convertWrongPassword,
];

export const saysMore = (parameters: OpeningOptions): boolean =>
  Object.values(parameters).some((value) => value !== undefined);

/** Makes what editors load of a source: the middle stages of an opening. */
export class ModelOpening {
  readonly #deps: ModelOpeningDependencies;

  constructor(dependencies: ModelOpeningDependencies) {
    this.#deps = dependencies;
  }

  /** Nothing that is said of a source counts if it can be opened without. */
  async open(
    source: OpenedFile,
    parameters: OpeningOptions,
  ): Promise<OpenedModel & { options: OpeningOptions }> {
    const first = await this.openWith(source, {});
    const asksForMore = !first.result.ok && asked.includes(first.result.errorCode);
    if (!asksForMore || !saysMore(parameters)) return { options: {}, ...first };
    return { options: parameters, ...(await this.openWith(source, parameters)) };
  }

  /** What a source gives with these options, by way of its base if another file is edited in its place. */
  async openWith(
    source: OpenedFile,
    options: OpeningOptions,
    knownBase: string | null = null,
  ): Promise<OpenedModel> {
    if (source.model === 'pages') return this.#pagesOf(source, options);
    const kind = kinds.ofModel(source.model);
    const { sealing, bases, progress } = this.#deps;
    const onRecord = (id: string) => this.#converts(source, id);
    const base =
      kind && knownBase === null
        ? await bases.of(kind, source, options, onRecord)
        : { ok: true as const, baseHash: kind ? knownBase : null };
    progress.enter(source.owner.key, 'opening');
    if (!base.ok) return { result: base, baseHash: null };
    const { baseHash } = base;
    const wanted =
      kind && baseHash !== null
        ? { ...source, sourceHash: baseHash, fileType: nativeTypeOf(kind), ...sealOptions(sealing, {}) }
        : { ...source, ...sealOptions(sealing, options) };
    return { result: await this.#filesOf(wanted, source.owner), baseHash };
  }

  async #pagesOf(source: OpenedFile, options: OpeningOptions): Promise<OpenedModel> {
    const { sealing, pages } = this.#deps;
    const { variant } = sealOptions(sealing, options);
    const onRecord = (id: string) => this.#converts(source, id);
    return { result: await pages.of({ ...source, variant }, options, onRecord), baseHash: null };
  }

  async #converts({ owner }: OpenedFile, id: string): Promise<void> {
    this.#deps.progress.enter(owner.key, { conversion: id });
  }

  /** What opening this content gives for a model: known, or found out by a converter now. */
  async #filesOf(
    wanted: WantedSource & { version?: number | undefined },
    owner: JobOwner,
  ): Promise<OpenedSource> {
    const { sourceHash, model, variant, fileType, sealed, version } = wanted;
    if (model === 'opaque') return { ok: true, files: { [documentFile]: sourceHash } };
    const { openedSources, queue } = this.#deps;
    const earlier = version === undefined ? null : await openedSources.find(wanted, version);
    if (earlier?.ok) return earlier;
    const known = await openedSources.find(wanted);
    this.#deps.onLookedUp(known !== null && known !== undefined);
    if (known) return known;
    const job = { name: 'open' as const, data: { sourceHash, model, variant, fileType, sealed } };
    await queue.run(job, { lane: 'interactive', owner });
    const opened = await openedSources.find(wanted);
    // Somebody who tries passwords must not fill the table with them.
    if (opened?.ok === false && variant !== '') await openedSources.forget(wanted);
    return opened ?? { ok: false, errorCode: ServiceError.convertTimeout };
  }
}
