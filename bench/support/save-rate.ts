import type { Saver } from './saver.ts';

const tickMs = 1;

/** Saves at a steady rate, one saver after the other, whether or not the server keeps up. Returns what ends it. */
export function saveAtRate(savers: readonly Saver[], perSecond: number): () => void {
  const startedAt = performance.now();
  const dueAtOf = (number: number) => startedAt + (number * 1_000) / perSecond;
  let issued = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (let dueAt = dueAtOf(issued); dueAt <= now; dueAt = dueAtOf(issued)) {
      savers[issued % savers.length]!.save(dueAt);
      issued += 1;
    }
  }, tickMs);
  return () => clearInterval(timer);
}
