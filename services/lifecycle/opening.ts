import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { documentFile, ServiceError } from '../../client/protocol/index.ts';
import { checkSource } from '../../converter/formats.ts';
import type { WantedSource } from '../../converter/opening.ts';
import {
  type OpeningOptions,
  type SealedOptions,
  sealOptions,
  unsealOptions,
} from '../../converter/opening-options.ts';
import type { DocumentModel, DocumentRow } from '../../db/document-row.ts';
import type { Documents, SourceVersion } from '../../db/documents.ts';
import type { OpenedSource, OpenedSources } from '../../db/opened-sources.ts';
import type { Config } from '../config.ts';
import type { ConversionQueue } from '../jobs.ts';
import type { OpeningOutcome } from '../metrics/opening.ts';
import { DownloadError, download } from '../outgoing/download.ts';
import type { HttpClient } from '../outgoing/http-client.ts';
import { type BlobStore, BlobStoreUnavailableError } from '../ports/blob-store.ts';
import type { Sealing } from '../sealing.ts';
import type { Tokens } from '../tokens.ts';
import { traced } from '../tracing.ts';
import { type HostStorage, isHostAddress } from './host-storage.ts';

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
  /** Records that the source is opened, in line with the document's other messages. */
  opened: (result: {
    sourceHash: string;
    model: DocumentModel;
    fileType: string;
    version: SourceVersion;
    options: SealedOptions;
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
      this.#filesFor(request),
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

  async #filesOfOpened({ row, parameters, knowsPassword }: OpeningRequest): Promise<OpenedSource> {
    if (row.sourceHash === null || row.model === null) return failedBefore(row);
    const options = unsealOptions(this.#deps.sealing, row.openingOptions);
    if (!options) return { ok: false, errorCode: ServiceError.convert };
    const { password } = options;
    if (password !== undefined && !knowsPassword && !isSame(password, parameters?.password)) {
      return { ok: false, errorCode: passwordErrorOf(parameters) };
    }
    return this.#filesOfSource({
      sourceHash: row.sourceHash,
      model: row.model,
      fileType: row.fileType,
      variant: row.openedVariant,
      sealed: row.openingOptions,
    });
  }

  async #open(request: OpeningRequest): Promise<OpenedSource> {
    const { row, model } = request;
    const { documents, log } = this.#deps;
    try {
      const { sourceHash, fileType, version } = await this.#source(request);
      const { options, result } = await this.#firstOpened(
        { sourceHash, model, fileType },
        request.parameters ?? {},
      );
      if (result.ok) {
        await request.opened({ sourceHash, model, fileType, version, options });
        return result;
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
    source: Pick<WantedSource, 'sourceHash' | 'model' | 'fileType'>,
    parameters: OpeningOptions,
  ) {
    const none = sealOptions(this.#deps.sealing, {});
    const result = await this.#filesOfSource({ ...source, ...none });
    const options = sealOptions(this.#deps.sealing, parameters);
    if (result.ok || !asked.includes(result.errorCode) || options.sealed === null)
      return { options: none, result };
    return { options, result: await this.#filesOfSource({ ...source, ...options }) };
  }

  async #source(
    request: OpeningRequest,
  ): Promise<{ sourceHash: string; fileType: string; version: SourceVersion }> {
    const { row } = request;
    const { blobs } = this.#deps;
    // A copy from forgotten storage stands in for the file at the address.
    if (row.sourceHash !== null) {
      const version = { etag: null, modified: null };
      return { sourceHash: row.sourceHash, fileType: row.fileType, version };
    }
    const url = row.sourceUrl ?? request.fallbackUrl;
    if (!url) throw new SourceError(ServiceError.convertDownload, 'There is no address to open from');
    await mkdir(this.#incoming, { recursive: true });
    const file = path.join(this.#incoming, randomUUID());
    const { hash, sizeBytes, version } = await this.#fetch(url, file, row.sourceVouched).catch(
      (error: unknown) => {
        throw error instanceof DownloadError ? new SourceError(error.serviceError, error.message) : error;
      },
    );
    const found = checkSource(await readFile(file), row.fileType, request.model);
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
  async #filesOfSource(wanted: WantedSource): Promise<OpenedSource> {
    const { sourceHash, model, variant, fileType, sealed } = wanted;
    if (model === 'opaque') return { ok: true, files: { [documentFile]: sourceHash } };
    const { openedSources, queue } = this.#deps;
    const known = await openedSources.find(wanted);
    this.#deps.onLookedUp(known !== null && known !== undefined);
    if (known) return known;
    await queue.run({ name: 'open', data: { sourceHash, model, variant, fileType, sealed } });
    const opened = await openedSources.find(wanted);
    // Whoever tries passwords must not fill the table with them.
    if (opened?.ok === false && variant !== '') await openedSources.forget(wanted);
    return opened ?? { ok: false, errorCode: ServiceError.convertTimeout };
  }
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
