import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../../client/protocol/index.ts';
import type { ConversionTable } from '../../../converter/formats/conversion-table.ts';
import { checkSource } from '../../../converter/formats/formats.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { SourceVersion } from '../../../db/documents.ts';
import type { Config } from '../../../platform/config.ts';
import { DownloadError, download } from '../../../platform/outgoing/download.ts';
import type { HttpClient } from '../../../platform/outgoing/http-client.ts';
import type { BlobStore } from '../../../platform/ports/blob-store.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import type { Tokens } from '../../../platform/secrets/tokens.ts';
import { type HostStorage, isHostAddress } from '../host-storage.ts';
import type { OpeningProgress } from './opening-progress.ts';

export interface SourceIntakeDependencies {
  config: Pick<Config, 'maxDownloadSizeBytes' | 'downloadTimeoutMs'>;
  /** This process' own. */
  workDirectory: string;
  http: HttpClient;
  tokens: Tokens;
  blobs: Pick<BlobStore, 'put' | 'putFile'>;
  hostStorage: HostStorage | null;
  /** What can be opened depends on the engines that there are. */
  table: ConversionTable;
  progress: Pick<OpeningProgress, 'enter'>;
}

/** A document whose source is wanted. */
export interface WantedIntake {
  row: DocumentRow;
  /** The model or form that it is to be opened in. */
  model: string;
  /** Address to open from when the document has none; null where only a token may give one. */
  fallbackUrl: string | null;
}

/**
 * A file as it came, not looked at yet: in memory, on this machine's disk, or, from forgotten storage, among the blobs
 * already.
 */
export type FetchedFile = { sourceHash: string; version: SourceVersion } & (
  | { content: Buffer }
  | { file: string; sizeBytes: number }
  | { fileType: string }
);

/** A source of which is known what it is, stored by its content. */
export interface Source {
  sourceHash: string;
  fileType: string;
  version: SourceVersion;
}

/** The source cannot be opened, for a reason that has a number. */
export class SourceError extends QuireError {
  /** What clients are told. */
  readonly serviceError: number;

  constructor(serviceError: number, message: string) {
    super('source', message);
    this.serviceError = serviceError;
  }
}

/** Files of up to this size, as most are, are not written to the disk before it is known what they are. */
const inMemoryBytes = 1_000_000;

const unversioned: SourceVersion = { etag: null, modified: null };

/** Brings sources in: the first stages of an opening. */
export class SourceIntake {
  readonly #deps: SourceIntakeDependencies;
  readonly #incoming: string;

  constructor(dependencies: SourceIntakeDependencies) {
    this.#deps = dependencies;
    this.#incoming = path.join(dependencies.workDirectory, 'incoming');
  }

  /** Fetches the file from its address. @throws SourceError */
  async fetch({ row, fallbackUrl }: WantedIntake): Promise<FetchedFile> {
    // A copy from forgotten storage stands in for the file at the address.
    if (row.sourceHash !== null) {
      return { sourceHash: row.sourceHash, fileType: row.fileType, version: unversioned };
    }
    const url = row.sourceUrl ?? fallbackUrl;
    if (!url) throw new SourceError(ServiceError.convertDownload, 'There is no address to open from');
    return this.fetchFrom({ url, isVouched: row.sourceVouched, key: row.key });
  }

  /**
   * Fetches a file for a document.
   * @param isVouched whether a token has named the address
   * @throws SourceError
   */
  async fetchFrom({
    url,
    isVouched,
    key,
  }: {
    url: string;
    isVouched: boolean;
    key: string;
  }): Promise<FetchedFile> {
    const file = path.join(this.#incoming, randomUUID());
    this.#deps.progress.enter(key, 'fetching');
    try {
      const { hash, sizeBytes, content, version } = await this.#download(url, file, isVouched);
      return content
        ? { sourceHash: hash, version, content }
        : { sourceHash: hash, version, file, sizeBytes };
    } catch (error) {
      throw error instanceof DownloadError ? new SourceError(error.serviceError, error.message) : error;
    }
  }

  /** Finds out what the file is, checks whether it can be opened so, and stores it by its content. @throws SourceError */
  recognise(fetched: FetchedFile, { row, model }: WantedIntake): Promise<Source> {
    return this.recogniseAs(fetched, row.fileType, model);
  }

  /** The same for a file that is said to be of a type. @throws SourceError */
  async recogniseAs(fetched: FetchedFile, saidType: string, model: string): Promise<Source> {
    const { sourceHash, version } = fetched;
    if ('fileType' in fetched) return { sourceHash, version, fileType: fetched.fileType };
    const { blobs, table } = this.#deps;
    const content = 'content' in fetched ? fetched.content : await readFile(fetched.file);
    const found = checkSource(content, saidType, model, table);
    if ('errorCode' in found) {
      if ('file' in fetched) await rm(fetched.file);
      throw new SourceError(found.errorCode, found.message);
    }
    if ('file' in fetched)
      await blobs.putFile(fetched.file, { hash: sourceHash, sizeBytes: fetched.sizeBytes });
    else await blobs.put(content);
    return { sourceHash, version, fileType: found.fileType };
  }

  async #download(url: string, file: string, fromVerifiedToken: boolean) {
    const { config, http, tokens, hostStorage } = this.#deps;
    if (hostStorage && isHostAddress(url)) {
      return { ...(await hostStorage.fetch(url, file)), content: null, version: unversioned };
    }
    return download(http, {
      url,
      file,
      headers: await tokens.downloadHeaders(url),
      fromVerifiedToken,
      maxSizeBytes: config.maxDownloadSizeBytes,
      timeoutMs: config.downloadTimeoutMs,
      inMemoryBytes,
    });
  }
}
