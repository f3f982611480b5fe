import { settings } from './settings.js';

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * When a document is left for good, milliseconds from the beginning: everybody who is in it reckons the same, without
 * asking, and goes on to the next one then.
 */
export function endsOf(document) {
  const random = randomFrom(document + 1);
  const perMs = settings.closePercentPerMinute / 100 / 60_000;
  const ends = [];
  let atMs = 0;
  while (perMs > 0 && atMs < settings.durationMs) {
    atMs += -Math.log(1 - random()) / perMs;
    ends.push(atMs);
  }
  return ends;
}
