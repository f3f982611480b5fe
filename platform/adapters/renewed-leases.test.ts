import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryLeases } from './memory-coordination.ts';
import { type LeaseStore, RenewedLeases } from './renewed-leases.ts';

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

async function leaseOf(leaseMs: number, store: LeaseStore = new MemoryLeases()) {
  const terms = { leaseMs, renewEveryMs: leaseMs / 5 };
  const leases = await RenewedLeases.open(store, terms, pino({ level: 'silent' }));
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

test('[RD14] a node that is answered late asks for a longer lease', async () => {
  const store = new MemoryLeases();
  let answersAfterMs = 0;
  const asked: number[] = [];
  const late: LeaseStore = {
    renew: async (nodeId, leaseMs) => {
      asked.push(leaseMs);
      const answer = await store.renew(nodeId, leaseMs);
      await new Promise<void>((resolve) => {
        setTimeout(resolve, answersAfterMs);
      });
      return answer;
    },
  };
  const opened = leaseOf(3_000, late);
  await pass(50);
  const { leases, lapses } = await opened;
  answersAfterMs = 2_000;
  await pass(5_000);
  expect(asked.at(-1)).toBeGreaterThan(8_500);
  answersAfterMs = 5_000;
  await pass(10_000);
  expect(lapses).not.toHaveBeenCalled();
  const closed = leases.close();
  await pass(10_000);
  await closed;
});

test('[RD14] no lease is over before the one that was given before it, so that an answer may be lost', async () => {
  const store = new MemoryLeases();
  const endsAtMs: number[] = [];
  const { leases } = await leaseOf(3_000, {
    renew: (nodeId, leaseMs) => {
      endsAtMs.push(nowMs + leaseMs);
      return store.renew(nodeId, leaseMs);
    },
  });
  await pass(5_000, 4_000);
  await pass(140_000);
  expect(endsAtMs).toEqual(endsAtMs.toSorted((one, other) => one - other));
  await leases.close();
});
