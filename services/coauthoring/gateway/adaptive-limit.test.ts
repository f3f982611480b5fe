import { expect, test } from 'vitest';
import { AdaptiveLimit, type Seen } from './adaptive-limit.ts';

const calm: Seen = { leastMs: 10, loopDelayMs: 0, wasReached: false };

/** A limit that has seen calm times, and looks again and again. */
function limitAfter(times: number, seen: Seen, limit = new AdaptiveLimit()) {
  for (let look = 0; look < times; look += 1) limit.look(seen);
  return limit;
}

test('[NC1] the limit grows while people wait and signing in is quick, and only then', () => {
  const begun = new AdaptiveLimit().value;
  expect(limitAfter(100, calm).value).toBe(begun);
  const reached = limitAfter(10, { ...calm, wasReached: true }, limitAfter(100, calm));
  expect(reached.value).toBeGreaterThan(4 * begun);
  expect(limitAfter(1_000, { ...calm, wasReached: true }, reached).value).toBe(2_000);
});

test('[NC1] the limit falls by the ratio of the latency, or of the delay of the event loop, and never to nothing', () => {
  for (const late of [{ leastMs: 90 }, { loopDelayMs: 90 }]) {
    const limit = limitAfter(100, calm);
    expect(limitAfter(1, { ...calm, ...late }, limit).value).toBe(66);
    expect(limitAfter(1, { ...calm, leastMs: 10_000, loopDelayMs: 10_000 }, limit).value).toBe(33);
    expect(limitAfter(20, { ...calm, ...late }, limit).value).toBe(10);
  }
});

test('[NC1] where signing in takes long in calm times, too, that is the measure, and a long overload is not', () => {
  const far = limitAfter(100, { ...calm, leastMs: 200 });
  const begun = far.value;
  expect(limitAfter(20, { leastMs: 400, loopDelayMs: 0, wasReached: true }, far).value).toBeGreaterThan(
    begun,
  );
  const storm = { leastMs: 1_000, loopDelayMs: 0, wasReached: true };
  expect(limitAfter(10_000, storm, far).value).toBe(10);
});
