/** A figure that costs a query is asked for at most so often, however many ask for metrics. */
const keptMs = 5_000;

/** Asks `look` for figures that several metrics share; null when it fails. */
export function gathered<Figures>(look: () => Promise<Figures>): () => Promise<Figures | null> {
  let answer: Promise<Figures | null> | null = null;
  let askedAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (!answer || nowMs - askedAtMs > keptMs) {
      askedAtMs = nowMs;
      answer = look().catch(() => null);
    }
    return answer;
  };
}
