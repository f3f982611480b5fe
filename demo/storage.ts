import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { jwtVerify, SignJWT } from 'jose';

/** A callback as an integrator gets it. */
export interface Callback {
  status: number;
  url?: string;
  filetype?: string;
  users?: string[];
  history?: { changes: { user: { name: string }; created: string }[] };
}

/**
 * The storage application of the demonstration: serves one document, signs what editors are opened with, checks the
 * signature of callbacks and answers them. Only the public interface is used, as any integrator would.
 */
export class Storage {
  readonly #secret: Uint8Array;
  readonly #document: Uint8Array;
  readonly #server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(this.#document);
    this.#receive(request).then(
      () => response.end('{"error":0}'),
      (error: unknown) => {
        response.statusCode = 403;
        response.end(JSON.stringify({ error: 1, message: String(error) }));
      },
    );
  });
  readonly #waiting: { status: number; resolve: (callback: Callback) => void }[] = [];
  readonly callbacks: Callback[] = [];

  constructor(document: Uint8Array, secret: string) {
    this.#document = document;
    this.#secret = Buffer.from(secret);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A token over the configuration an editor is opened with. */
  sign(config: object): Promise<string> {
    return new SignJWT(config as Record<string, unknown>)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(this.#secret);
  }

  /** The first callback with a status, also one that has come already. */
  waitFor(status: number): Promise<Callback> {
    const come = this.callbacks.find((callback) => callback.status === status);
    if (come) return Promise.resolve(come);
    return new Promise((resolve) => this.#waiting.push({ status, resolve }));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage): Promise<void> {
    const body = (await json(request)) as { token?: string };
    const { payload } = await jwtVerify(body.token ?? '', this.#secret);
    const callback = payload as unknown as Callback;
    this.callbacks.push(callback);
    for (const waiting of this.#waiting) if (waiting.status === callback.status) waiting.resolve(callback);
  }
}
