/** How long somebody waits. */
interface Patience {
  withinMs: number;
  /** Ends the waiting early. */
  signal?: AbortSignal | undefined;
}

/** Waits for an answer. `giveUp` is called once that has taken too long or the signal has come, and has the answer fail. */
export async function waitFor<Answer>(
  answer: Promise<Answer>,
  { withinMs, signal }: Patience,
  giveUp: (why: string) => void,
): Promise<Answer> {
  const goAway = () => giveUp('this end has gone');
  const overdue = setTimeout(() => giveUp(`no answer within ${withinMs} ms`), withinMs);
  signal?.addEventListener('abort', goAway);
  if (signal?.aborted) goAway();
  try {
    return await answer;
  } finally {
    clearTimeout(overdue);
    signal?.removeEventListener('abort', goAway);
  }
}
