import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ClientMessage } from '../../client/protocol/index.ts';

/** Where a client opens a document and who it says it is. */
interface SignInOptions {
  key: string;
  userId: string;
  documentUrl: string;
  callbackUrl: string;
  /** The editor model to ask for; none gives the file itself and an opaque log. */
  model?: 'word';
}

/** Sizes of payload at which a WebSocket header grows (RFC 6455, 5.2). */
const shortPayload = 126;
const mediumPayload = 65_536;

/** Everything before the type in an event that a server or a client sends: `type` comes first by convention. */
const eventStart = '42["message",{"type":"';

/**
 * A message as a complete WebSocket frame, to be sent any number of times. The mask is all zeros, which the standard
 * allows and which leaves the text as it is: fields may be overwritten in place between two sendings.
 */
export function frameOf(message: object): Buffer {
  return textFrame(`42["message",${JSON.stringify(message)}]`);
}

function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const isShort = payload.length < shortPayload;
  if (payload.length >= mediumPayload) throw new RangeError('A frame of this size is not made here');
  const header = Buffer.alloc(isShort ? 6 : 8);
  header[0] = 0x81;
  header[1] = 0x80 | (isShort ? payload.length : 126);
  if (!isShort) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

const pong = textFrame('3');
const connectRequest = textFrame('40{}');
const historyAck = frameOf({ type: 'authChangesAck' });
const historyIsFinal = frameOf({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: -1 });

interface Awaited {
  type: string;
  resolve: (data: Buffer) => void;
  reject: (error: Error) => void;
}

/** The parts of a `ws` socket that are not in its types. */
interface Sending {
  _sender: { sendFrame(frame: readonly Buffer[]): void };
}

/**
 * A client of the protocol that costs the machine next to nothing: prepared frames out, and of what comes in only the
 * type is looked at. It does what the protocol asks of a client without being told to: heartbeats, acknowledgements
 * of history, and letting newcomers in.
 */
export class LeanClient {
  readonly #socket: WebSocket;
  readonly #sender: Sending['_sender'];
  #awaited: Awaited[] = [];
  /** Called with each message that is not part of the housekeeping. */
  onMessage: (type: string, data: Buffer) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#sender = (socket as unknown as Sending)._sender;
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('close', () => {
      for (const { type, reject } of this.#awaited)
        reject(new Error(`The connection ended before ${type} came`));
    });
  }

  /** Resolves when the server has greeted the connection, which is not signed in then. */
  static async connect(port: number, key: string): Promise<LeanClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/doc/${key}/c/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    // A refused handshake and a broken connection both show as a close.
    socket.on('error', () => undefined);
    await Promise.race([
      once(socket, 'open'),
      once(socket, 'close').then(() => {
        throw new Error('The server refused a connection');
      }),
    ]);
    const client = new LeanClient(socket);
    const greeted = client.next('license');
    client.send(connectRequest);
    await greeted;
    return client;
  }

  send(frame: Buffer): void {
    this.#sender.sendFrame([frame]);
  }

  /** Resolves with the next message of a type. Rejects when the connection ends before. */
  next(type: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#awaited.push({ type, resolve, reject });
    });
  }

  /**
   * Signs in and opens the document.
   *
   * @returns the files of the opened document, by name, and how long after `auth` they were there, milliseconds
   */
  async signIn(options: SignInOptions): Promise<{ files: Record<string, string>; elapsedMs: number }> {
    const startedAt = performance.now();
    const signedIn = this.next('auth');
    const opened = this.next('documentOpen').then((data) => ({
      data,
      elapsedMs: performance.now() - startedAt,
    }));
    this.send(frameOf(authMessage(options)));
    const [{ data, elapsedMs }] = await Promise.all([opened, signedIn]);
    const { status, data: files } = bodyOf<{ data: { status: string; data: Record<string, string> } }>(
      data,
    ).data;
    if (status !== 'ok') throw new Error(`Opening a document gave ${status} ${JSON.stringify(files)}`);
    return { files, elapsedMs };
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** What was sent and has not left yet, bytes. */
  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.terminate();
    await once(this.#socket, 'close');
  }

  #receive(data: Buffer): void {
    if (data.length === 1) {
      if (data[0] === 0x32) this.send(pong);
      return;
    }
    const typeEnd = data.indexOf(0x22, eventStart.length);
    const type = data.toString('latin1', eventStart.length, typeEnd);
    if (type === 'authChanges') this.send(historyAck);
    else if (type === 'connectState') {
      if (data.includes('"waitAuth":true')) this.send(historyIsFinal);
    } else {
      this.onMessage(type, data);
      if (this.#awaited.length > 0) this.#resolveAwaited(type, data);
    }
  }

  #resolveAwaited(type: string, data: Buffer): void {
    const arrived = this.#awaited.find((awaited) => awaited.type === type);
    if (!arrived) return;
    this.#awaited = this.#awaited.filter((awaited) => awaited !== arrived);
    arrived.resolve(data);
  }
}

/** The message in an event. */
function bodyOf<Message>(data: Buffer): Message {
  return (JSON.parse(data.toString('utf8', 2)) as [string, Message])[1];
}

function authMessage({ key, userId, documentUrl, callbackUrl, model }: SignInOptions): ClientMessage {
  return {
    type: 'auth',
    docid: key,
    documentCallbackUrl: callbackUrl,
    token: 'bench',
    user: { id: userId, username: `User ${userId}`, firstname: null, lastname: null, indexUser: -1 },
    editorType: 0,
    lastOtherSaveTime: -1,
    block: [],
    sessionId: null,
    sessionTimeConnect: null,
    sessionTimeIdle: 0,
    isCloseCoAuthoring: false,
    openCmd: {
      c: 'open',
      id: key,
      format: 'docx',
      url: documentUrl,
      title: 'bench.docx',
      ...(model && { model }),
    },
    lang: 'en',
    mode: 'edit',
    permissions: { edit: true },
    coEditingMode: 'fast',
    supportAuthChangesAck: true,
  };
}
