import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GrowingLimit } from './concurrency-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that ends when it is told to. */
function work(limit: GrowingLimit, count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  for (let number = 0; number < count; number += 1) {
    void limit.run(() => {
      begun.push(number);
      return new Promise<void>((resolve) => {
        ends[number] = resolve;
      });
    });
  }
  const end = async (number: number) => {
    ends[number]!();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { begun, end };
}

it('[CV24] as many tasks run at once as there are cores, and the others follow in order as these end', async () => {
  const { begun, end } = work(new GrowingLimit({ atOnce: 2, most: 7, longMs: 200 }), 5);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
  await end(0);
  await end(2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

it('[CV24] work that has gone on for long takes no place any more, up to the most', async () => {
  const { begun, end } = work(new GrowingLimit({ atOnce: 2, most: 5, longMs: 200 }), 8);
  await vi.advanceTimersByTimeAsync(199);
  expect(begun).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual([0, 1, 2, 3]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await end(0);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  await vi.advanceTimersByTimeAsync(200);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await end(number);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(vi.getTimerCount()).toBe(0);
});
