import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

type Collection = PerformanceEntry & { detail: NodeGCPerformanceDetail };

/** How long garbage collections have stopped the process since the last reset, and what lives in its heap. */
export class Collections {
  readonly #observer: PerformanceObserver;
  #sumMs = 0;
  #longestMs = 0;
  #liveBytes: number | null = null;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#add(entry as Collection);
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  get sumMs(): number {
    return this.#sumMs;
  }

  get longestMs(): number {
    return this.#longestMs;
  }

  /** What was in the heap after its last collection as a whole, or is, before the first. A reset leaves it. */
  get liveBytes(): number {
    return this.#liveBytes ?? getHeapStatistics().used_heap_size;
  }

  reset(): void {
    this.#sumMs = 0;
    this.#longestMs = 0;
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #add({ duration, detail }: Collection): void {
    this.#sumMs += duration;
    this.#longestMs = Math.max(this.#longestMs, duration);
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
      this.#liveBytes = getHeapStatistics().used_heap_size;
  }
}
