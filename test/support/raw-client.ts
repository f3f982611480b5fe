import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../client/protocol/index.ts';
import { Inbox } from './inbox.ts';

/** How a connection ended. `dismissed`: the server sent `41` before, which tells clients not to come back. */
export interface Ending {
  code: number;
  dismissed: boolean;
}

export interface RawClientOptions {
  /** `plain` is `/ws/{key}`: the same messages without Socket.IO around them. */
  transport?: 'socket.io' | 'plain';
  /** The auth object of the Socket.IO connect packet. */
  handshake?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** What follows in the query of the address, from its `&` on. */
  query?: string;
  /** What else a failure message should tell, such as the server's log. */
  describe?: () => string;
  /** Called with each message as it is sent and as it comes, before anybody who waits for it. */
  tap?: (direction: 'sent' | 'heard', message: Sent | ServerMessage) => void;
}

/** A message as this client sends it: anything, since tests also send what is wrong. */
export type Sent = Readonly<Record<string, unknown>>;

/**
 * The smallest client of the protocol: frames are built and read here by hand, so that what is tested is the wire and
 * not a library. It answers pings and nothing else.
 */
export class RawClient {
  readonly key: string;
  /** Every frame as it came. */
  readonly frames: string[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<Ending>;
  readonly #socket: WebSocket;
  readonly #isPlain: boolean;
  readonly #inbox: Inbox<ServerMessage>;
  readonly #packets: Inbox<string>;
  readonly #tap: NonNullable<RawClientOptions['tap']>;
  #connectionId = '';
  #sessionId = '';
  #dismissed = false;

  private constructor(key: string, socket: WebSocket, { transport, describe: more, tap }: RawClientOptions) {
    this.key = key;
    this.#socket = socket;
    this.#isPlain = transport === 'plain';
    this.#tap = tap ?? (() => undefined);
    const describeMore = more ?? (() => '');
    const describe = () =>
      `Received: ${this.frames.map((frame) => frame.slice(0, 300)).join('\n')}\n${describeMore()}`;
    this.#inbox = new Inbox(describe);
    this.#packets = new Inbox(describe);
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', (code) => {
        this.#inbox.close('the connection was closed');
        this.#packets.close('the connection was closed');
        resolve({ code, dismissed: this.#dismissed });
      });
    });
  }

  /** Opens the socket and nothing more: no packet is sent on it. */
  static async open(address: string, key: string, options: RawClientOptions = {}): Promise<RawClient> {
    const isPlain = options.transport === 'plain';
    const { query = '' } = options;
    const path = isPlain ? `/ws/${key}` : `/doc/${key}/c/?EIO=4&transport=websocket${query}`;
    const socket = new WebSocket(`${address.replace(/^http/, 'ws')}${path}`, {
      headers: options.headers,
      perMessageDeflate: false,
      maxPayload: 0,
    });
    const client = new RawClient(key, socket, options);
    await once(socket, 'open');
    return client;
  }

  /** Opens the socket, joins the namespace and reads the license, as every client does before it signs in. */
  static async connect(address: string, key: string, options: RawClientOptions = {}): Promise<RawClient> {
    const client = await RawClient.open(address, key, options);
    if (!client.#isPlain) await client.join(options.handshake);
    await client.next('license');
    return client;
  }

  /** Joins the namespace. */
  async join(handshake: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.sendFrame(`40${JSON.stringify(handshake)}`);
    const packet = await this.packet((text) => text.startsWith('40'));
    this.#connectionId = (JSON.parse(packet.slice(2)) as { sid: string }).sid;
  }

  /** Whether its frames are the messages alone. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** The id of its session of Engine.IO, which nobody else is to know. */
  get engineSessionId(): string {
    return this.#sessionId;
  }

  /** What others see as this connection's id. */
  get connectionId(): string {
    return this.#connectionId;
  }

  /** Every message that came, in order. */
  get received(): readonly ServerMessage[] {
    return this.#inbox.all;
  }

  /** Messages that came and were not taken with {@link next}. */
  get unread(): readonly ServerMessage[] {
    return this.#inbox.unread;
  }

  unreadOf<Type extends ServerMessageType>(type: Type): ServerMessageOf<Type>[] {
    return this.unread.filter((message): message is ServerMessageOf<Type> => message.type === type);
  }

  /** Takes the next message of a type that meets the condition. Others stay where they are. */
  async next<Type extends ServerMessageType>(
    type: Type,
    condition: (message: ServerMessageOf<Type>) => boolean = () => true,
    timeoutMs?: number,
  ): Promise<ServerMessageOf<Type>> {
    const takes = (message: ServerMessage) =>
      message.type === type && condition(message as ServerMessageOf<Type>);
    return (await this.#inbox.take(type, takes, timeoutMs)) as ServerMessageOf<Type>;
  }

  /** Takes the next Engine.IO packet that is not a message of the protocol. */
  packet(condition: (text: string) => boolean): Promise<string> {
    return this.#packets.take('a packet', condition);
  }

  send(message: Sent): void {
    this.#tap('sent', message);
    const json = JSON.stringify(message);
    this.sendFrame(this.#isPlain ? json : `42["message",${json}]`);
  }

  sendFrame(text: string): void {
    this.#socket.send(text);
  }

  /** Sends one frame of so many zero bytes without holding it in memory; the mask is zero as well. */
  sendZeros(sizeBytes: number): void {
    const header = Buffer.alloc(14);
    header.writeUInt8(0x81, 0);
    header.writeUInt8(0x80 | 127, 1);
    header.writeBigUInt64BE(BigInt(sizeBytes), 2);
    this.#tcp.write(header);
    const piece = Buffer.alloc(1_000_000);
    const pour = (leftBytes: number) => {
      if (leftBytes <= 0 || this.#tcp.destroyed) return;
      this.#tcp.write(piece.subarray(0, leftBytes), (error) => {
        if (!error) pour(leftBytes - piece.length);
      });
    };
    pour(sizeBytes);
  }

  /** Resolves when the server has handled everything this client sent before. Works once it has signed in. */
  async settled(): Promise<void> {
    this.send({ type: 'getMessages' });
    await this.next('message');
  }

  /** Stops reading from the socket; what the server sends piles up at its end. */
  stopReading(): void {
    this.#tcp.pause();
  }

  /** Reads on after {@link stopReading}. */
  readAgain(): void {
    this.#tcp.resume();
  }

  /** Closes the socket as a page that goes away does. */
  async leave(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  /** Ends the TCP connection in order, after everything sent before, without a WebSocket closing handshake. */
  endWriting(): void {
    this.#tcp.end();
  }

  /** Cuts the connection without a closing handshake. */
  cut(): void {
    this.#tcp.destroy();
  }

  get #tcp(): Socket {
    return (this.#socket as unknown as { _socket: Socket })._socket;
  }

  #receive(frame: string): void {
    this.frames.push(frame);
    if (this.#isPlain) {
      this.#take(JSON.parse(frame) as ServerMessage);
      return;
    }
    if (frame === '2') this.sendFrame('3');
    else if (frame.startsWith('42')) this.#take((JSON.parse(frame.slice(2)) as [string, ServerMessage])[1]);
    else {
      if (frame.startsWith('0')) this.#sessionId = (JSON.parse(frame.slice(1)) as { sid: string }).sid;
      if (frame === '41') this.#dismissed = true;
      this.#packets.put(frame);
    }
  }

  #take(message: ServerMessage): void {
    this.#tap('heard', message);
    this.#inbox.put(message);
  }
}
