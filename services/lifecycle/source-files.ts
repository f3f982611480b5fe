import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import { download } from '../../platform/outgoing/download.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import type { BlobStore, StoredBlob } from '../../platform/ports/blob-store.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';

export interface SourceFilesDependencies {
  config: Config;
  /** This process' own. */
  workDirectory: string;
  http: HttpClient;
  tokens: Tokens;
  blobs: BlobStore;
}

/** Where a file is fetched from, and whether a verified token vouches for the address. */
export interface FileAddress {
  url: string;
  fromVerifiedToken: boolean;
  /** In place of the token that this server shows storages. */
  headers?: Readonly<Record<string, string>>;
}

/** Fetches files of integrators into the blob store. */
export class SourceFiles {
  readonly #deps: SourceFilesDependencies;
  readonly #incoming: string;

  constructor(dependencies: SourceFilesDependencies) {
    this.#deps = dependencies;
    this.#incoming = path.join(dependencies.workDirectory, 'incoming');
  }

  /** @throws DownloadError */
  async fetch({ url, fromVerifiedToken, headers }: FileAddress): Promise<StoredBlob> {
    const { config, http, tokens, blobs } = this.#deps;
    const file = path.join(this.#incoming, randomUUID());
    const { hash, sizeBytes } = await download(http, {
      url,
      file,
      headers: headers ?? (await tokens.downloadHeaders(url)),
      fromVerifiedToken,
      maxSizeBytes: config.maxDownloadSizeBytes,
      timeoutMs: config.downloadTimeoutMs,
    });
    return blobs.putFile(file, { hash, sizeBytes });
  }
}
