import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EditNotice } from './edit-notice.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('[WO39] the first edit is told at once, later ones together and not without need', () => {
  let told = 0;
  const notice = new EditNotice(() => {
    told += 1;
  }, 30_000);
  notice.edited();
  expect(told).toBe(1);
  notice.edited();
  notice.edited();
  expect(told).toBe(1);
  vi.advanceTimersByTime(30_000);
  expect(told).toBe(2);
  vi.advanceTimersByTime(300_000);
  expect(told).toBe(2);
  notice.edited();
  expect(told).toBe(3);
});
