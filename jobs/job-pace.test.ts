import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JobPace } from './job-pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('[OB19] the pace of jobs counts those that ended since it was asked last, and times those whose beginning was heard', () => {
  const events = new EventEmitter();
  const pace = new JobPace([events as never]);
  expect(pace.sinceLast()).toEqual({ done: 0, failed: 0, meanMs: null });

  events.emit('active', { jobId: 'a' });
  vi.advanceTimersByTime(100);
  events.emit('active', { jobId: 'b' });
  vi.advanceTimersByTime(200);
  events.emit('completed', { jobId: 'a' });
  events.emit('failed', { jobId: 'b' });
  events.emit('completed', { jobId: 'begun before this process' });
  expect(pace.sinceLast()).toEqual({ done: 2, failed: 1, meanMs: 250 });
  expect(pace.sinceLast()).toEqual({ done: 0, failed: 0, meanMs: null });

  // An attempt that failed: the time between the attempts is no work.
  events.emit('active', { jobId: 'c' });
  vi.advanceTimersByTime(50);
  events.emit('delayed', { jobId: 'c' });
  vi.advanceTimersByTime(60_000);
  events.emit('active', { jobId: 'c' });
  vi.advanceTimersByTime(70);
  events.emit('completed', { jobId: 'c' });
  expect(pace.sinceLast()).toEqual({ done: 1, failed: 0, meanMs: 70 });
});
