/** A metric that costs a query is read at most so often, however many ask for metrics. */
const keptMs = 5_000;

/** Asks `query` for values that several metrics share; null when it fails. */
export function sharedQuery<Values>(query: () => Promise<Values>): () => Promise<Values | null> {
  let answer: Promise<Values | null> | null = null;
  let askedAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (!answer || nowMs - askedAtMs > keptMs) {
      askedAtMs = nowMs;
      answer = query().catch(() => null);
    }
    return answer;
  };
}
