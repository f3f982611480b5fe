import fc from 'fast-check';
import { expect, it } from 'vitest';
import { retryDelayMs } from './delivery.ts';

const longestMs = 300_000;

it('[SD19] pauses between attempts double from the first to five minutes, and no two servers keep the same time', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const firstMs = fc.integer({ min: 50, max: longestMs });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), firstMs, chance, (attempts, pauseMs, random) => {
      const wantedMs = Math.min(longestMs, pauseMs * 2 ** (attempts - 1));
      const delayMs = retryDelayMs(attempts, pauseMs, () => random);
      expect(delayMs).toBeGreaterThanOrEqual(Math.floor(wantedMs * 0.9));
      expect(delayMs).toBeLessThanOrEqual(Math.ceil(wantedMs * 1.1));
    }),
  );
  const many = new Set(Array.from({ length: 50 }, () => retryDelayMs(9, 1_000)));
  expect(many.size).toBeGreaterThan(10);
});
