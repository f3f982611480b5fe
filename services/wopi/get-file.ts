import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import type { Config } from '../../platform/config.ts';
import { DownloadError, download, openNew } from '../../platform/outgoing/download.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import type { FetchedSource, HostedContent, SourcePlace } from '../lifecycle/host-storage.ts';
import type { BlankFiles } from './blank-files.ts';
import { extensionOf, type FileInfo, readFileInfo } from './file-info.ts';
import { addressOf } from './file-source.ts';
import { accessOf, type HostAccess, type HostClient } from './host-client.ts';

export interface GetFileDependencies {
  config: Pick<Config, 'maxDownloadSizeBytes' | 'downloadTimeoutMs'>;
  /** This process' own. */
  workDirectory: string;
  http: HttpClient;
  client: HostClient;
  blanks: BlankFiles;
  log: Logger;
}

/** Fetches files from WOPI hosts (integration API, 13.4). */
export class GetFile {
  readonly #deps: GetFileDependencies;

  constructor(dependencies: GetFileDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Fetches what a session opens into a file that does not exist yet: from the direct address if the host named one
   * (and from the host itself when that fails or may not be asked), from the template of a new file, or from the host. An
   * empty file is opened as a blank one, also where its template may not be asked for.
   * @throws DownloadError
   */
  async into(session: WopiSessionRow, file: string): Promise<FetchedSource> {
    const content = await this.contentOf(session).catch((error: unknown) => {
      throw error instanceof RequestError ? new DownloadError(error) : error;
    });
    if ('bytes' in content) return writeNew(file, content.bytes);
    const { places } = content;
    for (const [index, place] of places.entries()) {
      try {
        return await this.#fetch(place, file);
      } catch (error) {
        if (!(error instanceof DownloadError) || index === places.length - 1) throw error;
        const { message: reason, level } = error;
        this.#deps.log[level]({ reason }, 'A file could not be fetched at the address that its host named');
      }
    }
    throw new Error('A file is always somewhere');
  }

  /** What a session opens: a blank document for an empty file, else where the bytes may be had. */
  async contentOf(session: WopiSessionRow): Promise<HostedContent> {
    const info = readFileInfo(session.fileInfo);
    const blank = info && (await this.#blankFor(info));
    if (blank) return { bytes: blank };
    return { places: info ? this.#placesOf(session, info) : [this.#contents(accessOf(session))] };
  }

  /**
   * The hash of what the host has now.
   * @throws DownloadError
   */
  async hashOf(session: WopiSessionRow): Promise<string> {
    return (await this.#look(accessOf(session))).hash;
  }

  /** Whether the host gives a file that has bytes. */
  async hasBytes(access: HostAccess): Promise<boolean> {
    try {
      return (await this.#look(access)).sizeBytes > 0;
    } catch (error) {
      this.#deps.log.info({ err: error }, 'A file that is said to be empty could not be fetched');
      return false;
    }
  }

  /** @throws DownloadError */
  async #look(access: HostAccess): Promise<FetchedSource> {
    const file = path.join(this.#deps.workDirectory, 'incoming', randomUUID());
    try {
      return await this.#fetch(this.#contents(access), file);
    } finally {
      await rm(file, { force: true });
    }
  }

  async #blankFor(info: FileInfo): Promise<Uint8Array | null> {
    if (info.Size !== 0 || (info.TemplateSource && this.#mayFetch(info.TemplateSource))) return null;
    return this.#deps.blanks.of(extensionOf(info));
  }

  #placesOf(session: WopiSessionRow, { FileUrl, TemplateSource, Size }: FileInfo): SourcePlace[] {
    const { client } = this.#deps;
    const contents = this.#contents(accessOf(session));
    // An address that the host names is used as it is, and is not signed.
    if (FileUrl && this.#mayFetch(FileUrl)) return [{ url: FileUrl, vouched: true, headers: {} }, contents];
    if (TemplateSource && Size === 0) {
      const vouched = client.vouched(TemplateSource);
      return [
        { url: TemplateSource, vouched, headers: client.headersFor(accessOf(session), TemplateSource) },
      ];
    }
    return [contents];
  }

  /** Whether an address that a host named may be used; where not, there is another way to the file. */
  #mayFetch(address: string): boolean {
    if (this.#deps.client.mayAsk(address)) return true;
    this.#deps.log.info(
      { address: URL.canParse(address) ? new URL(address).origin : 'no address' },
      'A host names an address of a file that WOPI_HOSTS does not name',
    );
    return false;
  }

  #contents(access: HostAccess): SourcePlace {
    const { client, config } = this.#deps;
    const url = addressOf(access.source, access.accessToken, '/contents');
    return {
      url,
      vouched: client.vouched(url),
      headers: {
        ...client.headersFor(access, url),
        'X-WOPI-MaxExpectedSize': String(Math.min(config.maxDownloadSizeBytes, 2 ** 31 - 1)),
      },
    };
  }

  async #fetch({ url, headers, vouched }: SourcePlace, file: string): Promise<FetchedSource> {
    const { http, config } = this.#deps;
    try {
      return await download(http, {
        url,
        file,
        headers,
        fromVerifiedToken: vouched,
        maxSizeBytes: config.maxDownloadSizeBytes,
        timeoutMs: config.downloadTimeoutMs,
      });
    } catch (error) {
      throw error instanceof RequestError ? new DownloadError(error) : error;
    }
  }
}

async function writeNew(file: string, bytes: Uint8Array): Promise<FetchedSource> {
  const handle = await openNew(file);
  await handle.writeFile(bytes).finally(() => handle.close());
  return { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength };
}
