import { expect, it } from 'vitest';
import { CommitWindow } from './commit-window.ts';

/** The wait after so many batches that came so many milliseconds apart. */
const waitAfter = (window: CommitWindow, count: number, gapMs: number, fromMs = 0): number => {
  for (let at = 1; at <= count; at += 1) window.arrived(fromMs + at * gapMs);
  return window.waitMs;
};

it('[CG13] a save waits for others only where at least two are to be expected meanwhile', () => {
  expect(waitAfter(new CommitWindow(4), 1, 0)).toBe(0);
  expect(waitAfter(new CommitWindow(4), 1_000, 3)).toBe(0);
  expect(waitAfter(new CommitWindow(4), 1_000, 1.2)).toBe(4);
  expect(waitAfter(new CommitWindow(0), 1_000, 0.1)).toBe(0);
});

it('[CG13] a burst is followed for as long as it lasts', () => {
  const window = new CommitWindow(4);
  expect(waitAfter(window, 200, 1)).toBe(4);
  expect(waitAfter(window, 1, 60_000, 200)).toBe(0);
  expect(waitAfter(window, 100, 1, 61_000)).toBe(4);
});
