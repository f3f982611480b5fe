import { createHash } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { frame, type Prepared } from './frames.ts';
import { waitFor } from './patience.ts';
import { refusalOf } from './refusal.ts';
import { ConnectError, connectWithinMs, hostOf, type OpenOptions, portOf, type Target } from './target.ts';

/** Any nonce does: with a constant one the server's answer is known too. */
const nonce = Buffer.from('quire load 1 key').toString('base64');
const accept = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
const headEnd = '\r\n\r\n';
const longestHead = 16_384;
const opcode = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9 } as const;
const pongFrame = 0x8a;
const closeFrame = 0x88;

/** What is read at once goes here, whatever connection it is of: it is looked at before the next is read. */
const readBuffer = Buffer.allocUnsafeSlow(65_536);

/**
 * The client's end of a WebSocket, as lean as it can be: one shared buffer to read into, frames that were made before, no
 * masks, no extensions. It takes what a server of the protocol sends: whole text messages, pings, a close.
 */
export class LeanSocket {
  readonly #socket: net.Socket;
  #isOpen = false;
  /** Whether somebody takes messages: what comes with the answer to the handshake waits for that. */
  #isTaken = false;
  /** The beginning of a frame, or of the answer to the handshake, whose end has not come. */
  #rest: Buffer | null = null;
  #closeReason = 'the connection was cut';
  #settle: { resolve: () => void; reject: (error: Error) => void } | null = null;
  /** Called with each message. The bytes are good during the call alone. */
  onText: (data: Buffer) => void = () => undefined;
  /** Called once when an open connection has ended, with the reason. */
  onClose: (reason: string) => void = () => undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#closeReason = error.code ?? error.message;
    });
    socket.on('close', () => {
      this.#rest = null;
      this.#settle?.reject(
        new ConnectError('unreachable', `No connection came about: ${this.#closeReason}`, {
          retryable: true,
        }),
      );
      this.#settle = null;
      if (!this.#isOpen) return;
      this.#isOpen = false;
      this.onClose(this.#closeReason);
    });
  }

  /** @param path path and query behind the target's prefix @throws ConnectError */
  static async open(
    target: Target,
    path: string,
    { localAddress, withinMs = connectWithinMs, signal }: OpenOptions = {},
  ): Promise<LeanSocket> {
    const isSecure = target.url.protocol === 'https:';
    let lean: LeanSocket | null = null;
    const to = {
      host: hostOf(target),
      port: portOf(target),
      ...(localAddress && { localAddress, family: 4 }),
    };
    const socket = isSecure
      ? tls.connect({ ...to, ALPNProtocols: ['http/1.1'], ...serverName(to.host) })
      : net.connect({
          ...to,
          onread: {
            buffer: readBuffer,
            callback: (length) => {
              lean!.#read(readBuffer.subarray(0, length));
              return true;
            },
          },
        });
    lean = new LeanSocket(socket);
    const opened = lean;
    if (isSecure) socket.on('data', (chunk: Buffer) => opened.#read(chunk));
    const answered = new Promise<void>((resolve, reject) => {
      opened.#settle = { resolve, reject };
    });
    socket.write(
      `GET ${target.url.pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\nHost: ${target.url.host}\r\nConnection: Upgrade\r\n` +
        `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${nonce}${headEnd}`,
    );
    await waitFor(answered, { withinMs, signal }, (why) => opened.#give(why));
    return opened;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What was sent and has not left yet, bytes. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Begins to hand messages on. */
  begin(): void {
    this.#isTaken = true;
    const rest = this.#rest;
    this.#rest = null;
    if (rest) this.#read(rest);
  }

  send(prepared: Prepared): void {
    if (this.#isOpen) this.#socket.write(prepared);
  }

  /** Goes away without a word, as a closed tab does. `onClose` is called later. */
  terminate(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = null;
    if (!this.#isOpen) {
      const head = this.#headOf(data);
      if (head === null) return;
      data = data.subarray(head);
    }
    const taken = this.#isTaken ? this.#readFrames(data) : 0;
    // A copy: the buffer is read into again.
    if (taken < data.length) this.#rest = Buffer.from(data.subarray(taken));
  }

  /** Length of the answer to the handshake; null when it is not complete or not what was hoped for. */
  #headOf(data: Buffer): number | null {
    const end = data.indexOf(headEnd);
    if (end === -1) {
      if (data.length > longestHead) {
        this.#refuse(new ConnectError('refused', 'The answer to the handshake has no end'));
      } else this.#rest = Buffer.from(data);
      return null;
    }
    const head = data.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 101') || !head.includes(accept)) {
      this.#refuse(refusalOf({ status: statusOf(head), retryAfter: retryAfterOf(head) }));
      return null;
    }
    this.#isOpen = true;
    this.#settle?.resolve();
    this.#settle = null;
    return end + headEnd.length;
  }

  #refuse(why: ConnectError): void {
    this.#settle?.reject(why);
    this.#settle = null;
    this.#socket.destroy();
  }

  /** Hands on every complete frame. Returns how many bytes they took. */
  #readFrames(data: Buffer): number {
    let at = 0;
    while (data.length - at >= 2) {
      let length = data[at + 1]! & 0x7f;
      let start = at + 2;
      if (length === 126) {
        if (data.length - at < 4) break;
        length = data.readUInt16BE(at + 2);
        start = at + 4;
      } else if (length === 127) {
        if (data.length - at < 10) break;
        length = Number(data.readBigUInt64BE(at + 2));
        start = at + 10;
      }
      if (data.length < start + length) break;
      this.#take(data[at]!, data.subarray(start, start + length));
      at = start + length;
      if (!this.#isOpen) return data.length;
    }
    return at;
  }

  #take(first: number, payload: Buffer): void {
    switch (first & 0x0f) {
      case opcode.text:
      case opcode.binary:
        // Neither the protocol nor any proxy known cuts a message into several frames.
        if ((first & 0x80) === 0) this.#give('a message in several frames, which is not read here');
        else this.onText(payload);
        break;
      case opcode.ping:
        this.send(frame(pongFrame, Buffer.from(payload)));
        break;
      case opcode.close: {
        const code = payload.length >= 2 ? payload.readUInt16BE(0) : null;
        this.send(frame(closeFrame, Buffer.from(payload.subarray(0, 2))));
        this.#give(code === null ? 'closed by the server' : `closed with ${code}`);
        break;
      }
      default:
    }
  }

  #give(reason: string): void {
    this.#closeReason = reason;
    this.#socket.destroy();
  }
}

/** 0 where it is no HTTP. */
const statusOf = (head: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);

const retryAfterOf = (head: string): string | undefined => /\r\nretry-after: *([^\r]+)/i.exec(head)?.[1];

/** Names of hosts, not addresses, go into the handshake of TLS. */
const serverName = (host: string): { servername?: string } => (net.isIP(host) ? {} : { servername: host });
