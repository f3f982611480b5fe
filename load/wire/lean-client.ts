import type { AuthReply, ClientMessage } from '../../client/protocol/index.ts';
import { kinds, nativeTypeOf, wordKind } from '../../model/kinds.ts';
import { envelopes, type Prepared, prepare, type TransportName } from './frames.ts';
import { LeanSocket } from './lean-socket.ts';
import { waitFor } from './patience.ts';
import { type Exchange, PollingSocket } from './polling.ts';
import { ConnectError, connectWithinMs, type OpenOptions, type Target } from './target.ts';

/** `withinMs` is the time of the server to accept the connection, and once more to greet it. */
export interface ConnectOptions extends OpenOptions {
  transport?: TransportName;
  /** What the integrator signed; a server that asks for tokens lets nobody in without. */
  token?: string;
}

/** Where a client opens a document and who it says it is. */
export interface SignInOptions {
  key: string;
  userId: string;
  documentUrl: string;
  callbackUrl: string;
  /** The editor model to ask for; none gives the file itself and an opaque log. */
  model?: 'word' | 'cell';
  /** What the integrator signed. */
  token?: string;
}

/** What came of opening a document. */
export interface Opened {
  /** Links to the files of the opened document, by name. */
  files: Record<string, string>;
  /** Whether the model came with the answer. */
  hasModel: boolean;
  /** From `auth` to its answer, milliseconds. */
  signedInMs: number;
  /** From `auth` to the answer with the files, milliseconds. */
  elapsedMs: number;
  /** How many changes of the log the client was given. */
  endIndex: number;
  /** Version of the server, if it says one. */
  version: string | null;
}

interface Awaited {
  type: string;
  resolve: (data: Buffer) => void;
  reject: (error: Error) => void;
}

type Wire = LeanSocket | PollingSocket;

const nobody: readonly Awaited[] = [];

/** What a client sends without being told to. */
const housekeepingOf = (transport: TransportName) => ({
  pong: envelopes[transport].frame('3'),
  historyAck: prepare(transport, { type: 'authChangesAck' }),
  historyIsFinal: prepare(transport, {
    type: 'unLockDocument',
    isSave: false,
    unlock: true,
    deleteIndex: -1,
  }),
});
const housekeeping = {
  websocket: housekeepingOf('websocket'),
  polling: housekeepingOf('polling'),
  plain: housekeepingOf('plain'),
} as const;

/** With one of these the server sends a client away. */
const goodbyes: ReadonlySet<string> = new Set(['error', 'drop', 'disconnectReason']);

/**
 * A client of the protocol that costs the machine next to nothing: prepared messages out, and of what comes in only the
 * type is looked at. It does what the protocol asks of a client without being told to: heartbeats, acknowledgements
 * of history, and letting newcomers in.
 */
export class LeanClient {
  readonly #wire: Wire;
  readonly #transport: TransportName;
  #awaited: readonly Awaited[] = nobody;
  /** Called with each message that is not part of the housekeeping. The bytes are good during the call alone. */
  onMessage: (type: string, data: Buffer) => void = () => undefined;
  /** Called once when the connection has ended, with the reason. */
  onClose: (reason: string) => void = () => undefined;
  /** No heartbeat is answered and nothing is asked for any more. */
  #isSilent = false;
  /** Why there is no connection any more. */
  #ending: string | null = null;

  private constructor(wire: Wire, transport: TransportName) {
    this.#wire = wire;
    this.#transport = transport;
    wire.onText = (data) => this.#receive(data);
    wire.onClose = (reason) => this.#ended(reason);
  }

  /**
   * Resolves when the server has greeted the connection, which is not signed in then.
   *
   * @throws ConnectError
   */
  static async connect(target: Target, key: string, options: ConnectOptions = {}): Promise<LeanClient> {
    const { transport = 'websocket', token, withinMs = connectWithinMs, signal } = options;
    const id = encodeURIComponent(key);
    const sockets = `/doc/${id}/c/?shardkey=${id}&EIO=4&transport=${transport}`;
    const wire =
      transport === 'polling'
        ? await PollingSocket.open(target, sockets, options)
        : await LeanSocket.open(
            target,
            transport === 'plain' ? `/ws/${id}?shardkey=${id}` : sockets,
            options,
          );
    const client = new LeanClient(wire, transport);
    const greeted = client.next('license');
    wire.begin();
    if (transport !== 'plain') {
      client.send(envelopes[transport].frame(`40${JSON.stringify(token ? { token } : {})}`));
    }
    await waitFor(greeted, { withinMs, signal }, () => wire.terminate());
    return client;
  }

  prepare(message: object): Prepared {
    return prepare(this.#transport, message);
  }

  send(prepared: Prepared): void {
    this.#wire.send(prepared);
  }

  /** Resolves with the next message of a type. Rejects when the connection ends, or has ended, before. */
  next(type: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#ending !== null) return reject(endedBefore(type, this.#ending));
      this.#awaited = [...this.#awaited, { type, resolve, reject }];
    });
  }

  /**
   * Signs in and opens the document.
   *
   * @throws ConnectError when the document is not opened
   */
  async signIn(options: SignInOptions): Promise<Opened> {
    const startedAt = performance.now();
    const timed = async (type: string) => {
      const data = await this.next(type);
      return { data, elapsedMs: performance.now() - startedAt };
    };
    const answers = Promise.all([timed('documentOpen'), timed('auth')]);
    this.send(this.prepare(authMessage(options)));
    const [opened, signedIn] = await answers;
    const {
      status,
      data: files,
      text,
    } = this.#bodyOf<{
      data: { status: string; data: Record<string, string>; text?: string };
    }>(opened.data).data;
    if (status !== 'ok') {
      throw new ConnectError(
        'not_opened',
        `Opening a document gave ${status} ${JSON.stringify(files ?? null)}`,
      );
    }
    const auth = this.#bodyOf<Pick<AuthReply, 'quireSyncIndex' | 'quireVersion'>>(signedIn.data);
    return {
      files,
      hasModel: text !== undefined,
      signedInMs: signedIn.elapsedMs,
      elapsedMs: opened.elapsedMs,
      endIndex: auth.quireSyncIndex ?? 0,
      version: auth.quireVersion ?? null,
    };
  }

  get isOpen(): boolean {
    return this.#wire.isOpen;
  }

  /** What was sent and has not left yet, bytes. */
  get queuedBytes(): number {
    return this.#wire.queuedBytes;
  }

  /** Calls `listener` with what each request of long-polling took. */
  set onExchange(listener: (exchange: Exchange) => void) {
    if (this.#wire instanceof PollingSocket) this.#wire.onExchange = listener;
  }

  /** Says nothing any more, not even to heartbeats, as somebody whose network is gone. */
  fallSilent(): void {
    this.#isSilent = true;
    if (this.#wire instanceof PollingSocket) this.#wire.isSilent = true;
  }

  /** Whether the server has ended the session of a client that fell silent. */
  async isForgotten(): Promise<boolean> {
    return this.#wire instanceof PollingSocket ? !(await this.#wire.isKnown()) : !this.#wire.isOpen;
  }

  /** Ends the connection without a word, as a closed tab does. Resolves when it is gone. */
  async close(): Promise<void> {
    if (!this.#wire.isOpen) return;
    const closed = new Promise<void>((resolve) => {
      const before = this.#wire.onClose;
      this.#wire.onClose = (reason) => {
        before(reason);
        resolve();
      };
    });
    this.#wire.terminate();
    await closed;
  }

  #receive(data: Buffer): void {
    const isMessage = this.#transport === 'plain' || (data[0] === 0x34 && data[1] === 0x32);
    if (!isMessage) {
      this.#control(data);
      return;
    }
    const start = envelopes[this.#transport].typeStart;
    const type = data.toString('latin1', start, data.indexOf(0x22, start));
    if (type === 'authChanges') this.send(housekeeping[this.#transport].historyAck);
    else if (type === 'connectState') {
      if (data.includes('"waitAuth":true')) this.send(housekeeping[this.#transport].historyIsFinal);
    } else {
      this.onMessage(type, data);
      if (this.#awaited.length > 0) this.#resolveAwaited(type, data);
      if (goodbyes.has(type)) this.#endAwaited(data.toString('utf8', start - 1, start + 300));
    }
  }

  /** Engine.IO: `2` is a ping, `3` a pong; Socket.IO: `41` ends the session, `44` refuses it. */
  #control(data: Buffer): void {
    if (data[0] === 0x32) {
      if (!this.#isSilent) this.send(housekeeping[this.#transport].pong);
    } else if (data[0] === 0x34 && (data[1] === 0x31 || data[1] === 0x34)) {
      this.#endAwaited(data.toString('utf8', 2, 302));
      this.#wire.terminate();
    }
  }

  #resolveAwaited(type: string, data: Buffer): void {
    const arrived = this.#awaited.find((awaited) => awaited.type === type);
    if (!arrived) return;
    this.#awaited = this.#awaited.filter((awaited) => awaited !== arrived);
    arrived.resolve(Buffer.from(data));
  }

  #ended(reason: string): void {
    this.#ending = reason;
    this.#endAwaited(reason);
    this.onClose(reason);
  }

  #endAwaited(reason: string): void {
    const awaited = this.#awaited;
    this.#awaited = nobody;
    for (const { type, reject } of awaited) reject(endedBefore(type, reason));
  }

  /** The message in an event. */
  #bodyOf<Message>(data: Buffer): Message {
    return this.#transport === 'plain'
      ? (JSON.parse(data.toString()) as Message)
      : (JSON.parse(data.toString('utf8', 2)) as [string, Message])[1];
  }
}

const endedBefore = (type: string, reason: string) =>
  new ConnectError('ended', `The connection ended before ${type} came: ${reason}`);

function authMessage({ key, userId, documentUrl, callbackUrl, model, token }: SignInOptions): ClientMessage {
  const kind = kinds.ofModel(model) ?? wordKind;
  return {
    type: 'auth',
    docid: key,
    documentCallbackUrl: callbackUrl,
    token: 'load',
    user: { id: userId, username: `User ${userId}`, firstname: null, lastname: null, indexUser: -1 },
    editorType: kind.editorType,
    lastOtherSaveTime: -1,
    block: [],
    sessionId: null,
    sessionTimeConnect: null,
    sessionTimeIdle: 0,
    isCloseCoAuthoring: false,
    openCmd: {
      c: 'open',
      id: key,
      format: nativeTypeOf(kind),
      url: documentUrl,
      title: `load.${nativeTypeOf(kind)}`,
      ...(model && { model, takesText: true }),
    },
    lang: 'en',
    mode: 'edit',
    permissions: { edit: true },
    coEditingMode: 'fast',
    supportAuthChangesAck: true,
    ...(token !== undefined && { jwtOpen: token }),
  };
}
