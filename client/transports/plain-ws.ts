import { type Dial, endingOnce, returning, type Transport, type TransportHandlers } from './transport.ts';

export interface PlainWsOptions {
  /** Address of the server, http(s) or ws(s), with any path prefix. */
  url: string;
  /** Document key. */
  key: string;
}

type SocketConstructor = new (url: string) => WebSocket;

/** The browser's own WebSocket, or that of `ws`, which has the same interface. */
async function socketConstructor(): Promise<SocketConstructor> {
  if (typeof globalThis.WebSocket === 'function') return globalThis.WebSocket;
  const ws = await import('ws');
  return ws.WebSocket as unknown as SocketConstructor;
}

class PlainTransport implements Transport {
  readonly #handlers: ReturnType<typeof endingOnce>;
  #socket: WebSocket | null = null;
  #closed = false;

  constructor(url: string, handlers: TransportHandlers) {
    this.#handlers = endingOnce(handlers);
    this.#connect(url).catch((error: unknown) => {
      this.#handlers.end({ kind: 'lost', detail: error instanceof Error ? error.message : 'no WebSocket' });
    });
  }

  async #connect(url: string): Promise<void> {
    const Socket = await socketConstructor();
    if (this.#closed) return;
    const socket = new Socket(url);
    this.#socket = socket;
    socket.onopen = () => this.#handlers.open();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onerror = () => this.#handlers.end({ kind: 'lost', detail: 'WebSocket error' });
    socket.onclose = (event) =>
      this.#handlers.end({ kind: 'lost', detail: `WebSocket closed: ${event.code}` });
  }

  #receive(data: unknown): void {
    let value: unknown;
    try {
      value = JSON.parse(String(data));
    } catch {
      this.#handlers.end({ kind: 'lost', detail: 'a frame was not JSON' });
      this.close();
      return;
    }
    this.#handlers.message(value);
  }

  send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  close(): void {
    this.#closed = true;
    this.#handlers.silence();
    this.#socket?.close();
  }
}

/** The same JSON messages, one per text frame, at `{url}/ws/{key}`. The token goes in `auth` alone. */
export function plainWsDial(options: PlainWsOptions): Dial {
  const base = options.url.replace(/^http/, 'ws').replace(/\/$/, '');
  const url = `${base}/ws/${encodeURIComponent(options.key)}`;
  return ({ session }, handlers) =>
    new PlainTransport(session === undefined ? url : `${url}?${new URLSearchParams(returning)}`, handlers);
}
