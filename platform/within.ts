/** What stands for an answer that did not come in time. */
export const late = Symbol('late');

/**
 * Waits for what was asked, but not for ever: resolves as `answer` does, or with `late` after so many milliseconds. The work goes on then,
 * and nobody hears what becomes of it, also where it fails.
 *
 * @throws what `answer` is rejected with in time
 */
export async function within<Value>(ms: number, answer: Promise<Value>): Promise<Value | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}
