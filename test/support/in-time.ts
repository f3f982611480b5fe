import { patienceMs } from './patience.ts';
import { WaitError } from './wait-error.ts';

/** Kept from before a test puts a clock of its own in their place. */
const { setTimeout, clearTimeout } = globalThis;

/**
 * Resolves as a promise does, and rejects when that takes longer than anybody waits.
 *
 * @param describe what is known besides
 * @throws WaitError
 */
export async function inTime<Value>(
  what: string,
  promise: Promise<Value>,
  describe: () => string = () => '',
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new WaitError(what, patienceMs, describe()));
    timer = setTimeout(fail, patienceMs);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
