import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { CallbackStatus } from '../client/protocol/index.ts';
import { SigningKey } from '../platform/secrets/signing-key.ts';
import type { LoadKind } from './load-kinds.ts';

/** A callback with which the server hands over a document. */
export interface Callback {
  key: string;
  status: number;
  /** Where the file is, and the archive of its changes. */
  url?: string;
  changesurl?: string;
}

/** Clocks of a server elsewhere may differ by this, seconds. */
const clockToleranceS = 300;

/** Statuses that end a document. */
const endings: ReadonlySet<number> = new Set([
  CallbackStatus.mustSave,
  CallbackStatus.corrupted,
  CallbackStatus.closed,
]);

/**
 * The application that owns the documents: serves the files that they begin with, and takes what comes back. A file is taken
 * before the callback is answered, as applications do it.
 */
export class Integrator {
  readonly #server: Server;
  readonly #sources = new Map<number, Uint8Array>();
  #address = '';
  /** Called with each callback that ends a document; the server is told that it was taken when this resolves. */
  onEnd: (callback: Callback) => Promise<void> = () => Promise.resolve();
  /** Called with the key that a callback names whose token is not the server's, and with what is wrong with it. */
  onForged: (key: string, reason: string) => void = () => undefined;

  readonly #kind: LoadKind;
  readonly #secret: SigningKey | null;

  private constructor(kind: LoadKind, secret: string | null) {
    this.#kind = kind;
    this.#secret = secret === null ? null : new SigningKey(secret);
    this.#server = createServer((incoming, response) => {
      if (incoming.method === 'POST') {
        this.#take(incoming).then(
          (isTaken) =>
            response.setHeader('Content-Type', 'application/json').end(`{"error":${isTaken ? 0 : 1}}`),
          () => response.writeHead(500).end(),
        );
        return;
      }
      const edition = Number(/\d+/.exec(incoming.url ?? '')?.[0] ?? 0);
      const bytes = this.#sources.get(edition) ?? kind.source(edition);
      this.#sources.set(edition, bytes);
      response.setHeader('Content-Length', bytes.byteLength).end(bytes);
    });
    // Servers keep their connections to an integrator; a short time here would cut them as they are used.
    this.#server.keepAliveTimeout = 65_000;
  }

  /**
   * @param publicHost the name under which the target reaches this machine
   * @param secret what callbacks are signed with; null where the target signs nothing
   */
  static async start(publicHost: string, kind: LoadKind, secret: string | null): Promise<Integrator> {
    const integrator = new Integrator(kind, secret);
    const isLocal = publicHost === '127.0.0.1' || publicHost === 'localhost';
    integrator.#server.listen(0, isLocal ? '127.0.0.1' : undefined);
    await once(integrator.#server, 'listening');
    integrator.#address = `http://${publicHost}:${(integrator.#server.address() as AddressInfo).port}`;
    return integrator;
  }

  sourceUrl(edition: number): string {
    return `${this.#address}/${edition}.${this.#kind.fileType}`;
  }

  get callbackUrl(): string {
    return `${this.#address}/callback`;
  }

  /** What is being answered gets its answer; who has not got it by then, after a second, is cut off. */
  async stop(): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20);
    const late = setTimeout(() => this.#server.closeAllConnections(), 1_000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  }

  /** Resolves with whether the callback was taken. */
  async #take(incoming: IncomingMessage): Promise<boolean> {
    const { token, ...plain } = JSON.parse(await textOf(incoming)) as Callback & { token?: string };
    // Those of people who come and go are many.
    if (plain.status !== undefined && !endings.has(plain.status)) return true;
    const { callback, reason } = this.#signed(plain, token, incoming.headers.authorization);
    if (reason !== undefined) {
      this.onForged(plain.key, reason);
      return false;
    }
    if (endings.has(callback.status)) await this.onEnd(callback);
    return true;
  }

  /**
   * What counts of a callback. Of a long one only the body's token has everything: the plain body and the header's token lose
   * the address of the changes (integration API, 7.1). A server that signs nothing has it all in the body.
   */
  #signed(
    plain: Callback,
    token: string | undefined,
    authorization: string | undefined,
  ): { callback: Callback; reason?: undefined } | { callback?: undefined; reason: string } {
    const inHeader = authorization?.replace(/^Bearer +/i, '');
    if (this.#secret === null || (token === undefined && inHeader === undefined)) return { callback: plain };
    const result = this.#secret.verify(token ?? inHeader, Date.now(), clockToleranceS);
    if (result.kind !== 'ok') return { reason: result.reason };
    return { callback: (token === undefined ? result.claims.payload : result.claims) as Callback };
  }
}

/** The body of a request. The readers of streams that Node has take several times as long. */
const textOf = (incoming: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => {
      text += part;
    });
    incoming.once('end', () => resolve(text));
    incoming.once('error', reject);
  });

/** Fetches a file. Rejects when it is not there. */
export async function fetchFile(url: string): Promise<Uint8Array> {
  const { statusCode, body } = await request(url);
  const bytes = new Uint8Array(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  return bytes;
}
