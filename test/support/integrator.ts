import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Inbox } from './inbox.ts';

/** A file the integrator serves. */
export interface ServedFile {
  bytes?: Uint8Array;
  status?: number;
  contentType?: string;
  /** How the file's version is named; a request that names the same one is answered with 304. */
  etag?: string;
  /** Requests that name a version get the whole file all the same. */
  ignoresConditions?: boolean;
  /** Resolves when the answer may be sent. */
  until?: Promise<void>;
}

/** A callback as it came. */
export interface ReceivedCallback {
  key: string;
  status: number;
  body: Record<string, unknown>;
  url: URL;
  /** Path and query as they came. */
  target: string;
  headers: IncomingMessage['headers'];
}

/** How a callback is answered: with a status and a text, never, or by a broken connection. */
export type Answer = { status: number; body: string; location?: string } | 'never' | 'cut';

export const accepted: Answer = { status: 200, body: '{"error":0}' };

/** Decides about the answer to a callback; may do things first, like calling the server. */
export type Answerer = (callback: ReceivedCallback) => Answer | Promise<Answer>;

/** The application that owns the documents: serves their files and takes their callbacks. */
export class TestIntegrator {
  readonly #server: Server;
  readonly #files = new Map<string, ServedFile>();
  readonly #answerers = new Map<string, Answerer>();
  #answerAll: Answerer = () => accepted;
  readonly #downloads: { name: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #unchanged: string[] = [];
  readonly #callbacks: Inbox<ReceivedCallback> = new Inbox(() => this.#describe());

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** `host` is the address of this machine on which it listens. */
  static async start(host = '127.0.0.1'): Promise<TestIntegrator> {
    const integrator = new TestIntegrator();
    integrator.#server.listen(0, host);
    await once(integrator.#server, 'listening');
    return integrator;
  }

  get address(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** Serves a file under a name. Returns its address. */
  serve(name: string, file: ServedFile): string {
    this.#files.set(name, file);
    return `${this.address}/files/${name}`;
  }

  /** How often a file was asked for. */
  downloadsOf(name: string): number {
    return this.#downloads.filter((one) => one.name === name).length;
  }

  /** What a file was last asked for with. */
  headersOf(name: string): IncomingMessage['headers'] | undefined {
    return this.#downloads.findLast((one) => one.name === name)?.headers;
  }

  /** How often somebody was told that a file is the one they have. */
  unchangedOf(name: string): number {
    return this.#unchanged.filter((one) => one === name).length;
  }

  /** The address for a document's callbacks. */
  callbackUrl(key: string): string {
    return `${this.address}/callback/${key}`;
  }

  /** Sets how callbacks of a document are answered from now on; `accepted` unless set. */
  answer(key: string, answer: Answer | Answerer): void {
    this.#answerers.set(key, typeof answer === 'function' ? answer : () => answer);
  }

  /** Sets how callbacks are answered of documents that have no answer of their own. */
  answerAll(answerer: Answerer): void {
    this.#answerAll = answerer;
  }

  get callbacks(): readonly ReceivedCallback[] {
    return this.#callbacks.all;
  }

  /** The callbacks of a document that came so far, without those of people coming and going. */
  callbacksOf(key: string): ReceivedCallback[] {
    return this.callbacks.filter((callback) => callback.key === key && callback.status !== 1);
  }

  /** Takes the next callback of a document that meets the condition. */
  waitForCallback(
    key: string,
    condition: (callback: ReceivedCallback) => boolean = () => true,
    timeoutMs?: number,
  ): Promise<ReceivedCallback> {
    return this.#callbacks.take(
      `a callback of ${key}`,
      (callback) => callback.key === key && condition(callback),
      timeoutMs,
    );
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #describe(): string {
    const bodies = this.#callbacks.all.map(({ body }) => JSON.stringify(body).slice(0, 300));
    return `Callbacks: ${bodies.join('\n')}`;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.address);
    const [, kind, name = ''] = url.pathname.split('/');
    if (kind === 'callback' && request.method === 'POST') return this.#takeCallback(url, request, response);
    const file = kind === 'files' ? this.#files.get(name) : undefined;
    if (file?.etag && request.headers['if-none-match'] === file.etag && !file.ignoresConditions) {
      this.#unchanged.push(name);
      response.writeHead(304, { etag: file.etag }).end();
      return;
    }
    this.#downloads.push({ name, headers: request.headers });
    await file?.until;
    response.writeHead(file ? (file.status ?? 200) : 404, {
      'content-type': file?.contentType ?? 'application/octet-stream',
      ...(file?.etag ? { etag: file.etag } : {}),
    });
    response.end(file?.bytes);
  }

  async #takeCallback(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as { key: string; status: number } & Record<string, unknown>;
    const target = request.url ?? '/';
    const callback = { key: body.key, status: body.status, body, url, target, headers: request.headers };
    this.#callbacks.put(callback);
    const answer = await (this.#answerers.get(body.key) ?? this.#answerAll)(callback);
    if (answer === 'never') return;
    if (answer === 'cut') {
      response.destroy();
      return;
    }
    const { status, body: content, location } = answer;
    const headers = { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) };
    response.writeHead(status, headers).end(content);
  }
}
