import type { ClientMessage } from '../protocol/index.ts';
import { type Dial, endingOnce, type TransportEnd, type TransportHandlers } from '../transports/transport.ts';

/** The server's end of a link. */
export interface ServerPeer {
  send(message: object): void;
  /** `lost` invites the client back, `dismissed` does not. */
  end(kind: 'lost' | 'dismissed'): void;
}

/** What a server makes of a link. */
export interface ServerConnection {
  receive(value: unknown): void;
  lost(): void;
}

export type Accept = (peer: ServerPeer) => ServerConnection;

/**
 * One transport between a client and a server in memory. Frames wait, as text, until the test delivers
 * them one by one, so the test decides what arrives before a cut.
 */
export class MemoryLink implements ServerPeer {
  readonly #client: ReturnType<typeof endingOnce>;
  readonly #server: ServerConnection;
  #toClient: ('open' | { json: string } | { end: TransportEnd })[] = ['open'];
  #toServer: string[] = [];
  #clientGone = false;
  #serverGone = false;

  constructor(handlers: TransportHandlers, accept: Accept) {
    this.#client = endingOnce(handlers);
    this.#server = accept(this);
  }

  get waitingForClient(): number {
    return this.#toClient.length;
  }

  get waitingForServer(): number {
    return this.#toServer.length;
  }

  send(message: object): void {
    if (!this.#clientGone && !this.#serverGone) this.#toClient.push({ json: JSON.stringify(message) });
  }

  end(kind: 'lost' | 'dismissed'): void {
    if (this.#serverGone) return;
    this.#serverGone = true;
    this.#toServer = [];
    const end: TransportEnd = kind === 'lost' ? { kind, detail: 'ended by the server' } : { kind };
    if (!this.#clientGone) this.#toClient.push({ end });
  }

  fromClient(message: ClientMessage): void {
    if (!this.#clientGone && !this.#serverGone) this.#toServer.push(JSON.stringify(message));
  }

  /** The client closes: what it sent is still delivered. */
  closedByClient(): void {
    this.#client.silence();
    this.#clientGone = true;
    this.#toClient = [];
    this.#noticeIfDrained();
  }

  deliverToClient(): void {
    const frame = this.#toClient.shift();
    if (frame === undefined) return;
    if (frame === 'open') this.#client.open();
    else if ('json' in frame) this.#client.message(JSON.parse(frame.json));
    else {
      this.#clientGone = true;
      this.#client.end(frame.end);
    }
  }

  deliverToServer(): void {
    const frame = this.#toServer.shift();
    if (frame !== undefined) this.#server.receive(JSON.parse(frame));
    this.#noticeIfDrained();
  }

  /** The network breaks. Frames to the client are lost; of those to the server the first `late` still arrive. */
  cut(late = 0): void {
    if (this.#clientGone) return;
    this.#toClient = [];
    this.#toServer.length = Math.min(this.#toServer.length, late);
    this.#clientGone = true;
    this.#client.end({ kind: 'lost', detail: 'cut' });
    this.#noticeIfDrained();
  }

  #noticeIfDrained(): void {
    if (!this.#clientGone || this.#serverGone || this.#toServer.length > 0) return;
    this.#serverGone = true;
    this.#server.lost();
  }
}

/** All links of a test, and what the server has begun and not finished. */
export class MemoryNetwork {
  readonly links: MemoryLink[] = [];
  readonly #deferred: (() => void)[] = [];

  /** The server finishes `run` when the test gets to it, in the order in which such work began. */
  readonly defer = (run: () => void): void => {
    this.#deferred.push(run);
  };

  dial(accept: Accept): Dial {
    return (_credentials, handlers) => {
      const link = new MemoryLink(handlers, accept);
      this.links.push(link);
      return { send: (message) => link.fromClient(message), close: () => link.closedByClient() };
    };
  }

  /**
   * Delivers one frame, the `pick`-th that waits; every fourth pick, or when no frame waits, finishes a
   * deferred work instead. False if there is neither.
   */
  deliverOne(pick = 0): boolean {
    const ready: (() => void)[] = [];
    for (const link of this.links) {
      if (link.waitingForServer > 0) ready.push(() => link.deliverToServer());
      if (link.waitingForClient > 0) ready.push(() => link.deliverToClient());
    }
    if (this.#deferred.length > 0 && (pick % 4 === 3 || ready.length === 0)) this.#deferred.shift()?.();
    else if (ready.length > 0) ready[pick % ready.length]!();
    else return false;
    return true;
  }

  /** Delivers until nothing waits, and lets promises go on in between. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.deliverOne());
  }
}
