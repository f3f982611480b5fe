import { performance } from 'node:perf_hooks';

/** How often the event loop is looked at, milliseconds. */
const lookEveryMs = 100;
/** A loop that comes later than this has more to do than it can, and one that comes later than that cannot keep up, milliseconds. */
const behindMs = 100;
const overloadedMs = 500;
/** What a loop was at each look for so long it is, milliseconds. */
const sustainedMs = 2_000;
/** One long pause, or two, say nothing. */
const leastLooks = 3;
/** Most who are on their way in while the loop has more to do than it can. */
const mostNewcomers = 100;

/**
 * Whether this process can take somebody else in. While it has more to do than it can, few come in at a time: many who come
 * in side by side are all so late that they give up and come again, and none is ever in. While it cannot keep up, nobody does. As in
 * CoDel (RFC 8289) the least delay of a while counts: it is high only when work stands in line all the time.
 */
export class Overload {
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #behind: Lateness;
  readonly #overloaded: Lateness;
  #lookedAtMs: number;

  /** `now` tells the time, milliseconds since any moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lookedAtMs = now();
    this.#behind = new Lateness(behindMs, this.#lookedAtMs);
    this.#overloaded = new Lateness(overloadedMs, this.#lookedAtMs);
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Whether a newcomer has to come later; `newcomers` are on their way in. */
  refuses(newcomers: number): boolean {
    return this.#overloaded.isSustained || (this.#behind.isSustained && newcomers >= mostNewcomers);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = this.#now();
    const delayMs = nowMs - this.#lookedAtMs - lookEveryMs;
    this.#lookedAtMs = nowMs;
    this.#behind.look(delayMs, nowMs);
    this.#overloaded.look(delayMs, nowMs);
  }
}

/** Whether all looks of a while found the loop later than a time. */
class Lateness {
  isSustained = false;
  readonly #thanMs: number;
  /** The last time that it was not. */
  #onTimeAtMs: number;
  /** Looks since then. */
  #looks = 0;

  constructor(thanMs: number, nowMs: number) {
    this.#thanMs = thanMs;
    this.#onTimeAtMs = nowMs;
  }

  look(delayMs: number, nowMs: number): void {
    const isLate = delayMs > this.#thanMs;
    this.#looks = isLate ? this.#looks + 1 : 0;
    if (!isLate) this.#onTimeAtMs = nowMs;
    this.isSustained = this.#looks >= leastLooks && nowMs - this.#onTimeAtMs >= sustainedMs;
  }
}
