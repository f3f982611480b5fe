import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { documentFile, ServiceError } from '../../../client/protocol/index.ts';
import type { ConversionTable } from '../../../converter/formats/conversion-table.ts';
import { checkSource } from '../../../converter/formats/formats.ts';
import { baseType } from '../../../converter/formats/kind-formats.ts';
import type { WantedSource } from '../../../converter/jobs/opening.ts';
import {
  type OpeningOptions,
  type SealedOptions,
  sealOptions,
  unsealOptions,
} from '../../../converter/jobs/opening-options.ts';
import { type DocumentModel, type DocumentRow, modelVersions } from '../../../db/document-row.ts';
import type { Documents, SourceVersion } from '../../../db/documents.ts';
import type { TurnOwner } from '../../../db/job-turns.ts';
import type { OpenedSource, OpenedSources } from '../../../db/opened-sources.ts';
import { type ConversionQueue, QueueFullError } from '../../../jobs/jobs.ts';
import type { Config } from '../../../platform/config.ts';
import type { OpeningOutcome } from '../../../platform/metrics/opening.ts';
import { DownloadError, download } from '../../../platform/outgoing/download.ts';
import type { HttpClient } from '../../../platform/outgoing/http-client.ts';
import { type BlobStore, BlobStoreUnavailableError } from '../../../platform/ports/blob-store.ts';
import type { Sealing } from '../../../platform/secrets/sealing.ts';
import type { Tokens } from '../../../platform/secrets/tokens.ts';
import { traced } from '../../../platform/tracing.ts';
import { type HostStorage, isHostAddress } from '../host-storage.ts';
import type { ShownPages } from '../shown-pages.ts';
import type { WordBases } from './bases.ts';
import type { OpeningListener, OpeningProgress } from './opening-progress.ts';

export interface OpeningDependencies {
  config: Config;
  /** This process' own. */
  workDirectory: string;
  http: HttpClient;
  tokens: Tokens;
  blobs: BlobStore;
  documents: Documents;
  openedSources: OpenedSources;
  queue: ConversionQueue;
  hostStorage: HostStorage | null;
  sealing: Sealing;
  /** What can be opened depends on the engines that there are. */
  table: ConversionTable;
  bases: Pick<WordBases, 'of'>;
  pages: Pick<ShownPages, 'of'>;
  progress: Pick<OpeningProgress, 'during' | 'enter'>;
  log: Logger;
  /** Hears how each opening ended; a document is `known` that was opened before. */
  onOpened: (outcome: OpeningOutcome, document: 'new' | 'known', elapsedMs: number) => void;
  /** Hears whether what a source gives was known. */
  onLookedUp: (isKnown: boolean) => void;
}

/** What is wanted opened, and how far its address can be trusted. */
export interface OpeningRequest {
  row: DocumentRow;
  model: DocumentModel;
  /** Address to open from when the document has none; null where only a token may give one. */
  fallbackUrl: string | null;
  /** What whoever opens it says of a source that does not say enough itself. */
  parameters?: OpeningOptions;
  /** Whoever asks has given the document's password before. */
  knowsPassword?: boolean;
  /** Hears how far it is, if that takes a while. */
  onProgress?: OpeningListener | undefined;
  /** Records that the source is opened, in line with the document's other messages. */
  opened: (result: {
    sourceHash: string;
    model: DocumentModel;
    fileType: string;
    version: SourceVersion;
    options: SealedOptions;
    baseHash: string | null;
  }) => Promise<void>;
}

/**
 * Opens sources: fetches the file, finds out what it is, stores it by content and has a converter make the editor model
 * of it. Everybody who opens a document meanwhile waits for the same opening; the same content is converted once.
 */
export class Opening {
  readonly #deps: OpeningDependencies;
  readonly #incoming: string;
  readonly #running = new Map<string, Promise<OpenedSource>>();

  constructor(dependencies: OpeningDependencies) {
    this.#deps = dependencies;
    this.#incoming = path.join(dependencies.workDirectory, 'incoming');
  }

  /** The files of a document, once it is opened, or the number of what went wrong. */
  async filesOf(request: OpeningRequest): Promise<OpenedSource> {
    const startedAt = performance.now();
    const { key, state } = request.row;
    const document = state === 'opening' ? 'new' : 'known';
    const opened = await traced('opening', { 'quire.document': key, 'quire.opening': document }, () =>
      this.#deps.progress.during(key, request.onProgress, () => this.#filesFor(request)),
    );
    this.#deps.onOpened(outcomeOf(opened), document, performance.now() - startedAt);
    return opened;
  }

  async #filesFor(request: OpeningRequest): Promise<OpenedSource> {
    const { documents } = this.#deps;
    const { key } = request.row;
    const running = this.#running.get(key);
    // What somebody else's password opens is not for everybody who waits.
    if (running !== undefined) {
      const outcome = await running;
      const row = await documents.find(key);
      return row && row.state !== 'opening' ? this.#filesOf({ ...request, row }) : outcome;
    }
    return this.#filesOf(request);
  }

  async #filesOf(request: OpeningRequest): Promise<OpenedSource> {
    const { row, parameters = {} } = request;
    const saysMore = Object.values(parameters).some((value) => value !== undefined);
    const again =
      row.state === 'failed' && saysMore ? await this.#deps.documents.openAgain(row.key, asked) : null;
    if (row.state !== 'opening' && !again) return this.#filesOfOpened(request);
    const opening = this.#open({ ...request, row: again ?? row }).finally(() =>
      this.#running.delete(row.key),
    );
    this.#running.set(row.key, opening);
    return opening;
  }

  async #filesOfOpened({
    row,
    model: wanted,
    parameters,
    knowsPassword,
  }: OpeningRequest): Promise<OpenedSource> {
    if (row.sourceHash === null || row.model === null) return failedBefore(row);
    const options = unsealOptions(this.#deps.sealing, row.openingOptions);
    if (!options) return { ok: false, errorCode: ServiceError.convert };
    const { password } = options;
    if (password !== undefined && !knowsPassword && !isSame(password, parameters?.password)) {
      return { ok: false, errorCode: passwordErrorOf(parameters) };
    }
    const owner = { key: row.key };
    // Of pages there are no changes: whoever wants the document in another form gets that.
    const model = row.model === 'pages' ? wanted : row.model;
    const version = await this.#versionOf(row);
    const source = { sourceHash: row.sourceHash, model, fileType: row.fileType, version, owner };
    const opened = await this.#openedAs(source, options, row.baseHash);
    if (!opened.result.ok || opened.baseHash === null || opened.baseHash === row.baseHash)
      return opened.result;
    const baseHash = await this.#deps.documents.settleBase(row.key, row.sourceHash, opened.baseHash);
    return baseHash === null || baseHash === opened.baseHash
      ? opened.result
      : (await this.#openedAs(source, options, baseHash)).result;
  }

  /** The earlier version of the model that a document goes on with, as its log was made on that. */
  async #versionOf({ key, model, modelVersion, nextIndex }: DocumentRow): Promise<number | undefined> {
    if (model === null || modelVersion === null || modelVersion === modelVersions[model]) return undefined;
    const isRenewed = nextIndex === 0 && (await this.#deps.documents.changeModel(key, model)) !== null;
    return isRenewed ? undefined : modelVersion;
  }

  async #open(request: OpeningRequest): Promise<OpenedSource> {
    const { row, model } = request;
    const { documents, log } = this.#deps;
    try {
      const { sourceHash, fileType, version } = await this.#source(request);
      const { options, result, baseHash } = await this.#firstOpened(
        { sourceHash, model, fileType, owner: { key: row.key } },
        request.parameters ?? {},
      );
      if (result.ok) {
        const sealed = sealOptions(this.#deps.sealing, options);
        await request.opened({ sourceHash, model, fileType, version, options: sealed, baseHash });
        const now = baseHash === null ? null : await documents.find(row.key);
        // Another node was faster, and what it made of the source is what is edited.
        const isOther = now !== null && now.state !== 'opening' && now.baseHash !== baseHash;
        return isOther ? this.#filesOfOpened({ ...request, row: now }) : result;
      }
      const isAsked = asked.includes(result.errorCode);
      await documents.openingFailed(row.key, result.errorCode, isAsked ? { sourceHash, fileType } : null);
      return isAsked ? { ...result, origin: { hash: sourceHash, fileType } } : result;
    } catch (error) {
      const errorCode = errorCodeOf(error);
      const level = error instanceof SourceError ? 'warn' : 'error';
      log[level]({ err: error, documentKey: row.key }, 'A source could not be opened');
      await documents.openingFailed(row.key, errorCode);
      return { ok: false, errorCode };
    }
  }

  /** Nothing that is said of a source counts if it can be opened without. */
  async #firstOpened(
    source: OpenedFile,
    parameters: OpeningOptions,
  ): Promise<OpenedAs & { options: OpeningOptions }> {
    const first = await this.#openedAs(source, {});
    const saysMore = Object.values(parameters).some((value) => value !== undefined);
    if (first.result.ok || !asked.includes(first.result.errorCode) || !saysMore)
      return { options: {}, ...first };
    return { options: parameters, ...(await this.#openedAs(source, parameters)) };
  }

  /** What a source gives, by way of its base if the word processor edits another file in its place. */
  async #openedAs(
    source: OpenedFile,
    options: OpeningOptions,
    knownBase: string | null = null,
  ): Promise<OpenedAs> {
    const { sealing, bases, pages, progress } = this.#deps;
    const { key } = source.owner;
    const onRecord = async (id: string) => progress.enter(key, { conversion: id });
    if (source.model === 'pages') {
      const { variant } = sealOptions(sealing, options);
      return { result: await pages.of({ ...source, variant }, options, onRecord), baseHash: null };
    }
    const isPlain = source.model !== 'word';
    const base =
      isPlain || knownBase !== null
        ? { ok: true as const, baseHash: isPlain ? null : knownBase }
        : await bases.of(source, options, onRecord);
    progress.enter(key, 'opening');
    if (!base.ok) return { result: base, baseHash: null };
    const { baseHash } = base;
    const wanted =
      baseHash === null
        ? { ...source, ...sealOptions(sealing, options) }
        : { ...source, sourceHash: baseHash, fileType: baseType, ...sealOptions(sealing, {}) };
    return { result: await this.#filesOfSource(wanted, source.owner), baseHash };
  }

  async #source(
    request: OpeningRequest,
  ): Promise<{ sourceHash: string; fileType: string; version: SourceVersion }> {
    const { row } = request;
    const { blobs, progress } = this.#deps;
    // A copy from forgotten storage stands in for the file at the address.
    if (row.sourceHash !== null) {
      const version = { etag: null, modified: null };
      return { sourceHash: row.sourceHash, fileType: row.fileType, version };
    }
    const url = row.sourceUrl ?? request.fallbackUrl;
    if (!url) throw new SourceError(ServiceError.convertDownload, 'There is no address to open from');
    await mkdir(this.#incoming, { recursive: true });
    const file = path.join(this.#incoming, randomUUID());
    progress.enter(row.key, 'fetching');
    const { hash, sizeBytes, version } = await this.#fetch(url, file, row.sourceVouched).catch(
      (error: unknown) => {
        throw error instanceof DownloadError ? new SourceError(error.serviceError, error.message) : error;
      },
    );
    const found = checkSource(await readFile(file), row.fileType, request.model, this.#deps.table);
    if ('errorCode' in found) {
      await rm(file);
      throw new SourceError(found.errorCode, found.message);
    }
    await blobs.putFile(file, { hash, sizeBytes });
    return { sourceHash: hash, fileType: found.fileType, version };
  }

  async #fetch(url: string, file: string, fromVerifiedToken: boolean) {
    const { config, http, tokens, hostStorage } = this.#deps;
    if (hostStorage && isHostAddress(url)) {
      return { ...(await hostStorage.fetch(url, file)), version: { etag: null, modified: null } };
    }
    return download(http, {
      url,
      file,
      headers: await tokens.downloadHeaders(url),
      fromVerifiedToken,
      maxSizeBytes: config.maxDownloadSizeBytes,
      timeoutMs: config.downloadTimeoutMs,
    });
  }

  /** What opening this content gives for a model: known, or found out by a converter now. */
  async #filesOfSource(
    wanted: WantedSource & { version?: number | undefined },
    owner: TurnOwner,
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
    // Whoever tries passwords must not fill the table with them.
    if (opened?.ok === false && variant !== '') await openedSources.forget(wanted);
    return opened ?? { ok: false, errorCode: ServiceError.convertTimeout };
  }
}

/** A source, and the form in which it is wanted. */
type OpenedFile = Pick<WantedSource, 'sourceHash' | 'model' | 'fileType'> & {
  version?: number | undefined;
  owner: { key: string };
};
interface OpenedAs {
  result: OpenedSource;
  baseHash: string | null;
}

/** Errors with which a source asks for more. */
const asked: readonly number[] = [
  ServiceError.convertNeedParams,
  ServiceError.convertPasswordRequired,
  ServiceError.convertWrongPassword,
];

function outcomeOf(opened: OpenedSource): OpeningOutcome {
  if (opened.ok) return 'opened';
  return asked.includes(opened.errorCode) ? 'asks' : 'failed';
}

function failedBefore({ errorCode, sourceHash, fileType }: DocumentRow): OpenedSource {
  const failed = { ok: false as const, errorCode: errorCode ?? ServiceError.unknown };
  const isAsked = sourceHash !== null && asked.includes(failed.errorCode);
  return isAsked ? { ...failed, origin: { hash: sourceHash, fileType } } : failed;
}

const passwordErrorOf = (parameters: OpeningOptions | undefined): number =>
  parameters?.password === undefined
    ? ServiceError.convertPasswordRequired
    : ServiceError.convertWrongPassword;

/** Compares without telling by its time how much is right. */
function isSame(expected: string, given: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(expected), digest(given));
}

function errorCodeOf(error: unknown): number {
  if (error instanceof SourceError) return error.errorCode;
  if (error instanceof QueueFullError) return ServiceError.taskQueue;
  return error instanceof BlobStoreUnavailableError ? ServiceError.storage : ServiceError.unknown;
}

/** The source cannot be opened, for a reason that has a number. */
class SourceError extends Error {
  readonly errorCode: number;

  constructor(errorCode: number, message: string) {
    super(message);
    this.name = 'SourceError';
    this.errorCode = errorCode;
  }
}
