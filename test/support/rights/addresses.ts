import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildDocx } from '../docx-fixture.ts';
import { patienceMs } from '../patience.ts';
import type { Addresses } from './grants.ts';
import { type ReceivedCallback, secretOf } from './judge.ts';

/** The smallest picture. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The integrator whom tokens name, and a trap that no token names. */
export class Listeners implements Addresses {
  readonly #integrator: Server;
  readonly #trap: Server;
  #callbacks: ReceivedCallback[] = [];
  #trapped: string[] = [];
  readonly #files = new Map<string, Uint8Array>();
  #awaited: (() => void)[] = [];

  private constructor() {
    this.#integrator = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    this.#trap = createServer((request, response) => {
      this.#trapped.push(`${request.method} ${request.url}`);
      response.end('{"error":0}');
    });
  }

  static async start(): Promise<Listeners> {
    const listeners = new Listeners();
    for (const server of [listeners.#integrator, listeners.#trap]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return listeners;
  }

  async close(): Promise<void> {
    for (const server of [this.#integrator, this.#trap]) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  }

  source(key: string, serial: string): string {
    return `${origin(this.#integrator)}/file/${key}/${serial}`;
  }

  callback(key: string, serial: string): string {
    return `${origin(this.#integrator)}/callback/${key}/${serial}`;
  }

  picture(serial: string): string {
    return `${origin(this.#integrator)}/picture/${serial}.png`;
  }

  /** An address in the trap. What is asked for there is told by its serial. */
  trap(serial: string): string {
    return `${origin(this.#trap)}/trap/${serial}`;
  }

  /** Serves other bytes than those that say what document they are of. */
  serve(key: string, bytes: Uint8Array): void {
    this.#files.set(key, bytes);
  }

  forget(key: string): void {
    this.#files.delete(key);
  }

  /** Takes what came of callbacks of these documents. */
  takeCallbacks(prefix: string): ReceivedCallback[] {
    const isOurs = ({ path, body }: ReceivedCallback) =>
      String(body.key).startsWith(prefix) || path.includes(`/${prefix}`);
    const ours = this.#callbacks.filter(isOurs);
    if (ours.length > 0) this.#callbacks = this.#callbacks.filter((one) => !isOurs(one));
    return ours;
  }

  /** Takes what the trap was asked for with a serial that begins so. */
  takeTrapped(prefix: string): string[] {
    const isOurs = (path: string) => path.includes(`/trap/${prefix}`);
    const ours = this.#trapped.filter(isOurs);
    if (ours.length > 0) this.#trapped = this.#trapped.filter((path) => !isOurs(path));
    return ours;
  }

  /** Resolves when a callback has come that is so, or nobody would wait any longer; it stays to be taken. */
  async awaitCallback(isSo: (callback: ReceivedCallback) => boolean): Promise<ReceivedCallback | null> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.#callbacks.find(isSo);
      const leftMs = deadline - Date.now();
      if (found || leftMs <= 0) return found ?? null;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#awaited.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://integrator');
    const [, kind, key = ''] = pathname.split('/');
    if (kind === 'callback' && request.method === 'POST') {
      const body = JSON.parse(String(await buffer(request))) as ReceivedCallback['body'];
      this.#callbacks.push({ path: pathname, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":0}');
      for (const wake of this.#awaited.splice(0)) wake();
      return;
    }
    if (kind === 'picture') return void response.end(png);
    if (kind !== 'file') return void response.writeHead(404).end();
    const bytes = this.#files.get(key) ?? buildDocx({ paragraphs: [secretOf(key)], stored: true });
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
  }
}

const origin = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
