import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overload } from './overload.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process whose loop comes late by a time, at each look. */
function watched() {
  let lostMs = 0;
  const overload = new Overload(() => Date.now() + lostMs);
  const looks = (count: number, lateMs: number) => {
    for (let look = 0; look < count; look += 1) {
      lostMs += lateMs;
      vi.advanceTimersByTime(100);
    }
    return overload.refuses(0);
  };
  return { overload, looks };
}

test('[OB32] a process is overloaded when it was behind all the time for two seconds, until it keeps up again', () => {
  const { overload, looks } = watched();
  expect(looks(100, 0)).toBe(false);
  expect(looks(2, 600)).toBe(false);
  expect(looks(1, 600)).toBe(true);
  expect(looks(100, 600)).toBe(true);
  expect(looks(1, 10)).toBe(false);
  // Behind most of the time, and not all the time.
  for (let time = 0; time < 20; time += 1) {
    expect(looks(2, 800)).toBe(false);
    expect(looks(1, 400)).toBe(false);
  }
  overload.stop();
});

test('[OB32] few come in at a time while a process has more to do than it can', () => {
  const { overload, looks } = watched();
  looks(100, 50);
  expect(overload.refuses(10_000)).toBe(false);
  looks(20, 200);
  expect([0, 99, 100, 10_000].map((newcomers) => overload.refuses(newcomers))).toEqual([
    ...[false, false, true, true],
  ]);
  looks(1, 50);
  expect(overload.refuses(10_000)).toBe(false);
  overload.stop();
});

test('[OB32] a process that was stopped for long, once or twice, is not overloaded', () => {
  const { overload, looks } = watched();
  looks(5, 0);
  expect(looks(1, 60_000)).toBe(false);
  expect(looks(1, 60_000)).toBe(false);
  expect(looks(1, 0)).toBe(false);
  overload.stop();
});
