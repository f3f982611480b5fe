import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import type { Config } from '../config.ts';
import type { FetchedSource } from '../lifecycle/host-storage.ts';
import { DownloadError, download } from '../outgoing/download.ts';
import type { HttpClient } from '../outgoing/http-client.ts';
import { RequestError } from '../outgoing/request-error.ts';
import { accessOf } from './access.ts';
import type { BlankFiles } from './blank-files.ts';
import { extensionOf, type FileInfo, readFileInfo } from './file-info.ts';
import { addressOf } from './file-source.ts';
import type { HostClient } from './host-client.ts';

export interface GetFileDependencies {
  config: Pick<Config, 'dataDir' | 'maxDownloadSizeBytes' | 'downloadTimeoutMs'>;
  http: HttpClient;
  client: HostClient;
  blanks: BlankFiles;
}

/** Where bytes may be had, in the order in which the places are tried. */
interface Place {
  url: string;
  headers: Record<string, string>;
}

/** Fetches files from WOPI hosts (integration API, 13.4). */
export class GetFile {
  readonly #deps: GetFileDependencies;

  constructor(dependencies: GetFileDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Fetches what a session opens into a file that does not exist yet: from the direct address if the host named one
   * (and from the host itself when that fails), from the template of a new file, or from the host. An empty file is
   * opened as a blank one.
   * @throws DownloadError
   */
  async into(session: WopiSessionRow, file: string): Promise<FetchedSource> {
    const info = readFileInfo(session.fileInfo);
    const blank = info && (await this.#blankFor(info));
    if (blank) return writeNew(file, blank);
    const places = info ? this.#placesOf(session, info) : [this.#contents(session)];
    for (const [index, place] of places.entries()) {
      try {
        return await this.#fetch(place, file);
      } catch (error) {
        if (!(error instanceof DownloadError) || index === places.length - 1) throw error;
      }
    }
    throw new Error('A file is always somewhere');
  }

  /**
   * The hash of what the host has now.
   * @throws DownloadError
   */
  async hashOf(session: WopiSessionRow): Promise<string> {
    const directory = path.join(this.#deps.config.dataDir, 'incoming');
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, randomUUID());
    try {
      return (await this.#fetch(this.#contents(session), file)).hash;
    } finally {
      await rm(file, { force: true });
    }
  }

  async #blankFor(info: FileInfo): Promise<Uint8Array | null> {
    if (info.Size !== 0 || info.TemplateSource) return null;
    return this.#deps.blanks.of(extensionOf(info));
  }

  #placesOf(session: WopiSessionRow, { FileUrl, TemplateSource, Size }: FileInfo): Place[] {
    const contents = this.#contents(session);
    // An address that the host names is used as it is, and is not signed.
    if (FileUrl) return [{ url: FileUrl, headers: {} }, contents];
    if (TemplateSource && !Size) {
      return [
        { url: TemplateSource, headers: this.#deps.client.headersFor(accessOf(session), TemplateSource) },
      ];
    }
    return [contents];
  }

  #contents(session: WopiSessionRow): Place {
    const { client, config } = this.#deps;
    const url = addressOf(session.source, session.accessToken, '/contents');
    return {
      url,
      headers: {
        ...client.headersFor(accessOf(session), url),
        'X-WOPI-MaxExpectedSize': String(Math.min(config.maxDownloadSizeBytes, 2 ** 31 - 1)),
      },
    };
  }

  async #fetch({ url, headers }: Place, file: string): Promise<FetchedSource> {
    const { http, client, config } = this.#deps;
    try {
      return await download(http, {
        url,
        file,
        headers,
        fromVerifiedToken: client.vouched(url),
        maxSizeBytes: config.maxDownloadSizeBytes,
        timeoutMs: config.downloadTimeoutMs,
      });
    } catch (error) {
      throw error instanceof RequestError ? new DownloadError(error) : error;
    }
  }
}

async function writeNew(file: string, bytes: Uint8Array): Promise<FetchedSource> {
  const handle = await open(file, 'wx', 0o600);
  await handle.writeFile(bytes).finally(() => handle.close());
  return { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength };
}
