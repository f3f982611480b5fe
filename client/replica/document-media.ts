import { QuireError } from '../../platform/quire-error.ts';
import { DocumentClientError } from '../client-error.ts';
import type { DocumentClient } from '../document-client.ts';
import { type DocumentOpen, type OpenCommand, ServiceError } from '../protocol/index.ts';

/**
 * Why a picture could not be uploaded.
 * - `not-allowed`: this session may not add pictures.
 * - `too-large`, `not-a-picture`: what was given.
 * - `network`: no answer; it may be tried again.
 */
export type UploadErrorCode = 'not-allowed' | 'too-large' | 'not-a-picture' | 'network';

export class UploadError extends QuireError<UploadErrorCode> {
  constructor(code: UploadErrorCode, message: string, cause?: unknown) {
    super(code, message, { cause, retryable: code === 'network' });
  }
}

export interface UploadedPicture {
  /** The picture's name in the document. */
  readonly path: string;
  readonly url: string;
}

/** A picture that the server has fetched, or the number of what was wrong with it (`ServiceError`). */
export type FetchedPicture = UploadedPicture | { readonly errorCode: number };

export interface DocumentMediaOptions {
  readonly client: DocumentClient;
  /** Address of the server. */
  readonly server: string;
  readonly key: string;
  /** What goes into the queries of requests. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** New addresses are known. */
  readonly onMedia: () => void;
}

const statusCodes: Readonly<Record<number, UploadErrorCode>> = {
  400: 'not-a-picture',
  413: 'too-large',
  415: 'not-a-picture',
};

/** Where the pictures of a document can be fetched. */
export class DocumentMedia {
  readonly #options: DocumentMediaOptions;
  readonly #urls = new Map<string, string>();

  constructor(options: DocumentMediaOptions) {
    this.#options = options;
  }

  add(urls: Readonly<Record<string, string>>): void {
    for (const [path, url] of Object.entries(urls)) this.#urls.set(path, url);
  }

  /** The address of a picture by its path in the model, or null while none is known. */
  url(path: string): string | null {
    return this.#urls.get(path) ?? null;
  }

  /**
   * Asks the server for the addresses of pictures that came after the document was opened; again in the next session
   * when the connection is lost meanwhile.
   * @throws DocumentClientError `timeout` when there is no answer, `closed` when the client ended
   */
  async load(paths: readonly string[]): Promise<void> {
    const unknown = paths.filter((path) => !this.#urls.has(path));
    if (unknown.length === 0) return;
    const { data } = await this.#askInSession({ c: 'pathurls', data: unknown });
    if (!Array.isArray(data)) return;
    const found = unknown.flatMap((path, at) => {
      const url: unknown = data[at];
      return typeof url === 'string' && url !== '' ? [[path, url] as const] : [];
    });
    this.#learn(Object.fromEntries(found));
  }

  /** @throws UploadError */
  async upload(picture: Blob): Promise<UploadedPicture> {
    const { server, key, client, query } = this.#options;
    const address = `${server.replace(/\/$/, '')}/upload/${encodeURIComponent(key)}`;
    const response = await fetch(query ? `${address}?${new URLSearchParams(query)}` : address, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.sessionToken ?? ''}` },
      body: picture,
    }).catch((cause: unknown) => {
      throw new UploadError('network', 'the picture could not be sent', cause);
    });
    if (!response.ok) {
      const code = statusCodes[response.status] ?? (response.status < 500 ? 'not-allowed' : 'network');
      throw new UploadError(code, `the picture was refused: status ${response.status}`);
    }
    const urls = (await response.json()) as Record<string, string>;
    const [first] = Object.entries(urls);
    if (!first) throw new UploadError('network', 'the server did not name the picture');
    this.#learn(urls);
    return { path: first[0], url: first[1] };
  }

  /**
   * Has the server fetch pictures by address and put them beside the document. The answers are in the order asked for.
   * A token that vouches for the addresses opens those of the integrator's own network.
   * @throws DocumentClientError `timeout` when there is no answer
   */
  async fetch(addresses: readonly string[], token?: string): Promise<readonly FetchedPicture[]> {
    const { status, data } = await this.#options.client.openDocument({
      c: 'imgurls',
      data: addresses,
      ...(token !== undefined && { tokenDownload: token }),
    });
    if (status !== 'ok') return addresses.map(() => ({ errorCode: Number(data) }));
    const { urls } = data as { urls: readonly (UploadedPicture & { errorCode?: number })[] };
    this.#learn(Object.fromEntries(urls.filter(isFetched).map(({ path, url }) => [path, url])));
    return urls.map((picture) => {
      if (isFetched(picture)) return { path: picture.path, url: picture.url };
      return { errorCode: picture.errorCode ?? ServiceError.uploadUrl };
    });
  }

  async #askInSession(command: OpenCommand): Promise<DocumentOpen['data']> {
    const { client } = this.#options;
    for (;;) {
      while (client.status.connection !== 'ready') {
        if (client.status.connection === 'ended') throw new DocumentClientError('closed', 'the client ended');
        await client.once('status');
      }
      try {
        return await client.openDocument(command);
      } catch (error) {
        if (client.status.connection === 'ready') throw error;
      }
    }
  }

  #learn(urls: Readonly<Record<string, string>>): void {
    if (Object.keys(urls).length === 0) return;
    this.add(urls);
    this.#options.onMedia();
  }
}

/** What cannot be had is called `error` (co-authoring protocol, 9.5). */
const isFetched = ({ path }: UploadedPicture): boolean => path !== 'error';
