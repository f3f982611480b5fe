import { Collections } from '../../platform/collections.ts';
import { EventLoopDelay } from '../../platform/event-loop-delay.ts';
import type { HealthSample } from '../../platform/ports/cluster.ts';
import { HistogramReader, type MetricsReader } from './metrics-reader.ts';

const everyMs = 2_000;
/** Five minutes. */
const kept = 150;

/** Looks at the health of the process every two seconds, and remembers the last minutes for graphs. */
export class HealthSamples {
  readonly #samples: HealthSample[] = [];
  readonly #connections: () => number;
  readonly #acknowledgements: HistogramReader;
  readonly #loopDelay = new EventLoopDelay();
  readonly #collections = new Collections();
  #cpu = process.cpuUsage();
  #atMs = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(metrics: MetricsReader, connections: () => number) {
    this.#connections = connections;
    this.#acknowledgements = new HistogramReader(metrics, 'quire_save_acknowledgement_seconds');
  }

  start(onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      this.#look().catch(onError);
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#loopDelay.stop();
    this.#collections.stop();
  }

  /** Samples that were taken after a time, milliseconds since 1970, the oldest first. */
  since(timeMs: number): HealthSample[] {
    return this.#samples.filter(({ atMs }) => atMs > timeMs);
  }

  async #look(): Promise<void> {
    const nowMs = performance.now();
    const seconds = (nowMs - this.#atMs) / 1_000;
    this.#atMs = nowMs;
    const cpu = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const { sumMs: gcMs, longestMs: gcLongestMs } = this.#collections;
    this.#collections.reset();
    const loopDelayP99Ms = this.#loopDelay.percentileMs(99);
    const loopDelayMaxMs = this.#loopDelay.maxMs;
    this.#loopDelay.reset();
    const saves = await this.#acknowledgements.sinceLast();
    this.#samples.push({
      atMs: Date.now(),
      connections: this.#connections(),
      loopDelayP99Ms: rounded(loopDelayP99Ms),
      loopDelayMaxMs: rounded(loopDelayMaxMs),
      gcMsPerS: rounded(gcMs / seconds),
      gcLongestMs: rounded(gcLongestMs),
      cpuPercent: rounded((cpu.user + cpu.system) / 1e4 / seconds),
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      savesPerS: rounded(saves.count / seconds),
      savesMeanMs: saves.count === 0 ? null : rounded((1_000 * saves.sum) / saves.count),
      savesP99Ms: saves.count === 0 ? null : rounded(1_000 * saves.p99),
    });
    if (this.#samples.length > kept) this.#samples.shift();
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
