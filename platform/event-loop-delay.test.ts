import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopDelay } from './event-loop-delay.ts';

const blockFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('[ME8] the delay of an event loop is how long it was held up, and nothing while nobody held it up', async () => {
  const loop = new EventLoopDelay();
  onTestFinished(() => loop.stop());
  expect([loop.maxMs, loop.meanMs, loop.percentileMs(99)]).toEqual([0, 0, 0]);
  while (loop.maxMs < 150) {
    await delay(20);
    blockFor(200);
  }
  expect(loop.percentileMs(1)).toBeLessThanOrEqual(loop.maxMs);
  expect(loop.meanMs).toBeLessThanOrEqual(loop.maxMs);
  loop.reset();
  expect(loop.maxMs).toBe(0);
});

describe('[OB30] the longest delay', () => {
  let utilization = 0;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({
      ...{ idle: 0, active: 0, utilization },
    }));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** A delay whose loop can be stopped for a while: what is due then comes when it goes on. */
  function measured() {
    let stoppedMs = 0;
    const loop = new EventLoopDelay(() => Date.now() + stoppedMs);
    return { loop, stopFor: (durationMs: number) => (stoppedMs += durationMs) };
  }

  test('is none of the time in which an idle loop was not measured', () => {
    const { loop } = measured();
    for (const share of [0.5, 0, 0, 0, 0.5, 0.5]) {
      utilization = share;
      vi.advanceTimersByTime(1_000);
    }
    expect(loop.maxMs).toBeLessThan(1);
    loop.stop();
  });

  test.each([
    ['busy', 0.5],
    ['idle', 0],
  ])('of a loop that is %s is seen, once', (_name, share) => {
    utilization = share;
    const { loop, stopFor } = measured();
    vi.advanceTimersByTime(1_000);
    stopFor(300);
    vi.advanceTimersByTime(1_000);
    expect(loop.maxMs).toBeGreaterThan(290);
    expect(loop.maxMs).toBeLessThan(310);
    expect(loop.percentileMs(50)).toBeLessThan(1);
    loop.reset();
    expect(loop.maxMs).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(loop.maxMs).toBeLessThan(1);
    loop.stop();
  });
});
