import {
  CheckpointUnreadable,
  DocumentClientError,
  type EndingMessage,
  messageEnding,
  transportEnding,
} from './client-error.ts';
import { type Clock, systemClock } from './clock.ts';
import { Connection } from './connection.ts';
import {
  type ConnectionState,
  type DocumentStatus,
  type Emit,
  passOn,
  type Stored,
} from './document-events.ts';
import { ElementLocks } from './locks.ts';
import { LogReceiver, LogRepair, type Taken } from './log-receiver.ts';
import { Opening } from './opening.ts';
import type { DocumentClientOptions, DocumentHooks, OfferedCheckpoint } from './options.ts';
import { Presence } from './presence.ts';
import {
  type AuthReply,
  type ClientMessage,
  DisconnectCode,
  type DocumentOpen,
  EditorType,
  parseServerMessage,
  type ServerMessage,
  type ServerMessageOf,
  websocketMaxPayloadSize,
} from './protocol/index.ts';
import { defaultReconnect } from './reconnect.ts';
import { Requests } from './requests.ts';
import { SaveLoop } from './save-loop.ts';
import { Session } from './session.ts';
import type { Dial } from './transports/transport.ts';

const authTimeoutMs = 60_000;

/** Acts on the server's messages: puts the parts of a client together and ends them together. */
export class ProtocolEngine {
  readonly presence = new Presence();
  readonly session: Session;
  readonly locks: ElementLocks;
  readonly log: LogReceiver;
  readonly saves: SaveLoop;
  readonly requests: Requests;
  readonly opening: Opening;
  readonly #emit: Emit;
  readonly #hooks: DocumentHooks;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #repair: LogRepair;
  readonly #idleTimeMs: () => number;
  #state: ConnectionState = 'new';
  #stored: Stored | null = null;
  #isOldVersion = false;
  /** The checkpoint with which the history of the newest session began. */
  #checkpoint: OfferedCheckpoint | null = null;
  #cancelAuthTimeout: (() => void) | null = null;

  constructor(options: DocumentClientOptions, dial: Dial, emit: Emit) {
    this.#emit = emit;
    this.#hooks = options.hooks ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#idleTimeMs = options.idleTimeMs ?? (() => 0);
    this.session = new Session(options, this.#clock);
    this.requests = new Requests(this.#clock);
    this.#connection = this.#makeConnection(options, dial);
    this.opening = this.#makeOpening(options);
    this.#repair = this.#makeRepair();
    this.locks = new ElementLocks(
      {
        sendGetLock: (block) => this.send({ type: 'getLock', block }),
        userId: () => this.session.userId,
      },
      this.#clock,
    );
    this.log = this.#makeLog();
    this.saves = this.#makeSaves(options);
  }

  get status(): DocumentStatus {
    return {
      connection: this.#state,
      saving: this.saves.state,
      unacknowledgedCount: this.saves.unacknowledgedCount,
      saved: this.saves.settled,
      acknowledgedIndex: this.log.nextIndex,
      readOnly: this.readOnly,
    };
  }

  /** What the integrator has of the document; null before the server has said so. */
  get stored(): Stored | null {
    return this.#stored;
  }

  /** The server lists this user as a viewer, or has stored the document since under another key. */
  get readOnly(): boolean {
    return this.#isOldVersion || this.presence.isViewer(this.session.userId);
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#enter('connecting');
    this.#connection.start();
  }

  /** False if there is no session. */
  send(message: ClientMessage): boolean {
    if (this.#state !== 'ready' || !this.#connection.send(message)) return false;
    if (message.type === 'unLockDocument' && message.releaseLocks) this.locks.giveBack();
    return true;
  }

  /** Ends everything; without an error, because the application wanted it. */
  end(error: DocumentClientError | null): void {
    if (this.#state === 'ended') return;
    const unacknowledged = this.saves.unacknowledged;
    this.#state = 'ended';
    this.#cancelAuthTimeout?.();
    this.#connection.stop();
    const reason = error ?? new DocumentClientError('closed', 'the client was closed');
    this.saves.fail(reason);
    this.locks.fail(reason);
    this.requests.failAll(reason);
    this.opening.fail(reason);
    this.#changed();
    if (error?.code === 'reload') this.#emit('reload', error);
    this.#emit('ended', { error, unacknowledged });
  }

  #makeConnection(options: DocumentClientOptions, dial: Dial): Connection {
    return new Connection(
      {
        dial,
        credentials: () => this.session.credentials,
        reconnect: { ...defaultReconnect, ...options.reconnect },
        clock: this.#clock,
      },
      {
        up: () => this.#authenticate(),
        message: (value) => this.#receive(value),
        down: (detail) => this.#onLost(detail),
        end: (end) => this.end(transportEnding(end)),
      },
    );
  }

  #makeOpening(options: DocumentClientOptions): Opening {
    return new Opening({
      commanded: options.auth.openCmd !== undefined,
      load: (opened, offered) => this.#hooks.load?.(opened, offered),
      begin: () => {
        this.log.release();
        if (this.readOnly) this.saves.fail(new DocumentClientError('read-only', 'this session may not save'));
        else if (this.#state === 'ready') this.saves.online();
      },
      fail: (cause) => {
        if (cause instanceof CheckpointUnreadable && this.#checkpoint) this.#readWholeLog();
        else this.end(new DocumentClientError('hook', 'load failed', { cause }));
      },
    });
  }

  #makeRepair(): LogRepair {
    const { session } = this;
    return new LogRepair({
      get replays() {
        return session.reply?.quireSyncIndex !== undefined;
      },
      restart: (detail) => this.#connection.restart(detail),
      reload: (detail) => this.#reload(detail),
    });
  }

  #makeLog(): LogReceiver {
    return new LogReceiver({
      recognise: (changes, fromIndex) => this.saves.recognise(changes, fromIndex, this.session.userId),
      apply: (changes, fromIndex) => {
        const { userId } = this.session;
        for (const { user, timeMs } of changes) if (user !== userId) this.session.noteOtherSave(timeMs);
        this.#callHook(() => this.#hooks.applyRemote?.(changes, fromIndex));
      },
    });
  }

  #makeSaves(options: DocumentClientOptions): SaveLoop {
    return new SaveLoop({
      clock: this.#clock,
      send: (message) => this.send(message),
      nextIndex: () => this.log.nextIndex,
      applyRemote: () => this.log.flush(),
      takeBatch: (baseIndex) => this.#hooks.takeBatch?.(baseIndex) ?? null,
      confirm: (firstIndex, count) => {
        this.#repair.succeeded();
        this.#connection.progressed();
        this.log.flush();
        this.log.reach(firstIndex + count);
        this.#callHook(() => this.#hooks.confirm?.(firstIndex, count));
      },
      maxPartChars: () => this.session.reply?.settings?.websocketMaxPayloadSize || websocketMaxPayloadSize,
      isExcel: () => options.auth.editorType === EditorType.spreadsheet,
      hasOtherEditors: () => this.presence.editors.length > 1,
      reconnect: (detail) => this.#connection.restart(detail),
      resynchronise: (detail) => this.#repair.attempt(detail),
      fail: (error) => this.end(error),
      changed: () => this.#changed(),
    });
  }

  #enter(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#changed();
  }

  #changed(): void {
    this.#emit('status', this.status);
  }

  #callHook(run: () => void): void {
    try {
      run();
    } catch (cause) {
      this.end(new DocumentClientError('hook', 'a hook threw', { cause }));
    }
  }

  #authenticate(): void {
    this.presence.reset();
    this.#expectAuth();
    const ownBlocks = this.locks.own(this.session.userId);
    this.#connection.send(this.session.authRequest(this.log.nextIndex, ownBlocks));
  }

  #expectAuth(): void {
    this.#cancelAuthTimeout?.();
    this.#cancelAuthTimeout = this.#clock.after(authTimeoutMs, () =>
      this.#connection.restart('no answer to auth'),
    );
  }

  #receive(value: unknown): void {
    const parsed = parseServerMessage(value);
    if (parsed.ok) {
      this.#emit('message', parsed.message);
      this.#handle(parsed.message);
    } else if (parsed.reason === 'invalid') {
      this.#emit('invalidMessage', `${parsed.type ?? 'untyped'}: ${parsed.detail}`);
    }
  }

  #handle(message: ServerMessage): void {
    switch (message.type) {
      case 'license':
        break;
      case 'auth':
        this.#onAuth(message);
        break;
      case 'quireCheckpoint':
        this.#onCheckpoint(message);
        break;
      case 'authChanges':
        this.#onHistory(message);
        break;
      case 'waitAuth':
        this.#expectAuth();
        this.#enter('waiting');
        break;
      case 'connectState':
        this.#onParticipants(message);
        if (message.waitAuth) this.saves.admitNewcomer();
        break;
      case 'documentOpen':
        this.#onDocumentOpen(message.data);
        break;
      case 'getLock':
        this.locks.put(message.locks);
        this.#emit('locks', this.locks.all);
        break;
      case 'releaseLock':
        this.locks.release(message.locks);
        this.#emit('locks', this.locks.all);
        break;
      case 'saveLock':
        this.saves.onSaveLock(message.saveLock);
        break;
      case 'savePartChanges':
        this.saves.onPartSaved(message.syncChangesIndex);
        break;
      case 'unSaveLock':
        this.saves.onSaved(message);
        break;
      case 'saveChanges':
        this.#onTaken(this.log.broadcast(message));
        this.#flushForGone(message.changes.at(-1)?.user);
        if (message.locks?.length) {
          this.locks.release(message.locks);
          this.#emit('locks', this.locks.all);
        }
        break;
      case 'session':
        this.#onSessionWarning(message.messages);
        break;
      case 'quireStored':
        this.#onStored(message);
        break;
      case 'refreshToken':
        this.session.refreshToken(message.messages);
        break;
      case 'quireMove':
        this.#connection.move();
        break;
      case 'message':
      case 'cursor':
      case 'meta':
      case 'forceSave':
      case 'forceSaveStart':
      case 'rpc':
      case 'warning':
      case 'updateVersion':
      case 'quireOpening':
        passOn(message, this.requests, this.#emit);
        break;
      case 'error':
      case 'drop':
      case 'disconnectReason':
        this.#onEnding(message);
        break;
      default:
        message satisfies never;
    }
  }

  #onAuth(reply: AuthReply): void {
    const restored = this.session.reply !== null;
    const again = this.#state === 'ready';
    this.#cancelAuthTimeout?.();
    const authorBefore = JSON.stringify(this.session.reply?.quireAuthor);
    this.session.accept(reply);
    // What is on its way may have been stored under either: only the log can tell what became of it.
    if (restored && JSON.stringify(reply.quireAuthor) !== authorBefore) {
      this.#reload('what this user may do, or the name to sign with, has changed');
      return;
    }
    this.#connection.settled();
    if (reply.participants) {
      this.presence.replace(reply.participants);
      this.#emit('participants', this.presence.participants);
    }
    if (reply.messages) this.#emit('chat', reply.messages);
    if (reply.quireStored) this.#onStored(reply.quireStored);
    this.locks.replace(reply.locks ?? {});
    this.#emit('locks', this.locks.all);
    if (again) return;
    this.#enter('ready');
    this.#onTaken(this.log.sessionBegins());
    if (!this.#agreesOn(reply.quireSyncIndex)) return;
    this.locks.online();
    if (restored && this.opening.unanswered) this.#repeatOpenCommand();
    this.opening.authorized(this.#checkpoint);
  }

  #onParticipants(state: ServerMessageOf<'connectState'>): void {
    const before = this.presence.participants;
    if (!this.presence.update(state)) return;
    for (const { id } of before) this.#flushForGone(id);
    this.#emit('participants', this.presence.participants);
  }

  /** A user who has left sends no more of a save that was arriving: what is stored of it is all there will be. */
  #flushForGone(userId: string | undefined): void {
    if (userId !== undefined && !this.presence.participants.some(({ id }) => id === userId)) this.log.flush();
  }

  /** Whether the session goes on: the log is as long here as the server says that it has sent. */
  #agreesOn(told: number | undefined): boolean {
    if (this.#state !== 'ready') return false;
    if (told === undefined || told === this.log.nextIndex) return true;
    if (told < this.log.nextIndex) this.#reload('the log is shorter than what this client knows of it');
    else this.#repair.attempt('changes are missing');
    return false;
  }

  /** The restored session is not told the result of a command that a lost connection gave. */
  #repeatOpenCommand(): void {
    const message = this.session.openCommand();
    if (message) this.send({ type: 'openDocument', message });
  }

  #onStored({ index, time, refusedSince }: NonNullable<AuthReply['quireStored']>): void {
    this.#stored = { index, timeMs: time, refusedSinceMs: refusedSince ?? null };
    this.#emit('stored', this.#stored);
  }

  #onCheckpoint({ index, url }: ServerMessageOf<'quireCheckpoint'>): void {
    if (this.session.reply !== null) return;
    this.#expectAuth();
    this.#checkpoint = { index, url };
    this.#onTaken(this.log.startAt(index));
  }

  /** Nothing was applied yet, and nothing made: the document is opened once more, in a session of its own. */
  #readWholeLog(): void {
    if (this.#state === 'ended') return;
    this.session.beginAnew();
    this.opening.startOver();
    this.#startOver();
    this.#connection.restart('the checkpoint could not be read');
  }

  #startOver(): void {
    this.#checkpoint = null;
    this.log.startOver();
  }

  #onHistory({ changes }: ServerMessageOf<'authChanges'>): void {
    this.#connection.send({ type: 'authChangesAck' });
    if (this.session.reply !== null) return;
    this.#expectAuth();
    this.#onTaken(this.log.history(changes));
  }

  #onTaken(taken: Taken): void {
    switch (taken) {
      case 'taken':
        this.#repair.succeeded();
        break;
      case 'gap':
        this.#repair.attempt('changes are missing');
        break;
      case 'overflow':
        this.#reload('more changes than can be held');
        break;
    }
  }

  #reload(detail: string): void {
    this.end(new DocumentClientError('reload', detail));
  }

  #onDocumentOpen(reply: DocumentOpen['data']): void {
    this.requests.answer(`documentOpen ${reply.type}`, reply);
    this.#emit('documentOpen', reply);
    if (reply.status === 'updateversion') this.#isOldVersion = true;
    this.opening.answered(reply);
  }

  #onSessionWarning(warning: ServerMessageOf<'session'>['messages']): void {
    const idletime = this.#idleTimeMs();
    if (warning.code === DisconnectCode.sessionIdle && idletime < (warning.interval ?? 0)) {
      this.send({ type: 'extendSession', idletime });
    }
    this.#emit('session', warning);
  }

  #onEnding(message: EndingMessage): void {
    passOn(message, this.requests, this.#emit);
    if (message.type !== 'disconnectReason') this.#connection.send({ type: 'close' });
    this.end(messageEnding(message, this.session.reply !== null));
  }

  #onLost(detail: string): void {
    this.#cancelAuthTimeout?.();
    this.log.connectionLost();
    if (!this.session.reply) this.#startOver();
    this.saves.offline();
    this.locks.offline();
    this.requests.failAll(new DocumentClientError('timeout', 'the connection was lost'));
    this.#enter(this.session.reply ? 'reconnecting' : 'connecting');
    this.#emit('lost', detail);
  }
}
