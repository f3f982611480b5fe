import { afterEach, expect, test, vi } from 'vitest';
import { RefusalLog } from './refusal-log.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('[LG11] refusals are written sixty times a minute at most, and the next line says how many were not', () => {
  vi.useFakeTimers();
  const lines: object[] = [];
  const refusals = new RefusalLog({ warn: (fields: object) => void lines.push(fields) });
  for (let time = 0; time < 1_000; time += 1) refusals.write({ code: 4006, reason: 'token:' });
  expect(lines).toHaveLength(60);
  vi.advanceTimersByTime(1_001);
  refusals.write({ code: 4006, reason: 'token:' });
  expect(lines.at(-1)).toEqual({ code: 4006, reason: 'token:', dropped: 940 });
});
