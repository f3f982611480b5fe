import {
  type ClientMessage,
  DisconnectCode,
  parseClientMessage,
  type ServerMessage,
} from '../../../client/protocol/index.ts';
import { Budget } from '../../../platform/budget.ts';
import { foldJson, type JsonText } from '../../../platform/json-in-turns/reading.ts';
import type { Traffic } from '../../../platform/metrics/transport.ts';
import type { Routing } from '../../../platform/ports/document-lifecycle.ts';
import { Frame, longCharacters, type Peer } from '../../../platform/ports/peer.ts';
import type { KnownToken } from '../../../platform/secrets/tokens.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import { OutboundQueue } from './outbound-queue.ts';
import { type PersonBudgets, paidCharacters } from './person-budgets.ts';
import { RequestSlots } from './request-slots.ts';
import type { Transport } from './transport.ts';

export interface ConnectionLimits {
  /** A peer that lets more than this pile up is closed so that it reconnects. */
  outboundQueueBytes: number;
  /** Where it is counted what goes over this connection. */
  traffic: Traffic;
  /** Messages received and not handled yet may take this much, in characters. */
  inboundQueueCharacters: number;
  /** Work that a peer may ask for, milliseconds in each second. */
  workMsPerSecond: number;
  /** So long that may stay used up until the connection is ended, milliseconds. */
  patienceMs: number;
  /** Requests of a peer that may be on their way at once. */
  requests: number;
  /** Shared by all connections. */
  scheduler: FairScheduler;
  /** Shared by all connections too. */
  people: PersonBudgets;
}

/** What was asked for when the connection was made. */
export interface Handshake {
  /** Address under which this client reaches the server; links given to it begin with it. */
  baseUrl: string;
  /** What the client's address says for load balancers; null where it says nothing. */
  routing: Routing | null;
  /** The network that the client is in, as far as trusted proxies vouch for it; empty where nobody knows. */
  network: string;
}

/** Who handles what connections say. `disconnected` comes last, after every message that was received. */
export interface ConnectionHandler {
  handle(connection: Connection, message: ClientMessage): Promise<void>;
  disconnected(connection: Connection): Promise<void>;
  failed(connection: Connection, error: unknown): void;
  /** Largest size of such a message, characters. */
  mostCharactersOf(message: ClientMessage): number;
  /** About what handling a message costs, in milliseconds of work. */
  costOf(connection: Connection, message: ClientMessage, characters: number): number;
  /** Handles a message whose order among the others does not matter; returns false to put it in line. */
  handleAside(connection: Connection, message: ClientMessage): boolean;
}

/** What has come, before it is read. */
export interface Arrival {
  /** Its text, in whose place another one may be read; null where there is none. */
  text(): JsonText | null;
  /** Reads it, or another text, as a JSON value; undefined when it is none. Null: the transport has ended the connection for it. */
  read(text?: string): Arrived;
}

type Arrived = { value: unknown } | null;

interface Received {
  /** Null until it is read. */
  message: ClientMessage | null;
  arrival: Arrival;
  characters: number;
  atMs: number;
}

/** What is not spent of a second's work is kept for so many seconds: opening, pasting and the like come all at once. */
const savedUpSeconds = 25;
/**
 * The share of its budget that a connection may spend without the scheduler, and how much of it at once, milliseconds.
 */
const lightShare = 0.5;
const lightMs = 5;
/** When more messages than this wait, the next ones are read after those before them are handled. */
const fewMessages = 32;
/** From so many messages that wait on, no more are read from the socket. */
const manyMessages = 1_000;
/**
 * Work for what others are sent of a connection's changes, milliseconds for a million characters: making it, and sending it to
 * each, which is bounded so that in the largest documents a sender does not pay for all.
 */
const perMegabyteMade = 5;
const perMegabyteSent = 0.5;
const mostReceivers = 20;
/** One for all connections, of which most never wait. */
const nothing = (): void => undefined;
/** What a message takes in memory beside its text, in characters. */
const messageOverhead = 500;

/**
 * One client on any transport. Its messages are handled one after the other in the order in which they came, and every
 * save that was received is handled, also when the socket is gone by then (I1). What it may make the server hold is
 * bounded in both directions (I9).
 *
 * What it may make the server do is bounded as well, so that nobody else notices. A peer that asks for more than a
 * little at once, or sends a large message, shares the event loop with others of that kind; beyond the budget their messages wait, on their side of the socket; and when that has gone
 * on for a minute the connection is ended, for them to come back. For large messages a person pays, whatever connections they have: one
 * that has to wait is read later, also when the connection has ended meanwhile, and small ones of the same person do not wait.
 */
export class Connection implements Peer {
  readonly id: string;
  readonly handshake: Handshake;
  handlingSinceMs = 0;
  /** The token that it showed when it was made, until it has signed in. */
  knownToken: KnownToken | null = null;
  readonly #transport: Transport;
  readonly #outbound: OutboundQueue;
  readonly #handler: ConnectionHandler;
  readonly #limits: ConnectionLimits;
  /** Requests that are not waited for. */
  readonly requests: RequestSlots;
  readonly #budget: Budget;
  /** What is done at once; beyond it, when the scheduler allows. */
  readonly #light: Budget;
  /** Who pays for its large messages; null before it has signed in. */
  #person: string | null = null;
  #received: Received[] = [];
  /** Since when it has been waiting for its budget. */
  #overSinceMs: number | null = null;
  #isPaused = false;
  #receivedCharacters = 0;
  #handling = false;
  /** How many of those received are not read yet. */
  #unread = 0;
  #ended = false;
  #isLeaving = false;
  #hasLeft = false;
  #wake: () => void = nothing;

  constructor(
    id: string,
    handshake: Handshake,
    transport: Transport,
    handler: ConnectionHandler,
    limits: ConnectionLimits,
  ) {
    this.id = id;
    this.handshake = handshake;
    this.#transport = transport;
    this.#handler = handler;
    this.#limits = limits;
    this.#outbound = new OutboundQueue(transport, limits, this);
    this.requests = new RequestSlots(limits.requests);
    const { workMsPerSecond } = limits;
    const nowMs = performance.now();
    this.#budget = new Budget(workMsPerSecond, workMsPerSecond * savedUpSeconds, nowMs);
    this.#light = new Budget(workMsPerSecond * lightShare, lightMs, nowMs);
  }

  send(frame: Frame): void {
    this.#outbound.send(frame);
  }

  prepare(frame: Frame): Promise<void> {
    return this.#outbound.prepare(frame);
  }

  sendPaced(frames: AsyncIterable<Frame>): void {
    this.#outbound.sendPaced(frames);
  }

  hasRoom(frame: Frame): boolean {
    return this.#outbound.hasRoom(frame);
  }

  offer(frame: Frame): void {
    this.#outbound.offer(frame);
  }

  whenDrained(callback: () => void): void {
    this.#outbound.whenDrained(callback);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  turn(): Promise<void> {
    return this.#limits.scheduler.next();
  }

  paysFor(characters: number, receivers: number): void {
    const perMegabyte = perMegabyteMade + perMegabyteSent * Math.min(receivers, mostReceivers);
    this.#spend((characters / 1_000_000) * perMegabyte, performance.now());
  }

  dismiss(code: number, description: string, { isOtherEditors = false } = {}): void {
    if (this.#ended) return;
    const reason = { code, description, ...(isOtherEditors && { quireOtherEditor: true }) };
    this.#transport.write(Frame.of({ type: 'disconnectReason', ...reason }));
    this.#end(true);
  }

  interrupt(reason: string, cause?: unknown): void {
    if (this.#ended) return;
    if (cause !== undefined) this.#handler.failed(this, new Error(reason, { cause }));
    this.#end(false);
  }

  trust(): void {
    this.knownToken = null;
    this.#transport.trust(performance.now() - this.handlingSinceMs);
  }

  /** It is known whose connection this is: they pay for its large messages, like for those of their other connections. */
  belongsTo(person: string): void {
    this.#person = person;
  }

  say(message: ServerMessage): void {
    this.send(Frame.of(message));
  }

  /** A message came in. `characters` is its size on the wire. */
  receive(arrival: Arrival, characters: number): void {
    if (this.#ended) return;
    const { traffic, inboundQueueCharacters } = this.#limits;
    traffic.receivedBytes += characters;
    const received: Received = { message: null, arrival, characters, atMs: performance.now() };
    const credit = this.#budget.credit(received.atMs);
    if (credit > this.#limits.workMsPerSecond) this.#overSinceMs = null;
    if (credit < 0 || this.#received.length >= manyMessages) this.#pause();
    const isShort = characters <= paidCharacters;
    const isLight = isShort && credit >= 0 && this.#light.credit(received.atMs) >= 0;
    // What is read at once may be handled at once: it passes none that is not read yet.
    const isNext = this.#unread === 0 && this.#received.length < fewMessages;
    if (isLight && isNext && !this.#read(received)) return;
    this.#received.push(received);
    if (received.message === null) this.#unread += 1;
    this.#receivedCharacters += characters + messageOverhead;
    if (this.#receivedCharacters > inboundQueueCharacters) {
      this.interrupt('too fast: the inbound queue is full');
    }
    void this.#handleReceived();
  }

  /** The transport is gone. */
  gone(): void {
    this.#ended = true;
    this.#leave();
  }

  /** It has left as soon as everything received is handled, even if the peer keeps the transport open. */
  #leave(): void {
    this.#isLeaving = true;
    this.#wake();
    this.#outbound.drained();
    void this.#handleReceived();
  }

  /** Reads a message and pays for it. Returns whether there is something to handle when those before it are handled. */
  #read(received: Received, what = received.arrival.read()): boolean {
    const { characters } = received;
    if (!what) return false;
    const parsed = parseClientMessage(what.value);
    const nowMs = performance.now();
    if (!parsed.ok) {
      this.#spend(1, nowMs);
      if (parsed.reason === 'unknown-type') this.say({ type: 'warning', message: 'unknown message type' });
      else this.dismiss(DisconnectCode.accessDeny, `invalid message: ${parsed.detail}`);
      return false;
    }
    this.#spend(this.#handler.costOf(this, parsed.message, characters), nowMs);
    if (characters > this.#handler.mostCharactersOf(parsed.message)) {
      this.dismiss(DisconnectCode.accessDeny, `invalid message: ${parsed.message.type} is too large`);
      return false;
    }
    if (this.#handler.handleAside(this, parsed.message)) return false;
    received.message = parsed.message;
    return true;
  }

  #spend(cost: number, nowMs: number): void {
    this.#budget.spend(cost, nowMs);
    this.#light.spend(cost, nowMs);
  }

  async #handleReceived(): Promise<void> {
    if (this.#handling) return;
    this.#handling = true;
    for (let next = this.#received.shift(); next; next = this.#received.shift()) {
      this.#receivedCharacters -= next.characters + messageOverhead;
      const isUnread = next.message === null;
      const hasWaited = isUnread && (await this.#waitForBudgets(next.characters));
      if (hasWaited === null) {
        this.#unread -= 1;
        continue;
      }
      // Many who waited are free at the same moment.
      const isLong = isUnread && next.characters > longCharacters;
      if (isLong || hasWaited || this.#light.waitMs(performance.now()) > 0) await this.turn();
      if (isUnread) {
        const isToHandle = await this.#readLate(next, isLong);
        this.#unread -= 1;
        if (!isToHandle) continue;
      }
      this.handlingSinceMs = next.atMs;
      try {
        await this.#handler.handle(this, next.message!);
      } catch (error) {
        this.interrupt('a message could not be handled', error);
      }
    }
    this.#handling = false;
    this.#resume();
    if (!this.#isLeaving || this.#hasLeft) return;
    this.#hasLeft = true;
    try {
      await this.#handler.disconnected(this);
    } catch (error) {
      this.#handler.failed(this, error);
    }
  }

  /** Returns whether a message of so many characters had to wait; null where it is not to be handled. */
  async #waitForBudgets(characters: number): Promise<boolean | null> {
    const hasWaited = await this.#waitForPerson(characters);
    if (hasWaited === null) return null;
    const nowMs = performance.now();
    // Others of the person may have kept it for long.
    if (this.#budget.credit(nowMs) > this.#limits.workMsPerSecond) this.#overSinceMs = null;
    const waitMs = this.#budget.waitMs(nowMs);
    if (waitMs <= 0 || this.#ended) return hasWaited;
    this.#overSinceMs ??= nowMs;
    this.#pause();
    await this.#sleep(waitMs);
    return true;
  }

  /**
   * Has the person pay for a large message, also for one whose connection ends: else it would cost nothing to end it. Where too much of
   * that person waits already the connection is ended, for them to come back and send it again: it was not acknowledged.
   */
  async #waitForPerson(characters: number): Promise<boolean | null> {
    if (this.#person === null || characters <= paidCharacters) return false;
    const waitMs = this.#limits.people.pay(this.#person, characters, performance.now());
    if (waitMs === null) {
      this.#limits.traffic.greedyPeers += 1;
      this.interrupt('too much: large messages of this person wait already');
      return null;
    }
    if (waitMs <= 0) return false;
    this.#pause();
    await new Promise<void>((resolve) => void setTimeout(resolve, waitMs).unref());
    return true;
  }

  /** Reads a message that had to wait. Returns whether there is something to handle. */
  async #readLate(received: Received, isLong: boolean): Promise<boolean> {
    const isOverdue =
      this.#overSinceMs !== null && performance.now() - this.#overSinceMs > this.#limits.patienceMs;
    if (isOverdue && !this.#ended) {
      this.#limits.traffic.greedyPeers += 1;
      this.interrupt('too busy: the budget is used up');
      return false;
    }
    const { arrival } = received;
    const what = isLong ? await this.#readInTurns(arrival) : arrival.read();
    return this.#ended ? this.#readSave(received, what) : this.#read(received, what);
  }

  /** Long strings are read first, in turns: they are what makes a message long. */
  async #readInTurns(arrival: Arrival): Promise<Arrived> {
    const text = arrival.text();
    const folded = text === null ? null : await foldJson(text, () => this.turn());
    if (folded === null) return arrival.read();
    const what = arrival.read(folded.text);
    return what && { value: folded.unfold(what.value) };
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#limits.traffic.slowedPeers += 1;
    this.#transport.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#ended) this.#transport.resume();
  }

  /**
   * When the connection ends, the saves that still wait are handled: perhaps nobody comes back to send them again (I1).
   */
  #readSave(received: Received, what: Arrived): boolean {
    const parsed = what && parseClientMessage(what.value);
    if (!parsed?.ok || parsed.message.type !== 'saveChanges') return false;
    received.message = parsed.message;
    return true;
  }

  /** Until then, or until the connection ends. */
  #sleep(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #end(finally_: boolean): void {
    this.#ended = true;
    this.#transport.end(finally_);
    this.#leave();
  }
}
