import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const resolutionMs = 10;
const nsPerMs = 1e6;
const lookEveryMs = 1_000;
/** Share of its time from which a loop counts as busy. */
const busyFrom = 0.02;

/**
 * How late the event loop gets to what is due. A timer of 10 ms looks at it while the loop has anything to do: an idle
 * process would spend half of its time on that timer.
 */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #timer: NodeJS.Timeout;
  #before = performance.eventLoopUtilization();

  constructor() {
    this.#histogram.enable();
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
    this.#histogram.disable();
  }

  /** The timer's own resolution is in every value, and an empty histogram has strange ones. */
  #delayMs(recordedNs: number): number {
    return this.#histogram.count === 0 ? 0 : Math.max(0, recordedNs / nsPerMs - resolutionMs);
  }

  #look(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    if (utilization >= busyFrom) this.#histogram.enable();
    else this.#histogram.disable();
  }
}
