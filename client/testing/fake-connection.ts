import type { ChangeAuthor } from '../../model/log/change-author.ts';
import {
  type Block,
  type ClientMessage,
  type ClientMessageOf,
  type OpenCommand,
  type Participant,
  parseClientMessage,
} from '../protocol/index.ts';
import type { ServerConnection, ServerPeer } from './memory-link.ts';

/** What a connection asks of its server. */
export interface ConnectionServer {
  /** How many changes the log has. */
  readonly log: { readonly length: number };
  /** Whole seconds, as stored times are; in milliseconds. */
  time(): number;
  authenticate(connection: FakeConnection, auth: ClientMessageOf<'auth'>): void;
  askSaveLock(connection: FakeConnection): void;
  returnSaveLock(connection: FakeConnection): void;
  /** Commits a part and calls `stored` with its index. A connection that may not, or comes too late, ends. */
  store(
    connection: FakeConnection,
    save: ClientMessageOf<'saveChanges'>,
    stored: (baseIndex: number) => void,
  ): void;
  lockBlocks(connection: FakeConnection, blocks: readonly Block[]): void;
  releaseLocks(connection: FakeConnection, toSelf: boolean): void;
  unlockNewcomers(connection: FakeConnection): void;
  say(connection: FakeConnection, message: string): void;
  moveCursor(connection: FakeConnection, cursor: string): void;
  answerOpen(connection: FakeConnection, command: OpenCommand): void;
  /** Explicit `close`, or the transport is gone. */
  leave(connection: FakeConnection): void;
}

/** One connection of the fake server: who it is, and what each message asks of the server. */
export class FakeConnection implements ServerConnection {
  readonly peer: ServerPeer;
  readonly received: ClientMessage[] = [];
  readonly #server: ConnectionServer;
  /** Set by a restore of its session on another connection: it has no effect any more. */
  superseded = false;
  authorized = false;
  takesCheckpoint = false;
  /** What its changes are stamped with. */
  author: ChangeAuthor | null = null;
  participant: Participant | null = null;
  sessionId = '';

  constructor(server: ConnectionServer, peer: ServerPeer) {
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
