import { expect, it } from 'vitest';
import { pauseAfter } from './backoff.ts';
import { randomFrom } from './random.ts';

it('[LD23] pauses are drawn from zero to a bound that doubles up to half a minute, after what the server asks for', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7, 40].map((failures) => pauseAfter(failures, 0, () => 1));
  expect(bounds).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(pauseAfter(3, 0, () => 0)).toBe(0);
  expect(pauseAfter(3, 7_000, () => 0)).toBe(7_000);
  const random = randomFrom(1);
  const drawn = Array.from({ length: 1_000 }, () => pauseAfter(2, 5_000, random));
  expect(Math.min(...drawn)).toBeLessThan(5_050);
  expect(Math.max(...drawn)).toBeGreaterThan(6_950);
});
