import { createHistogram, performance } from 'node:perf_hooks';
import { LoopActivity } from './loop-activity.ts';

const beatMs = 10;
const nsPerMs = 1e6;
const lookEveryMs = 1_000;

/**
 * How late the event loop gets to what is due. A timer of 10 ms looks at it while the loop has anything to do: an idle
 * process would spend half of its time on that timer. Node's own monitor is not for that: when it is switched on again it
 * counts the time that it was off as a delay.
 */
export class EventLoopDelay {
  readonly #histogram = createHistogram();
  readonly #timer: NodeJS.Timeout;
  #beat: NodeJS.Timeout | null = null;
  #beatAtMs = 0;
  readonly #now: () => number;
  #lookedAtMs: number;
  readonly #activity = new LoopActivity();

  /** `now` tells the time, milliseconds since any moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lookedAtMs = now();
    this.#begin();
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#timer.unref();
  }

  /** The highest delay since the last reset, milliseconds. */
  get maxMs(): number {
    return this.#delayMs(this.#histogram.max);
  }

  get meanMs(): number {
    return this.#delayMs(this.#histogram.mean);
  }

  /** The delay that this percentage of the delays did not exceed since the last reset, milliseconds. */
  percentileMs(percent: number): number {
    return this.#delayMs(this.#histogram.percentile(percent));
  }

  reset(): void {
    this.#histogram.reset();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#end();
  }

  /** An empty histogram has strange values. */
  #delayMs(recordedNs: number): number {
    return this.#histogram.count === 0 ? 0 : recordedNs / nsPerMs;
  }

  #look(): void {
    const nowMs = this.#now();
    // Nothing else sees what stops an idle loop.
    if (!this.#beat) this.#record(nowMs - this.#lookedAtMs - lookEveryMs);
    this.#lookedAtMs = nowMs;
    if (this.#activity.isBusy()) this.#begin();
    else this.#end();
  }

  #begin(): void {
    if (this.#beat) return;
    this.#beatAtMs = this.#now();
    this.#beat = setInterval(() => {
      const nowMs = this.#now();
      this.#record(nowMs - this.#beatAtMs - beatMs);
      this.#beatAtMs = nowMs;
    }, beatMs);
    this.#beat.unref();
  }

  #end(): void {
    if (this.#beat) clearInterval(this.#beat);
    this.#beat = null;
  }

  /** The histogram takes whole numbers from 1. */
  #record(delayMs: number): void {
    this.#histogram.record(Math.max(1, Math.round(delayMs * nsPerMs)));
  }
}
