/** What it begins with, and its bounds. */
const initial = 100;
const least = 10;
const most = 2_000;
/** The latency of a calm time as it is believed, milliseconds: less nobody notices, and more is a process that has just begun. */
const calmAtLeastMs = 20;
const calmAtMostMs = 200;
/** A latency of so many calm ones is what is aimed at: more is a line of work that stands. */
const tolerance = 3;
/** A loop that comes later than this has more to do than it can, milliseconds. */
const loopDelayAimMs = 60;
/** In one step the limit falls or grows by these factors at most. */
const steepestFall = 0.5;
const steepestRise = 1.25;
/** How much of a longer latency is believed to be the calm one, at each calm look. */
const forgetting = 0.001;

/** What was seen since the last look. */
export interface Seen {
  /** The shortest of the latencies that were measured, milliseconds; null: nothing was measured. */
  leastMs: number | null;
  /** How late the event loop came to look, milliseconds. */
  loopDelayMs: number;
  /** Whether somebody had to wait because of the limit. */
  wasReached: boolean;
}

/**
 * How many may be under way at once, by what their work takes: the limit moves by the ratio of the latency that is aimed at to the
 * measured one, with a square root of it for bursts. This is the gradient of Envoy's adaptive concurrency filter
 * (envoyproxy.io, "Adaptive Concurrency") and of Netflix' concurrency-limits (`Gradient2Limit`), with two differences. What is aimed at
 * comes from calm times alone, so that a long overload is not taken for the usual; and as in CoDel (RFC 8289) the least latency of
 * a while counts, since one slow storage makes its own people late and not everybody. The delay of the event loop is a second latency.
 */
export class AdaptiveLimit {
  #limit = initial;
  #calmMs: number | null = null;

  get value(): number {
    return Math.floor(this.#limit);
  }

  look({ leastMs, loopDelayMs, wasReached }: Seen): void {
    if (!wasReached && leastMs !== null) this.#calm(leastMs);
    const aimMs = tolerance * Math.min(calmAtMostMs, Math.max(calmAtLeastMs, this.#calmMs ?? 0));
    const late = Math.max((leastMs ?? 0) / aimMs, loopDelayMs / loopDelayAimMs);
    const isBehind = late > 1;
    // A limit that nobody reaches says nothing about what would be if it were higher.
    if (!isBehind && !wasReached) return;
    const gradient = Math.min(steepestRise, Math.max(steepestFall, 1 / late));
    const next = this.#limit * gradient + (isBehind ? 0 : Math.sqrt(this.#limit));
    this.#limit = Math.min(most, Math.max(least, next));
  }

  #calm(leastMs: number): void {
    const before = this.#calmMs ?? leastMs;
    this.#calmMs = leastMs < before ? leastMs : before + forgetting * (leastMs - before);
  }
}
