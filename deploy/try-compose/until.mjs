import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a condition holds, and resolves with what it said.
 *
 * @throws Error after `timeoutMs`, with what the condition threw last
 */
export async function until(what, condition, timeoutMs = 90_000) {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    let reason = '';
    const holds = await Promise.resolve()
      .then(condition)
      .catch((error) => {
        reason = `: ${error.message}`;
        return false;
      });
    if (holds) return holds;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${timeoutMs / 1_000} s for ${what}${reason}`);
    await pause(250);
  }
}
