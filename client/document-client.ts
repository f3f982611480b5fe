import { DocumentClientError } from './client-error.ts';
import type { DocumentEvents, DocumentStatus, Stored } from './document-events.ts';
import type { LockResult } from './locks.ts';
import type { DocumentClientOptions, OpenedDocument } from './options.ts';
import type {
  AuthReply,
  Block,
  ClientMessage,
  DocumentOpen,
  Lock,
  OpenCommand,
  Participant,
  ServerMessageOf,
} from './protocol/index.ts';
import { ProtocolEngine } from './protocol-engine.ts';
import { plainWsDial } from './transports/plain-ws.ts';
import { socketIoDial } from './transports/socket-io.ts';
import type { Dial } from './transports/transport.ts';
import { TypedEvents } from './typed-events.ts';

const requestTimeoutMs = 60_000;

function dialOf({ transport = 'websocket', url, key, query }: DocumentClientOptions): Dial {
  if (typeof transport === 'function') return transport;
  return transport === 'plain'
    ? plainWsDial({ url, key })
    : socketIoDial({ url, key, query, engine: transport });
}

/**
 * One user's session in one document, over as many connections as it takes. Used once: after `ended` a new
 * client opens the document anew.
 */
export class DocumentClient extends TypedEvents<DocumentEvents> {
  readonly #engine: ProtocolEngine;
  #rpcKey = 0;

  constructor(options: DocumentClientOptions) {
    super();
    this.#engine = new ProtocolEngine(options, dialOf(options), (name, value) => this.emit(name, value));
  }

  /** Unique user id; the original id until the session begins. */
  get userId(): string {
    return this.#engine.session.userId;
  }

  /** The last `auth` reply, or null before the first. */
  get authReply(): AuthReply | null {
    return this.#engine.session.reply;
  }

  /** The token of the session, for `POST /upload` and `/downloadas`; undefined before the first `auth` reply. */
  get sessionToken(): string | undefined {
    return this.#engine.session.token;
  }

  get participants(): readonly Participant[] {
    return this.#engine.presence.participants;
  }

  /** Element locks of everybody, by their keys. */
  get locks(): ReadonlyMap<string, Lock> {
    return this.#engine.locks.all;
  }

  get status(): DocumentStatus {
    return this.#engine.status;
  }

  /** What the integrator has of the document; null before the first `auth` reply, or if the server does not tell. */
  get stored(): Stored | null {
    return this.#engine.stored;
  }

  /**
   * Connects and opens. Resolves when the session is established, the document is open and loaded, and its
   * history is applied; rejects with `DocumentOpenError` if the file cannot be opened (the session stays, so
   * that a password can be sent) and with `DocumentClientError` if the client ended.
   */
  open(): Promise<OpenedDocument | null> {
    this.#engine.start();
    return this.#engine.opening.promise;
  }

  /**
   * The application has changes to save; `takeBatch` will be asked for them. `releaseLocks` gives back this
   * user's element locks with the save. Throws `read-only` in a session that may not edit.
   */
  queueSave({ releaseLocks = false } = {}): void {
    if (this.#engine.readOnly)
      throw new DocumentClientError('read-only', 'this session may not change the document');
    this.#engine.saves.request(releaseLocks);
  }

  /** Resolves when everything queued so far is stored; rejects if the client ends before that. */
  saved(): Promise<void> {
    return this.#engine.saves.saved();
  }

  /** Asks for element locks, all or nothing. */
  acquire(blocks: readonly Block[]): Promise<LockResult> {
    return this.#engine.locks.acquire(blocks);
  }

  /** Gives back all element locks of this user without saving. False if there is no connection. */
  releaseLocks(): boolean {
    return this.send({
      type: 'unLockDocument',
      isSave: false,
      unlock: false,
      deleteIndex: null,
      releaseLocks: true,
    });
  }

  /** False if there is no connection: chat is not kept for later. */
  chat(message: string): boolean {
    return this.send({ type: 'message', message });
  }

  /** False if there is no connection: a cursor is not kept for later. */
  cursor(cursor: string): boolean {
    return this.send({ type: 'cursor', cursor });
  }

  /**
   * Sends a command such as `reopen` with a password, or `imgurls`, and waits for its `documentOpen`.
   * @throws DocumentClientError `timeout` without an answer or a connection
   */
  openDocument(command: OpenCommand): Promise<DocumentOpen['data']> {
    return this.#ask(`documentOpen ${command.c}`, { type: 'openDocument', message: command });
  }

  /** Asks for a force save; the answer says whether one was started, the `forceSave` event how it ended. */
  forceSave(): Promise<ServerMessageOf<'forceSaveStart'>['messages']> {
    return this.#ask('forceSaveStart', { type: 'forceSaveStart' });
  }

  /** Calls a procedure of the server; rejects with `timeout` if it knows none of that type. */
  rpc(data: unknown): Promise<unknown> {
    const responseKey = ++this.#rpcKey;
    return this.#ask(`rpc ${responseKey}`, { type: 'rpc', responseKey, data });
  }

  /** Sends any message in the session. False if there is none. */
  send(message: ClientMessage): boolean {
    return this.#engine.send(message);
  }

  /**
   * Saves what is queued (unless `discard`), leaves the document and ends. Rejects if something could not be
   * saved; the client has ended then, too.
   */
  async close({ discard = false } = {}): Promise<void> {
    if (this.status.connection === 'ended') return;
    try {
      if (!discard && !this.#engine.readOnly) await this.saved();
    } finally {
      this.send({ type: 'close' });
      this.#engine.end(null);
    }
  }

  /** Ends at once and tells the server nothing, as a crash would. */
  abort(): void {
    this.#engine.end(null);
  }

  #ask<Answer>(answerKey: string, message: ClientMessage): Promise<Answer> {
    return this.#engine.requests.ask(answerKey, requestTimeoutMs, () => this.send(message));
  }
}
