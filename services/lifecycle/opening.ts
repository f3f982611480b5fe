import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { documentFile, ServiceError } from '../../client/protocol/index.ts';
import { checkSource } from '../../converter/formats.ts';
import type { DocumentModel, DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { OpenedSource, OpenedSources } from '../../db/opened-sources.ts';
import type { Config } from '../config.ts';
import type { ConversionQueue } from '../jobs.ts';
import { DownloadError, download } from '../outgoing/download.ts';
import type { HttpClient } from '../outgoing/http-client.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Tokens } from '../tokens.ts';

export interface OpeningDependencies {
  config: Config;
  http: HttpClient;
  tokens: Tokens;
  blobs: BlobStore;
  documents: Documents;
  openedSources: OpenedSources;
  queue: ConversionQueue;
  log: Logger;
}

/** What is wanted opened, and how far its address can be trusted. */
export interface OpeningRequest {
  row: DocumentRow;
  model: DocumentModel;
  /** Address to open from when the document has none; null where only a token may give one. */
  fallbackUrl: string | null;
  /** Records that the source is opened, in line with the document's other messages. */
  opened: (result: { sourceHash: string; model: DocumentModel; fileType: string }) => Promise<void>;
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
    this.#incoming = path.join(dependencies.config.dataDir, 'incoming');
  }

  /** Removes downloads that a dead process left. To be called before anything is opened. */
  async clear(): Promise<void> {
    await rm(this.#incoming, { recursive: true, force: true });
  }

  /** The files of a document, once it is opened, or the number of what went wrong. */
  async filesOf(request: OpeningRequest): Promise<OpenedSource> {
    const { row } = request;
    if (row.state !== 'opening') return this.#filesOfOpened(row);
    let running = this.#running.get(row.key);
    if (!running) {
      running = this.#open(request).finally(() => this.#running.delete(row.key));
      this.#running.set(row.key, running);
    }
    return running;
  }

  async #filesOfOpened(row: DocumentRow): Promise<OpenedSource> {
    if (row.sourceHash === null || row.model === null) {
      return { ok: false, errorCode: row.errorCode ?? ServiceError.unknown };
    }
    return this.#filesOfSource(row.sourceHash, row.model, row.fileType);
  }

  async #open(request: OpeningRequest): Promise<OpenedSource> {
    const { row, model } = request;
    const { documents, log } = this.#deps;
    try {
      const { sourceHash, fileType } = await this.#source(request);
      const result = await this.#filesOfSource(sourceHash, model, fileType);
      if (result.ok) await request.opened({ sourceHash, model, fileType });
      else await documents.openingFailed(row.key, result.errorCode);
      return result;
    } catch (error) {
      const errorCode = error instanceof SourceError ? error.errorCode : ServiceError.unknown;
      const level = error instanceof SourceError ? 'warn' : 'error';
      log[level]({ err: error, documentKey: row.key }, 'A source could not be opened');
      await documents.openingFailed(row.key, errorCode);
      return { ok: false, errorCode };
    }
  }

  async #source(request: OpeningRequest): Promise<{ sourceHash: string; fileType: string }> {
    const { row } = request;
    const { config, http, tokens, blobs } = this.#deps;
    // A copy from forgotten storage stands in for the file at the address.
    if (row.sourceHash !== null) return { sourceHash: row.sourceHash, fileType: row.fileType };
    const url = row.sourceUrl ?? request.fallbackUrl;
    if (!url) throw new SourceError(ServiceError.convertDownload, 'There is no address to open from');
    await mkdir(this.#incoming, { recursive: true });
    const file = path.join(this.#incoming, randomUUID());
    const { hash, sizeBytes } = await download(http, {
      url,
      file,
      headers: config.jwtEnabled ? await tokens.downloadHeaders(url) : {},
      fromVerifiedToken: row.sourceVouched,
      maxSizeBytes: config.maxDownloadSizeBytes,
      timeoutMs: config.downloadTimeoutMs,
    }).catch((error: unknown) => {
      throw error instanceof DownloadError ? new SourceError(error.serviceError, error.message) : error;
    });
    const found = checkSource(await readFile(file), row.fileType, request.model);
    if ('errorCode' in found) {
      await rm(file);
      throw new SourceError(found.errorCode, found.message);
    }
    await blobs.putFile(file, { hash, sizeBytes });
    return { sourceHash: hash, fileType: found.fileType };
  }

  /** What opening this content gives for a model: known, or found out by a converter now. */
  async #filesOfSource(sourceHash: string, model: DocumentModel, fileType: string): Promise<OpenedSource> {
    if (model === 'opaque') return { ok: true, files: { [documentFile]: sourceHash } };
    const { openedSources, queue } = this.#deps;
    const known = await openedSources.find(sourceHash, model);
    if (known) return known;
    await queue.run({ name: 'open', data: { sourceHash, model, fileType } });
    const opened = await openedSources.find(sourceHash, model);
    return opened ?? { ok: false, errorCode: ServiceError.convertTimeout };
  }
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
