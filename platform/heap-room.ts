import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

type Collection = PerformanceEntry & { detail: NodeGCPerformanceDetail };

/** Garbage that a process may hold before V8 looks for it in the whole heap, bytes. */
const roomBytes = 256 * 1024 * 1024;
/** Bounds of how much larger the heap may grow than what lives in it, percent. */
const leastPercent = 20;
const mostPercent = 300;
/** A process that does little gives back what it holds no sooner than so long after V8 has looked for it, milliseconds. */
const idleDelayMs = 600_000;

/**
 * By how much a heap may grow beyond what lives in it until V8 marks it again, percent.
 *
 * @param liveBytes what the last collection of the whole heap has left
 */
export const growthPercent = (liveBytes: number): number =>
  Math.round(Math.min(mostPercent, Math.max(leastPercent, (100 * roomBytes) / liveBytes)));

/**
 * Has V8 look for garbage in the whole heap (mark it) when so much has come that it is worth the work, and beside the program.
 *
 * Marking takes about as long as there are objects that live, half a second with 5,000 documents. V8 itself marks such a heap
 * again when it has grown by a third, and eight seconds later once more to give memory back, should little be happening: several
 * times a minute. Room of the same size for every heap makes it rare and costs the same everywhere. Where both cores are busy, V8 also
 * marks more in turns with the program than in its thread; without its tasks for that it does so only as the program allocates.
 *
 * For good; V8 reads these options whenever it marks. The observer keeps the process alive.
 */
export function giveHeapRoom(): void {
  setFlagsFromString('--no-incremental-marking-task');
  setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${idleDelayMs}`);
  const observer = new PerformanceObserver((list) => {
    const isWhole = list
      .getEntries()
      .some((entry) => (entry as Collection).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isWhole) grow();
  });
  observer.observe({ entryTypes: ['gc'] });
  grow();
}

function grow(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent(getHeapStatistics().used_heap_size)}`);
}
