import { setTimeout as delay } from 'node:timers/promises';
import type { ClientMessage } from '../client/protocol/index.ts';
import { sharedNowMs, stampDigits, stampIn, stampMark, stampOf } from './clock.ts';
import type { Integrator } from './integrator.ts';
import type { KindBatches, LoadKind } from './load-kinds.ts';
import type { Meters, Recorder } from './meters.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';
import { Saver } from './saver.ts';
import type { Act } from './scenario.ts';
import type { Signer } from './signer.ts';
import type { TransportName } from './wire/frames.ts';
import { LeanClient } from './wire/lean-client.ts';
import type { LeanFetch } from './wire/lean-fetch.ts';
import { sourceAddress, type Target } from './wire/target.ts';

/** Between leaving a document and coming again, milliseconds. */
const pauseMs = 1_000;
/** Clients of Socket.IO wait longer after each attempt that failed, and half of that more or less at random, milliseconds. */
const longestPauseMs = 5_000;
/** Clients of the protocol wait so long for the answer to a save, and for a document, milliseconds. */
const answerWithinMs = 60_000;
/** Whether the session of a silent person has ended is asked this often, and for so long, milliseconds. */
const silence = { everyMs: 5_000, longestMs: 240_000 } as const;

/** With one of these a server sends somebody away. */
const goodbyes: ReadonlySet<string> = new Set(['error', 'drop', 'disconnectReason', 'savePartChanges']);

const words = ' It is late, and there is still a paragraph to write before the train.';

/** What all people of a generator share. */
export interface World {
  target: Target;
  transport: TransportName;
  integrator: Integrator;
  rooms: Rooms;
  meters: Meters;
  signer: Signer;
  files: LeanFetch;
  kind: LoadKind;
  batches: KindBatches;
  /** Numbers connections, for their source addresses. */
  nextConnection(): number;
  /** A name that no other person of the run has. */
  nextAuthor(): string;
  /** Tells of something that a person would have noticed. */
  problem(kind: string, detail: string): void;
  /** Somebody else's document, for somebody who moves. */
  otherDocument(): { document: string; number: number };
}

/** What a person measures. */
export interface Recorders {
  open: Recorder;
  login: Recorder;
  save: Recorder;
  saved: Recorder;
  chat: Recorder;
  /** From when a message was due to its arrival at somebody else. */
  message: Recorder;
  presence: Recorder;
  change: Recorder;
  poll: Recorder;
  pollFirstByte: Recorder;
  post: Recorder;
  postFirstByte: Recorder;
  silence: Recorder;
}

export const recordersOf = (meters: Meters): Recorders => ({
  open: meters.latency('open'),
  login: meters.latency('login'),
  save: meters.latency('save'),
  saved: meters.latency('saved'),
  chat: meters.latency('chat'),
  message: meters.latency('message'),
  presence: meters.latency('presence'),
  change: meters.latency('change'),
  poll: meters.latency('poll'),
  pollFirstByte: meters.latency('poll.firstByte'),
  post: meters.latency('post'),
  postFirstByte: meters.latency('post.firstByte'),
  silence: meters.latency('silence'),
});

/**
 * Somebody in a document: comes when due, acts when told to, and comes again when the connection is lost, as editors do.
 * `away` is outside, `coming` on the way in, `in` in the document, `silent` connected and without a word.
 */
export class Person {
  readonly #world: World;
  readonly #recorders: Recorders;
  #document: string;
  #number: number;
  #state: 'away' | 'coming' | 'in' | 'silent' = 'away';
  /** Whether this person is to be in a document. */
  #isWanted = false;
  #author = '';
  #client: LeanClient | null = null;
  /** How often this person came. */
  #attempts = 0;
  /** How often in a row it went wrong. */
  #failures = 0;
  #saver: Saver | null = null;
  #room: Room | null = null;

  /** @param document the document's name in the run @param number its number, which says what it begins with */
  constructor(world: World, recorders: Recorders, document: string, number: number) {
    this.#world = world;
    this.#recorders = recorders;
    this.#document = document;
    this.#number = number;
  }

  get isIn(): boolean {
    return this.#state === 'in';
  }

  /** Comes in. Never rejects: what goes wrong is told, and tried again. */
  async arrive(dueAtMs: number): Promise<void> {
    this.#isWanted = true;
    if (this.#state !== 'away') return;
    this.#state = 'coming';
    const { meters, rooms } = this.#world;
    const author = this.#world.nextAuthor();
    const room = rooms.enter(this.#document, this.#number);
    this.#author = author;
    this.#room = room;
    meters.shift('opening', 1);
    this.#attempts += 1;
    const attempt = this.#attempts;
    try {
      await this.#open(room, author);
      // Its connection may have been lost since, and another one begun.
      if (this.#attempts !== attempt || this.#state !== 'coming') return;
      this.#recorders.open(performance.now() - dueAtMs);
      meters.count('opened');
      meters.shift('sessions', 1);
      this.#state = 'in';
      this.#failures = 0;
      if (!this.#isWanted) this.#goAway();
    } catch (error) {
      meters.count('open.failed');
      if (this.#attempts === attempt) this.#fail('open', (error as Error).message);
    } finally {
      meters.shift('opening', -1);
    }
  }

  /** Leaves for good, as a closed tab does. */
  leave(): void {
    this.#isWanted = false;
    if (this.#state === 'in' || this.#state === 'silent') this.#goAway();
  }

  act(act: Act, dueAtMs: number): void {
    if (this.#state !== 'in') return;
    const { meters } = this.#world;
    switch (act) {
      case 'save':
        this.#saver!.save(dueAtMs);
        break;
      case 'chat':
        meters.count('chats');
        this.#send({ type: 'message', message: this.#stamped(dueAtMs) });
        break;
      case 'cursor':
        meters.count('cursors');
        this.#send({ type: 'cursor', cursor: this.#stamped(dueAtMs) });
        break;
      case 'return':
        meters.count('returns');
        this.#comeAgain();
        break;
      case 'move':
        meters.count('moves');
        ({ document: this.#document, number: this.#number } = this.#world.otherDocument());
        this.#comeAgain();
        break;
      case 'close':
        meters.count('closes');
        this.#comeAgain();
        break;
      case 'silence':
        void this.#beSilent();
        break;
      default:
        throw new TypeError(`Nobody knows how to ${act satisfies never}`);
    }
  }

  /** Gives up where an answer has not come in the time that editors wait. */
  watch(nowMs: number): void {
    const waitedMs = this.#saver?.waitingMs(nowMs) ?? 0;
    if (this.#state === 'in' && waitedMs > answerWithinMs) {
      this.#world.meters.count('save.failed');
      this.#fail('silence', `a save had no answer within ${answerWithinMs} ms`);
    }
  }

  #send(message: ClientMessage): void {
    this.#client!.send(this.#client!.prepare(message));
  }

  async #open(room: Room, author: string): Promise<void> {
    const { target, transport, integrator, meters, signer, kind } = this.#world;
    const userId = `u${author}`;
    const { key } = room;
    const documentUrl = integrator.sourceUrl(room.edition);
    const { callbackUrl } = integrator;
    const token = signer.sign({ key, userId, documentUrl, callbackUrl });
    const localAddress = sourceAddress(target, this.#world.nextConnection());
    const client = await LeanClient.connect(target, key, { transport, localAddress, ...token });
    this.#client = client;
    client.onClose = (reason) => {
      if (this.#client === client) this.#fail('lost', reason);
    };
    client.onExchange = ({ kind, passed, firstByteMs, elapsedMs }) => {
      if (!passed) return meters.count(`${kind}.failed`);
      this.#recorders[kind](elapsedMs);
      this.#recorders[`${kind}FirstByte`](firstByteMs);
    };
    const overdue = setTimeout(() => void client.close(), answerWithinMs);
    try {
      const opened = await client.signIn({
        key,
        userId,
        documentUrl,
        callbackUrl,
        model: kind.model,
        ...token,
      });
      this.#recorders.login(opened.signedInMs);
      meters.count('logins');
      this.#begin(client, room, author, opened.endIndex);
      await this.#fetchModel(opened.files);
    } finally {
      clearTimeout(overdue);
    }
  }

  #begin(client: LeanClient, room: Room, author: string, endIndex: number): void {
    const { batches, meters } = this.#world;
    const saver = new Saver(client, room.key, batches.of(author), endIndex);
    this.#saver = saver;
    saver.onSaved = ({ savedMs, totalMs }) => {
      meters.count('saves');
      meters.count('changes', batches.changesPerSave);
      this.#recorders.save(totalMs);
      this.#recorders.saved(savedMs);
    };
    saver.onOthers = (data) => this.#received(data, this.#recorders.change);
    room.works.set(author, saver);
    client.onMessage = (type, data) => {
      if (type === 'message') this.#heard(data);
      else if (type === 'cursor') this.#received(data, this.#recorders.presence);
      else if (goodbyes.has(type)) this.#fail(type, data.toString('utf8', 0, 300));
      else saver.take(type, data);
    };
  }

  #received(data: Buffer, record: Recorder): void {
    const sentAtMs = stampIn(data);
    if (Number.isNaN(sentAtMs)) return;
    this.#world.meters.count('received');
    record(sharedNowMs() - sentAtMs);
  }

  /** Chat goes to everybody, its author included. */
  #heard(data: Buffer): void {
    const at = data.indexOf(stampMark) + 1;
    if (at === 0) return;
    const from = at + stampDigits;
    const isOwn = data.toString('latin1', from, from + this.#author.length) === this.#author;
    this.#received(data, isOwn ? this.#recorders.chat : this.#recorders.message);
  }

  #stamped(dueAtMs: number): string {
    const dueSharedMs = sharedNowMs() - performance.now() + dueAtMs;
    return `${stampMark}${stampOf(dueSharedMs)}${this.#author}${words}`;
  }

  #comeAgain(): void {
    this.#goAway();
    setTimeout(() => {
      if (this.#isWanted) void this.arrive(performance.now());
    }, pauseMs);
  }

  async #beSilent(): Promise<void> {
    const client = this.#client!;
    const { meters } = this.#world;
    this.#client = null;
    this.#state = 'silent';
    meters.shift('sessions', -1);
    meters.count('silences');
    client.fallSilent();
    const sinceMs = performance.now();
    let isForgotten = false;
    while (!isForgotten && performance.now() - sinceMs < silence.longestMs) {
      await delay(silence.everyMs);
      isForgotten = await client.isForgotten();
    }
    this.#recorders.silence(performance.now() - sinceMs);
    if (!isForgotten) this.#world.problem('silence', 'somebody silent was never ended');
    await client.close();
    if (this.#state !== 'silent') return;
    this.#leaveRoom();
    this.#state = 'away';
    if (this.#isWanted) void this.arrive(performance.now());
  }

  #fail(kind: string, detail: string): void {
    if (this.#state === 'away') return;
    this.#world.problem(kind, detail);
    this.#goAway();
    const pause = Math.min(longestPauseMs, pauseMs * 2 ** this.#failures) * (0.5 + Math.random());
    this.#failures += 1;
    setTimeout(() => {
      if (this.#isWanted) void this.arrive(performance.now());
    }, pause);
  }

  #goAway(): void {
    if (this.#state === 'in') this.#world.meters.shift('sessions', -1);
    this.#state = 'away';
    const client = this.#client;
    this.#client = null;
    this.#saver = null;
    // Nothing that comes now is measured.
    if (client) {
      client.onMessage = () => undefined;
      void client.close();
    }
    this.#leaveRoom();
  }

  #leaveRoom(): void {
    this.#room?.leave(performance.now());
    this.#room = null;
  }

  /** The document is there to be edited when its model is. */
  async #fetchModel(files: Readonly<Record<string, string>>): Promise<void> {
    const url = files['Editor.bin'];
    if (!url) throw new Error(`The opened document has no model, only ${Object.keys(files).join(', ')}`);
    const status = await this.#world.files.statusOf(url);
    if (status !== 200) throw new Error(`The model of the document was answered with HTTP ${status}`);
  }
}
