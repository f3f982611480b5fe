import { Client } from 'undici';
import type { Prepared } from './frames.ts';
import { refusalOf } from './refusal.ts';
import { ConnectError, connectWithinMs, hostOf, type OpenOptions, type Target } from './target.ts';

const separator = 0x1e;
/** Engine.IO: the session is closed. */
const goodbye = Buffer.from('1');
/** A poll is answered with a ping at the latest, every 25 s; a server that is busy may need longer. */
const answerWithinMs = 90_000;

/** What one request took, milliseconds. */
export interface Exchange {
  kind: 'poll' | 'post';
  /** Whether it was answered with 200. */
  passed: boolean;
  firstByteMs: number;
  elapsedMs: number;
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: Buffer;
  firstByteMs: number;
  elapsedMs: number;
}

/**
 * Engine.IO long-polling: one connection whose request waits for messages, another one for what is sent. What is sent
 * while a request is under way goes together in the next one, as Socket.IO's client does it.
 */
export class PollingSocket {
  readonly #polls: Client;
  readonly #posts: Client;
  #path: string;
  #queue: Buffer[] = [];
  #isPosting = false;
  #isOpen = true;
  /** Called with each packet; the bytes are good during the call alone. */
  onText: (data: Buffer) => void = () => undefined;
  onClose: (reason: string) => void = () => undefined;
  onExchange: (exchange: Exchange) => void = () => undefined;
  /** A poll is not followed by another one: so the server hears nothing more. */
  isSilent = false;

  private constructor(target: Target, path: string, localAddress?: string) {
    const origin = new URL(target.url);
    if (localAddress) origin.hostname = hostOf(target);
    const options = {
      bodyTimeout: answerWithinMs,
      headersTimeout: answerWithinMs,
      ...(localAddress && { localAddress }),
    };
    this.#polls = new Client(origin.origin, options);
    this.#posts = new Client(origin.origin, options);
    this.#path = `${target.url.pathname.replace(/\/$/, '')}${path}`;
  }

  /** @throws ConnectError */
  static async open(
    target: Target,
    path: string,
    { localAddress, withinMs = connectWithinMs, signal }: OpenOptions = {},
  ): Promise<PollingSocket> {
    const polling = new PollingSocket(target, path, localAddress);
    const overdue = AbortSignal.timeout(withinMs);
    try {
      const ended = signal ? AbortSignal.any([signal, overdue]) : overdue;
      const answer = await polling.#request('GET', undefined, ended);
      const { status, retryAfter, body } = answer;
      if (status !== 200) throw refusalOf({ status, retryAfter, body: body.toString() });
      const { sid } = JSON.parse(body.toString('utf8', 1)) as { sid: string };
      polling.#path += `&sid=${encodeURIComponent(sid)}`;
    } catch (error) {
      polling.#abandon();
      if (error instanceof ConnectError) throw error;
      throw new ConnectError('unreachable', `No connection came about: ${(error as Error).message}`, {
        retryable: true,
        cause: error,
      });
    }
    return polling;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What was sent and has not left yet, bytes. */
  get queuedBytes(): number {
    return this.#queue.reduce((sum, { length }) => sum + length, 0);
  }

  /** Begins to ask for messages. */
  begin(): void {
    void this.#poll();
  }

  send(prepared: Prepared): void {
    if (!this.#isOpen || this.isSilent) return;
    this.#queue.push(prepared);
    if (!this.#isPosting) void this.#post();
  }

  /**
   * Goes away as a page does that is closed: with a last post, since the server would notice nothing for most of a minute.
   */
  terminate(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const gone = () => {
      this.#abandon();
      this.onClose('this end has gone');
    };
    this.#request('POST', goodbye).then(gone, gone);
  }

  /** Whether the server still knows the session of somebody who has been silent. */
  async isKnown(): Promise<boolean> {
    const { status } = await this.#request('GET').catch(() => ({ status: 0 }));
    return status === 200;
  }

  async #post(): Promise<void> {
    this.#isPosting = true;
    while (this.#queue.length > 0 && this.#isOpen) {
      const packets = this.#queue;
      this.#queue = [];
      const parts = packets.flatMap((packet, at) => (at === 0 ? [packet] : [Buffer.of(separator), packet]));
      const passed = await this.#exchange('post', Buffer.concat(parts));
      if (passed === null) return this.#end('a post was not answered with 200');
    }
    this.#isPosting = false;
  }

  async #poll(): Promise<void> {
    while (this.#isOpen && !this.isSilent) {
      const body = await this.#exchange('poll');
      if (!this.#isOpen) return;
      if (body === null) return this.#end('a poll was not answered with 200');
      for (let start = 0; start < body.length && this.#isOpen; ) {
        const found = body.indexOf(separator, start);
        const end = found === -1 ? body.length : found;
        const packet = body.subarray(start, end);
        // Engine.IO: `1` closes; Socket.IO: `41` disconnects.
        if (packet[0] === 0x31 || (packet[0] === 0x34 && packet[1] === 0x31)) {
          return this.#end('closed by the server');
        }
        this.onText(packet);
        start = end + 1;
      }
    }
  }

  /** The body of the answer; null when the request did not pass. */
  async #exchange(kind: Exchange['kind'], body?: Buffer): Promise<Buffer | null> {
    const startedAt = performance.now();
    try {
      const answer = await this.#request(kind === 'poll' ? 'GET' : 'POST', body);
      const { firstByteMs, elapsedMs } = answer;
      const passed = answer.status === 200;
      if (this.#isOpen) this.onExchange({ kind, passed, firstByteMs, elapsedMs });
      return passed ? answer.body : null;
    } catch {
      const elapsedMs = performance.now() - startedAt;
      if (this.#isOpen) this.onExchange({ kind, passed: false, firstByteMs: elapsedMs, elapsedMs });
      return null;
    }
  }

  async #request(method: 'GET' | 'POST', body?: Buffer, signal?: AbortSignal): Promise<Answer> {
    const startedAt = performance.now();
    const client = method === 'GET' ? this.#polls : this.#posts;
    const response = await client.request({
      method,
      path: this.#path,
      ...(body && { body, headers: { 'content-type': 'text/plain;charset=UTF-8' } }),
      ...(signal && { signal }),
    });
    const firstByteMs = performance.now() - startedAt;
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return {
      status: response.statusCode,
      retryAfter: response.headers['retry-after']?.toString(),
      body: bytes,
      firstByteMs,
      elapsedMs: performance.now() - startedAt,
    };
  }

  #end(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#abandon();
    this.onClose(reason);
  }

  /** Requests that are under way are given up; nobody waits for that. */
  #abandon(): void {
    void this.#polls.destroy().catch(() => undefined);
    void this.#posts.destroy().catch(() => undefined);
  }
}
