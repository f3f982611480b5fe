import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
