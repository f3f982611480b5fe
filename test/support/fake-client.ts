import { expect } from 'vitest';
import type { ServerMessage } from '../../client/protocol/index.ts';
import type { Frame } from '../../platform/ports/peer.ts';
import type { Member } from '../../services/coauthoring/document/member.ts';

/** A client as far as the protocol obliges it: it counts what it is given and drops what it has already. */
export class FakeClient {
  readonly name: string;
  readonly received: ServerMessage[] = [];
  readonly member: Member;
  /** Changes by index, as the protocol says to count them; null before the first `auth`. */
  changes: string[] = [];
  /** What was sent and is not acknowledged. */
  sent: string[] = [];
  /** What a checkpoint holds that is offered. */
  checkpoint: string[] = [];
  isIn = false;
  gone = false;
  /** Called with every message, and when the server ends the connection. */
  onMessage: (message: ServerMessage) => void = () => undefined;
  onEnd: () => void = () => undefined;
  /** Broadcasts that came before `auth`. */
  #early: Extract<ServerMessage, { type: 'saveChanges' }>[] = [];

  constructor(name: string, index: number, { view = false } = {}) {
    this.name = name;
    const userId = name;
    this.member = {
      peer: {
        id: `${name}-${index}`,
        handlingSinceMs: 0,
        whenDrained: (callback) => callback(),
        send: (frame: Frame) => this.#take(JSON.parse(frame.json) as ServerMessage),
        prepare: async () => undefined,
        hasRoom: () => true,
        sendPaced: () => expect.unreachable('there is always room'),
        turn: async () => undefined,
        paysFor: () => undefined,
        offer: (frame: Frame) => this.#take(JSON.parse(frame.json) as ServerMessage),
        dismiss: () => this.#end(),
        interrupt: () => this.#end(),
      },
      author: { uniqueId: `${name}${index}`, userId, name },
      sessionId: `session-${name}-${index}`,
      sessionTimeConnectMs: 0,
      userIndex: index,
      visitor: { userId, callbackUrl: null, baseUrl: '', routing: null },
      view,
      live: true,
      chat: true,
      nameIsFixed: false,
      knowsPassword: false,
      isShutOut: false,
      encrypted: undefined,
      moves: false,
      state: 'joining',
      save: {
        returnedToIndex: null,
        claimedIndex: null,
        lastFirstIndex: null,
        midSave: false,
        overtakenIndex: null,
      },
      saveLockAskedAtMs: null,
      saveLockUntilMs: null,
      historyAck: null,
    };
  }

  last<Type extends ServerMessage['type']>(type: Type) {
    return this.received.findLast((message) => message.type === type) as
      | Extract<ServerMessage, { type: Type }>
      | undefined;
  }

  #end(): void {
    if (this.gone) return;
    this.gone = true;
    this.onEnd();
  }

  #take(message: ServerMessage): void {
    if (this.gone) return;
    this.received.push(message);
    if (message.type === 'quireCheckpoint') {
      expect(this.changes).toEqual([]);
      this.changes = this.checkpoint.slice(0, message.index);
    }
    if (message.type === 'authChanges') this.changes.push(...message.changes.map(textOf));
    if (message.type === 'saveChanges') {
      if (this.isIn) this.#apply(message);
      else this.#early.push(message);
    }
    const acked =
      message.type === 'unSaveLock' || message.type === 'savePartChanges' ? message.syncChangesIndex : 0;
    if (acked > this.changes.length) {
      this.changes.push(...this.sent);
      expect(this.changes).toHaveLength(acked);
    }
    if (message.type === 'auth') {
      this.isIn = true;
      for (const early of this.#early) this.#apply(early);
    }
    this.onMessage(message);
  }

  #apply({ changes, changesIndex }: Extract<ServerMessage, { type: 'saveChanges' }>): void {
    const firstIndex = changesIndex - changes.length;
    if (changesIndex <= this.changes.length) return;
    expect(firstIndex, `${this.name} must not miss a change`).toBeLessThanOrEqual(this.changes.length);
    this.changes.push(...changes.slice(this.changes.length - firstIndex).map(textOf));
  }
}

const textOf = (change: { change: string }) => JSON.parse(change.change) as string;
