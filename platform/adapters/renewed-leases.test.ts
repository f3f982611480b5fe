import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryLeases } from './memory-coordination.ts';
import { RenewedLeases } from './renewed-leases.ts';

let nowMs = 0;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Time goes by. With a delay the event loop is held up until the end of it. */
async function pass(durationMs: number, delayMs = 0) {
  for (let step = 0; step < durationMs; step += 50) {
    nowMs += 50;
    await vi.advanceTimersByTimeAsync(50);
  }
  nowMs += delayMs;
}

async function leaseOf(leaseMs: number) {
  const leases = await RenewedLeases.open(new MemoryLeases(), leaseMs, pino({ level: 'silent' }));
  const lapses = vi.fn();
  leases.watch({ died: () => undefined, lapsed: lapses });
  return { leases, lapses };
}

test('[RD14] a node whose event loop is late asks for a longer lease, until it has been on time for two minutes', async () => {
  const { leases, lapses } = await leaseOf(3_000);
  await pass(10_000, 2_000);
  await pass(5_000, 5_000);
  expect(leases.isHeld()).toBe(true);
  // Late by five seconds once more after being on time: the lease is the usual one again.
  await pass(130_000, 5_000);
  expect(leases.isHeld()).toBe(false);
  expect(lapses).toHaveBeenCalledTimes(1);
  await leases.close();
});

test('[RD14] a lease is longer by twenty seconds at most', async () => {
  const { leases } = await leaseOf(3_000);
  await pass(5_000, 60_000);
  expect(leases.isHeld()).toBe(false);
  await pass(5_000, 22_000);
  expect(leases.isHeld()).toBe(true);
  await pass(5_000, 24_000);
  expect(leases.isHeld()).toBe(false);
  await leases.close();
});
