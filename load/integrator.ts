import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { request } from 'undici';
import { CallbackStatus } from '../client/protocol/index.ts';
import { sourceDocx } from './document-text.ts';

/** A callback with which the server hands over a document. */
export interface Callback {
  key: string;
  status: number;
  /** Where the file is, and the archive of its changes. */
  url?: string;
  changesurl?: string;
}

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

  private constructor() {
    this.#server = createServer((incoming, response) => {
      if (incoming.method === 'POST') {
        this.#take(incoming).then(
          () => response.setHeader('Content-Type', 'application/json').end('{"error":0}'),
          () => response.writeHead(500).end(),
        );
        return;
      }
      const edition = Number(/\d+/.exec(incoming.url ?? '')?.[0] ?? 0);
      const bytes = this.#sources.get(edition) ?? sourceDocx(edition);
      this.#sources.set(edition, bytes);
      response.setHeader('Content-Length', bytes.byteLength).end(bytes);
    });
    // Servers keep their connections to an integrator; a short time here would cut them as they are used.
    this.#server.keepAliveTimeout = 65_000;
  }

  /** @param publicHost the name under which the target reaches this machine */
  static async start(publicHost: string): Promise<Integrator> {
    const integrator = new Integrator();
    const isLocal = publicHost === '127.0.0.1' || publicHost === 'localhost';
    integrator.#server.listen(0, isLocal ? '127.0.0.1' : undefined);
    await once(integrator.#server, 'listening');
    integrator.#address = `http://${publicHost}:${(integrator.#server.address() as AddressInfo).port}`;
    return integrator;
  }

  sourceUrl(edition: number): string {
    return `${this.#address}/${edition}.docx`;
  }

  get callbackUrl(): string {
    return `${this.#address}/callback`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(incoming: IncomingMessage): Promise<void> {
    const callback = (await json(incoming)) as Callback;
    if (endings.has(callback.status)) await this.onEnd(callback);
  }
}

/** Fetches a file. Rejects when it is not there. */
export async function fetchFile(url: string): Promise<Uint8Array> {
  const { statusCode, body } = await request(url);
  const bytes = new Uint8Array(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  return bytes;
}
