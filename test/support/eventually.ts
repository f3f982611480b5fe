import { inspect } from 'node:util';
import { patienceMs } from './patience.ts';
import { WaitError } from './wait-error.ts';

/** Kept from before a test puts a clock of its own in their place. */
const { setTimeout } = globalThis;
const now = Date.now;

/** What is so at once costs no time, and what takes long is not asked all the time. */
const pollsMs = [1, 2, 4, 8, 16, 25];

/**
 * Waits until something is so, asking again and again; for what no message tells of. What fails, as an expectation that is
 * not met, is not so yet.
 *
 * @param timeoutMs only for what may take longer than anything else
 * @throws WaitError
 */
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean = () => true,
  timeoutMs: number = patienceMs,
): Promise<Value> {
  const deadline = now() + timeoutMs;
  for (let turn = 0; ; turn += 1) {
    const answer = await look(ask, isSo);
    if ('value' in answer && answer.isSo) return answer.value;
    if (now() > deadline) {
      const { cause } = answer as { cause?: unknown };
      const last = 'value' in answer ? inspect(answer.value, { depth: 5 }) : String(cause);
      throw new WaitError('something to be so', timeoutMs, `The last answer was ${last}`, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, pollsMs[Math.min(turn, pollsMs.length - 1)]));
  }
}

async function look<Value>(
  ask: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<{ value: Value; isSo: boolean } | { cause: unknown }> {
  try {
    const value = await ask();
    return { value, isSo: isSo(value) };
  } catch (cause) {
    return { cause };
  }
}
