import type { ClientMessage, OpenCommand } from '../../../client/protocol/index.ts';

/**
 * What a connection may spend of the server's work: so much a second. What it does not spend is kept, up to a limit.
 */
export class Budget {
  readonly #perMs: number;
  readonly #most: number;
  #credit: number;
  #atMs: number;

  constructor(perSecond: number, most: number, nowMs: number) {
    this.#perMs = perSecond / 1_000;
    this.#most = most;
    this.#credit = most;
    this.#atMs = nowMs;
  }

  /** Spends what is there or not: what is owed has to be made up for. */
  spend(cost: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#credit -= cost;
  }

  /** What is there; less than nothing when something is owed. */
  credit(nowMs: number): number {
    this.#fill(nowMs);
    return this.#credit;
  }

  /** Until nothing is owed, milliseconds; 0 when nothing is. */
  waitMs(nowMs: number): number {
    const credit = this.credit(nowMs);
    return credit >= 0 ? 0 : -credit / this.#perMs;
  }

  #fill(nowMs: number): void {
    this.#credit = Math.min(this.#most, this.#credit + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}

/** Requests that somebody may have on their way at once. */
export class RequestSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Begins a request as soon as there is room for it. Resolves when it has begun; its failure is its own affair. */
  async begin(request: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const end = () => this.#end();
    request().then(end, end);
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Of any message: reading it, and its part of the way through the server. Milliseconds, as all costs. */
const perMessage = 0.05;
const perMegabyte = 10;
const perBlock = 0.05;
const perPath = 0.02;
const perPicture = 5;
/** A message to one receiver. Bounded, so that in the largest documents a sender does not pay for all receivers. */
const perListener = 0.004;
const mostForListeners = 1;

/**
 * About what it costs the server to handle a message, in milliseconds of its event loop, the database's part included.
 * `listeners` hear what its sender says to everybody in the document.
 */
export function costOf(message: ClientMessage, characters: number, listeners: number): number {
  return perMessage + (characters / 1_000_000) * perMegabyte + costOfKind(message, listeners);
}

function costOfKind(message: ClientMessage, listeners: number): number {
  switch (message.type) {
    case 'saveChanges':
      return 0.1;
    case 'getLock':
      return 0.1 + message.block.length * perBlock;
    case 'cursor':
    case 'message':
      return 0.05 + Math.min(listeners * perListener, mostForListeners);
    case 'unLockDocument':
      return 0.3;
    case 'getMessages':
      return 2;
    case 'openDocument':
      return costOfCommand(message.message);
    case 'auth':
    case 'close':
    case 'forceSaveStart':
    case 'rpc':
      return 5;
    default:
      return 0;
  }
}

function costOfCommand({ c, data }: OpenCommand): number {
  const count = Array.isArray(data) ? data.length : 1;
  return 2 + (c.startsWith('imgurl') ? count * perPicture : count * perPath);
}
