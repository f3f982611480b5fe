import type { ServerMessage } from '../../../client/protocol/index.ts';
import { patienceMs } from '../patience.ts';
import { PollingClient } from '../polling-client.ts';
import { RawClient, type Sent } from '../raw-client.ts';

export type Transport = 'socket.io' | 'plain' | 'polling';

export interface LineOptions {
  address: string;
  /** The document that the address of the connection names. */
  key: string;
  transport: Transport;
  handshake: Sent;
  headers: Readonly<Record<string, string>>;
  onMessage?: (message: ServerMessage, line: Line) => void;
}

/** One connection, by whatever transport, and everything that was heard on it. */
export class Line {
  readonly heard: ServerMessage[] = [];
  /** Whether the server or its own side has ended it. */
  ended = false;
  #send: (message: Sent) => void = () => undefined;
  #leave: () => void = () => undefined;
  #id = '';
  #waiters = new Set<() => void>();

  /** Connects and waits for the greeting; null where the handshake was refused. */
  static async open({ onMessage, ...options }: LineOptions): Promise<Line | null> {
    const line = new Line();
    const hear = (message: ServerMessage) => {
      line.heard.push(message);
      onMessage?.(message, line);
      line.#wake();
    };
    await (options.transport === 'polling' ? line.#poll(options, hear) : line.#connect(options, hear));
    await line.until(() => line.hears('license'));
    if (line.hears('license')) return line;
    line.leave();
    return null;
  }

  /** What others see as this connection's id; empty where its client does not learn it. */
  get id(): string {
    return this.#id;
  }

  hears(type: ServerMessage['type']): boolean {
    return this.heard.some((message) => message.type === type);
  }

  last<Type extends ServerMessage['type']>(type: Type): Extract<ServerMessage, { type: Type }> | undefined {
    return this.heard.findLast((message) => message.type === type) as
      | Extract<ServerMessage, { type: Type }>
      | undefined;
  }

  say(message: Sent): void {
    if (!this.ended) this.#send(message);
  }

  /** Resolves when something is so, the connection has ended, or nobody would wait any longer. */
  async until(isSo: () => boolean, timeoutMs: number = patienceMs): Promise<void> {
    if (isSo() || this.ended) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isSo() && !this.ended) return;
        this.#waiters.delete(look);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiters.delete(look);
        resolve();
      }, timeoutMs);
      this.#waiters.add(look);
    });
  }

  /** Has the server handle what was sent before: it answers in order. */
  async settle(): Promise<void> {
    const count = () => this.heard.filter(({ type }) => type === 'message').length;
    const before = count();
    this.say({ type: 'getMessages' });
    await this.until(() => count() > before);
  }

  leave(): void {
    if (!this.ended) this.#leave();
    this.#end();
  }

  #end(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiters]) look();
  }

  async #connect(
    { address, key, transport, handshake, headers }: Omit<LineOptions, 'onMessage'>,
    hear: (message: ServerMessage) => void,
  ): Promise<void> {
    const client = await RawClient.open(address, key, {
      transport: transport === 'plain' ? 'plain' : 'socket.io',
      headers,
      tap: (direction, message) => {
        if (direction === 'heard') hear(message as ServerMessage);
      },
    });
    this.#send = (message) => client.send(message);
    this.#leave = () => client.cut();
    void client.closed.then(() => this.#end());
    if (client.isPlain) return;
    const answered = client.packet((text) => text.startsWith('40') || text.startsWith('44'));
    client.sendFrame(`40${JSON.stringify(handshake)}`);
    const packet = await answered.catch(() => '44');
    if (packet.startsWith('40')) this.#id = (JSON.parse(packet.slice(2)) as { sid: string }).sid;
    else this.leave();
  }

  async #poll(
    { address, key, handshake }: Omit<LineOptions, 'onMessage'>,
    hear: (message: ServerMessage) => void,
  ): Promise<void> {
    const client = await PollingClient.open(address, key, { handshake, onMessage: hear });
    // One request after the other, as clients of Engine.IO do. A session that the server has ended takes nothing more.
    let sent: Promise<unknown> = Promise.resolve();
    const inTurn = (post: () => Promise<void>) => {
      sent = sent.then(post).catch(() => undefined);
    };
    this.#send = (message) => inTurn(() => client.send(message));
    this.#leave = () => inTurn(() => client.leave());
    void client.ended.then(() => this.#end());
  }
}
