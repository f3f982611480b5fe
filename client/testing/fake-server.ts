import type { ChangeAuthor } from '../../model/log/change-author.ts';
import {
  type Block,
  type Change,
  type ClientMessage,
  type ClientMessageOf,
  changeText,
  type Lock,
  lockKey,
  type OpenCommand,
  type Participant,
  parseChangeList,
  parseClientMessage,
} from '../protocol/index.ts';
import type { Accept, ServerConnection, ServerPeer } from './memory-link.ts';

export interface FakeServerOptions {
  /** Understand `quireSyncIndex` and `quireIndex`; otherwise behave as the reference describes. */
  extensions?: boolean;
  /** Refuse the save lock when it is taken instead of queueing. */
  refuseSaveLock?: boolean;
  /** Grant the save lock to everybody who asks, as nodes do that do not know of each other: the log decides. */
  grantToAll?: boolean;
  maxPartChars?: number;
  /** Whom the changes of a session are stamped with; nobody's if absent. */
  authorOf?: (auth: ClientMessageOf<'auth'>) => ChangeAuthor;
  /** Commits take a while: `defer` is given each one to run, in order. At once if absent. */
  defer?: (commit: () => void) => void;
}

/** One connection of the fake server: who it is, and what each message asks of the server. */
class FakeConnection implements ServerConnection {
  readonly peer: ServerPeer;
  readonly received: ClientMessage[] = [];
  readonly #server: FakeServer;
  /** Set by a restore of its session on another connection: it has no effect any more. */
  superseded = false;
  authorized = false;
  takesCheckpoint = false;
  /** What its changes are stamped with. */
  author: ChangeAuthor | null = null;
  participant: Participant | null = null;
  sessionId = '';

  constructor(server: FakeServer, peer: ServerPeer) {
    this.#server = server;
    this.peer = peer;
  }

  get user(): string {
    return this.participant?.id ?? '';
  }

  lost(): void {
    this.#server.leave(this);
  }

  receive(value: unknown): void {
    const parsed = parseClientMessage(value);
    if (!parsed.ok) throw new Error(`the client sent ${parsed.type}: ${parsed.detail}`);
    if (this.superseded) return;
    this.received.push(parsed.message);
    this.#act(parsed.message);
  }

  #act(message: ClientMessage): void {
    const server = this.#server;
    switch (message.type) {
      case 'auth':
        server.authenticate(this, message);
        break;
      case 'isSaveLock':
        server.askSaveLock(this);
        break;
      case 'saveChanges':
        this.#save(message);
        break;
      case 'unSaveLock':
        server.returnSaveLock(this);
        this.#replySaved(-1, -1);
        break;
      case 'unLockDocument':
        if (message.unlock) server.unlockNewcomers(this);
        if (message.releaseLocks) server.releaseLocks(this, true);
        if (message.isSave) {
          server.returnSaveLock(this);
          this.#replySaved(-1, -1);
        }
        break;
      case 'getLock':
        server.lockBlocks(this, message.block);
        break;
      case 'message':
        server.say(this, message.message);
        break;
      case 'cursor':
        server.moveCursor(this, message.cursor);
        break;
      case 'openDocument':
        server.answerOpen(this, message.message);
        break;
      case 'close':
        server.leave(this);
        break;
      default:
        break;
    }
  }

  #save(message: ClientMessageOf<'saveChanges'>): void {
    this.#server.store(this, message, (base) => {
      const sync = this.#server.log.length;
      if (message.endSaveChanges) this.#replySaved(base, sync);
      else this.peer.send({ type: 'savePartChanges', changesIndex: base, syncChangesIndex: sync });
    });
  }

  #replySaved(index: number, syncChangesIndex: number): void {
    this.peer.send({ type: 'unSaveLock', index, time: this.#server.time(), syncChangesIndex });
  }
}

/** One document of a server, in memory: a model of the rules that a client depends on, for tests. */
export class FakeServer {
  readonly log: Change[] = [];
  readonly connections: FakeConnection[] = [];
  readonly locks = new Map<string, Lock>();
  /** What sessions begin with that take checkpoints. */
  checkpoint: { index: number; url: string } | null = null;
  /** How many parts were refused because somebody else's came first. */
  refusals = 0;
  /** What the integrator has. */
  stored = { index: 0, time: 1_760_000_000_000 };
  readonly #options: FakeServerOptions;
  readonly #sessions = new Map<string, { index: number; id: string }>();
  #nextIndex = 1;
  #timestamp = 0;
  #saveLock: FakeConnection | null = null;
  #saveQueue: FakeConnection[] = [];
  #newcomersWaitFor: FakeConnection | null = null;

  constructor(options: FakeServerOptions = {}) {
    this.#options = { extensions: true, ...options };
  }

  readonly accept: Accept = (peer: ServerPeer) => {
    const connection = new FakeConnection(this, peer);
    peer.send({ type: 'license', license: { type: 3, rights: 1, buildVersion: '9.3.0', buildNumber: 1 } });
    return connection;
  };

  /** Whole seconds, as stored times are; in milliseconds. */
  time(): number {
    return 1_760_000_000_000 + Math.floor(this.log.length / 4) * 1000;
  }

  authenticate(connection: FakeConnection, auth: ClientMessageOf<'auth'>): void {
    const known = auth.sessionId ? this.#sessions.get(auth.sessionId) : undefined;
    const idOriginal = String(auth.user?.id);
    const indexUser = known?.index ?? this.#nextIndex++;
    connection.sessionId = auth.sessionId ?? `session-${indexUser}`;
    this.#sessions.set(connection.sessionId, { index: indexUser, id: idOriginal });
    connection.participant = {
      id: `${idOriginal}${indexUser}`,
      idOriginal,
      username: auth.user?.username ?? 'Anonymous',
      indexUser,
      view: auth.mode === 'view',
      connectionId: `connection-${indexUser}`,
    };
    connection.author = this.#options.authorOf?.(auth) ?? null;
    connection.takesCheckpoint = auth.quireCheckpoint === true;
    if (known) this.#restore(connection, auth);
    else this.#admit(connection, auth);
    if (auth.openCmd) this.answerOpen(connection, auth.openCmd);
  }

  answerOpen(connection: FakeConnection, { c, data: wanted }: OpenCommand): void {
    const data =
      c === 'pathurls' && Array.isArray(wanted)
        ? wanted.map((path) => `http://files.test/${path}`)
        : { 'Editor.bin': 'http://files.test/Editor.bin' };
    connection.peer.send({ type: 'documentOpen', data: { type: c, status: 'ok', data } });
  }

  /** The integrator confirms everything there is. */
  confirmStored(): void {
    this.stored = { index: this.log.length, time: this.time() };
    this.#toAll({ type: 'quireStored', ...this.stored });
  }

  askSaveLock(connection: FakeConnection): void {
    if (this.#options.grantToAll) connection.peer.send({ type: 'saveLock', saveLock: false });
    else if (this.#saveLock === null || this.#saveLock === connection) this.#grantSaveLock(connection);
    else if (this.#options.refuseSaveLock) connection.peer.send({ type: 'saveLock', saveLock: true });
    else this.#saveQueue.push(connection);
  }

  returnSaveLock(connection: FakeConnection): void {
    this.#saveQueue = this.#saveQueue.filter((other) => other !== connection);
    if (this.#saveLock !== connection) return;
    this.#saveLock = null;
    const next = this.#saveQueue.shift();
    if (next) this.#grantSaveLock(next);
  }

  /**
   * Commits a part and calls `stored` with its index. One that may not be stored, or comes too late, is refused, where
   * its client names its place; else its connection ends.
   */
  store(
    connection: FakeConnection,
    save: ClientMessageOf<'saveChanges'>,
    stored: (baseIndex: number) => void,
  ): void {
    if (this.#saveLock !== connection && !this.#options.grantToAll) {
      this.#refuse(connection, save);
      return;
    }
    const defer = this.#options.defer ?? ((commit) => commit());
    defer(() => this.#commit(connection, save, stored));
  }

  /** A part that was received is stored even if its connection is gone by now. */
  #commit(
    connection: FakeConnection,
    save: ClientMessageOf<'saveChanges'>,
    stored: (baseIndex: number) => void,
  ): void {
    const changes = parseChangeList(save.changes)!.map(changeText);
    const base = (this.#options.extensions ? save.quireIndex : undefined) ?? this.log.length;
    const isResend = changes.every((change, at) => {
      const present = this.log[base + at];
      return present?.change === change && present.user === connection.user;
    });
    if (base !== this.log.length && !isResend) {
      this.#refuse(connection, save);
      return;
    }
    if (!isResend) this.#append(connection, changes, save.endSaveChanges === true);
    if (save.endSaveChanges) {
      if (save.releaseLocks) this.releaseLocks(connection, false);
      if (save.unlock) this.unlockNewcomers(connection);
    }
    stored(base);
    if (save.endSaveChanges) this.returnSaveLock(connection);
  }

  #refuse(connection: FakeConnection, save: ClientMessageOf<'saveChanges'>): void {
    if (!this.#options.extensions || save.quireIndex === undefined) {
      this.#cutOff(connection);
      return;
    }
    this.refusals += 1;
    this.returnSaveLock(connection);
    connection.peer.send({ type: 'saveLock', saveLock: true });
  }

  #cutOff(connection: FakeConnection): void {
    this.leave(connection);
    connection.peer.end('lost');
  }

  lockBlocks(connection: FakeConnection, blocks: readonly Block[]): void {
    const free = blocks.every(
      (block) => (this.locks.get(lockKey(block))?.user ?? connection.user) === connection.user,
    );
    if (free) {
      for (const block of blocks) {
        this.locks.set(lockKey(block), { time: this.time(), user: connection.user, block });
      }
    }
    this.#toAll({ type: 'getLock', locks: Object.fromEntries(this.locks) });
  }

  releaseLocks(connection: FakeConnection, toSelf: boolean): void {
    const released = [...this.locks.values()].filter((lock) => lock.user === connection.user);
    if (released.length === 0) return;
    for (const lock of released) this.locks.delete(lockKey(lock.block));
    const locks = released.map((lock) => ({ ...lock, changes: null }));
    this.#toAll({ type: 'releaseLock', locks }, toSelf ? undefined : connection);
  }

  unlockNewcomers(connection: FakeConnection): void {
    if (this.#newcomersWaitFor !== connection) return;
    this.#newcomersWaitFor = null;
    for (const waiting of this.connections.filter((other) => !other.authorized))
      this.#beginSession(waiting, true);
  }

  say(connection: FakeConnection, message: string): void {
    const { id, idOriginal, username } = connection.participant!;
    const time = this.time();
    const said = { docid: 'doc', message, time, user: id, useridoriginal: idOriginal, username };
    this.#toAll({ type: 'message', messages: [said] });
  }

  moveCursor(connection: FakeConnection, cursor: string): void {
    const { id, idOriginal } = connection.participant!;
    const moved = { cursor, time: this.time(), user: id, useridoriginal: idOriginal };
    this.#toAll({ type: 'cursor', messages: [moved] }, connection);
  }

  /** Explicit `close`, or the transport is gone. */
  leave(connection: FakeConnection): void {
    const at = this.connections.indexOf(connection);
    if (at < 0) return;
    this.connections.splice(at, 1);
    connection.authorized = false;
    connection.superseded = true;
    this.releaseLocks(connection, false);
    this.returnSaveLock(connection);
    this.unlockNewcomers(connection);
    this.#announce(connection, false);
  }

  #restore(connection: FakeConnection, auth: ClientMessageOf<'auth'>): void {
    // It may be the living one, overtaken by an `auth` that was delayed on a connection already given up.
    for (const old of [...this.connections]) if (old.sessionId === connection.sessionId) this.#cutOff(old);
    this.connections.push(connection);
    if (this.#options.extensions && auth.quireSyncIndex !== undefined) {
      this.#replay(connection, auth.quireSyncIndex);
    } else if (!this.#sawLastSave(connection, auth.lastOtherSaveTime ?? -1)) {
      connection.peer.send({ type: 'error', description: 'Restore error. Document modified.', code: 4010 });
      return;
    }
    if (auth.block?.length) this.lockBlocks(connection, auth.block);
    this.#beginSession(connection, false);
    this.#announce(connection, false);
  }

  #sawLastSave(connection: FakeConnection, lastOtherSaveTime: number): boolean {
    const last = this.log.at(-1);
    return !last || last.user === connection.user || Math.trunc((lastOtherSaveTime - last.time) / 1000) === 0;
  }

  #replay(connection: FakeConnection, fromIndex: number): void {
    const changes = this.log.slice(fromIndex);
    if (changes.length === 0) return;
    const { length } = this.log;
    const broadcast = { type: 'saveChanges', changes, changesIndex: length, syncChangesIndex: length };
    connection.peer.send({ ...broadcast, endSaveChanges: true, locks: [] });
  }

  #admit(connection: FakeConnection, auth: ClientMessageOf<'auth'>): void {
    const editors = this.connections.filter((other) => other.authorized && !other.participant?.view);
    this.connections.push(connection);
    const isEditor = auth.mode !== 'view';
    if (isEditor && this.#newcomersWaitFor === null && editors.length === 1)
      this.#newcomersWaitFor = editors[0]!;
    const waits = isEditor && this.#newcomersWaitFor !== null;
    if (waits) connection.peer.send({ type: 'waitAuth', lockDocument: this.#newcomersWaitFor!.participant });
    else this.#beginSession(connection, true);
    this.#announce(connection, waits);
  }

  #beginSession(connection: FakeConnection, withHistory: boolean): void {
    const begin = withHistory && connection.takesCheckpoint ? this.checkpoint : null;
    if (begin) connection.peer.send({ type: 'quireCheckpoint', ...begin });
    if (withHistory) {
      const from = begin?.index ?? 0;
      const half = from + Math.ceil((this.log.length - from) / 2);
      for (const changes of [this.log.slice(from, half), this.log.slice(half)]) {
        if (changes.length > 0) connection.peer.send({ type: 'authChanges', changes });
      }
    }
    connection.authorized = true;
    connection.peer.send({
      type: 'auth',
      result: 1,
      sessionId: connection.sessionId,
      participants: this.connections.map((other) => other.participant),
      locks: Object.fromEntries(this.locks),
      indexUser: connection.participant!.indexUser,
      settings: { websocketMaxPayloadSize: this.#options.maxPartChars ?? 1_572_864 },
      ...(this.#options.extensions && { quireSyncIndex: this.log.length, quireStored: this.stored }),
      ...(connection.author && { quireAuthor: connection.author }),
    });
  }

  #grantSaveLock(connection: FakeConnection): void {
    this.#saveLock = connection;
    connection.peer.send({ type: 'saveLock', saveLock: false });
  }

  #append(connection: FakeConnection, changes: string[], endSaveChanges: boolean): void {
    const { id, idOriginal } = connection.participant!;
    const time = this.time();
    const stored = changes.map((change) => ({
      docid: 'doc',
      change,
      time,
      user: id,
      useridoriginal: idOriginal,
      ...(connection.author && { quireAuthor: connection.author }),
    }));
    this.log.push(...stored);
    const { length } = this.log;
    const broadcast = {
      type: 'saveChanges',
      changes: stored,
      changesIndex: length,
      syncChangesIndex: length,
    };
    this.#toAll({ ...broadcast, endSaveChanges, locks: [] }, connection);
  }

  #announce(about: FakeConnection, waitAuth: boolean): void {
    const participants = this.connections.map((connection) => connection.participant);
    const participantsTimestamp = ++this.#timestamp;
    this.#toAll({ type: 'connectState', participantsTimestamp, participants, waitAuth }, about);
  }

  #toAll(message: object, except?: FakeConnection): void {
    for (const connection of this.connections) {
      if (connection.authorized && connection !== except) connection.peer.send(message);
    }
  }
}
