import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryLeases } from '../../platform/adapters/memory-coordination.ts';
import { type LeaseStore, RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { KeptLeases } from './kept-leases.ts';
import { LeaseRuns } from './lease-runs.ts';
import { WorkerHub } from './worker-hub.ts';
import { WorkerLink } from './worker-role.ts';

const terms = { leaseMs: 3_000, renewEveryMs: 600 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A primary process with two workers, whose leases are in `store`. The first can be made late: its messages wait, in both directions. */
async function workersWith(store: LeaseStore = new MemoryLeases()) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-leases-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const runs = new LeaseRuns(directory);
  const kept = new KeptLeases(store, terms, runs, silentLog);
  onTestFinished(() => kept.close());
  const hub = new WorkerHub(kept);
  const lateWires = new Wires();
  const [late, other] = [await workerOf(hub, runs, lateWires), await workerOf(hub, runs, new Wires())];
  return { late, other, lateWires };
}

/** What a worker and its primary process say to each other. */
class Wires {
  #waiting: (() => void)[] | null = null;

  say(arrive: () => void): void {
    if (this.#waiting) this.#waiting.push(arrive);
    else queueMicrotask(arrive);
  }

  hold(): void {
    this.#waiting = [];
  }

  letThrough(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const arrive of waiting) arrive();
  }
}

async function workerOf(hub: WorkerHub, runs: LeaseRuns, wires: Wires) {
  let toHub: (message: unknown) => void = () => undefined;
  let toLink: (message: unknown) => void = () => undefined;
  hub.connect({
    send: (message) => wires.say(() => toLink(message)),
    onMessage: (listener) => {
      toHub = listener;
    },
  });
  const link = new WorkerLink(
    {
      send: (message) => wires.say(() => toHub(message)),
      onMessage: (listener) => {
        toLink = listener;
      },
    },
    runs,
  );
  const leases = await RenewedLeases.open(link, terms, silentLog);
  const lapsed = vi.fn();
  const died = vi.fn();
  leases.watch({ died, lapsed });
  return { leases, lapsed, died };
}

test('[WK20] the primary process renews the lease of a worker that is late, and the worker knows it at once when it goes on', async () => {
  const { late, other, lateWires } = await workersWith();
  lateWires.hold();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(other.died).not.toHaveBeenCalled();
  lateWires.letThrough();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).not.toHaveBeenCalled();
});

test('[WK20] a worker that is not heard of for ten times NODE_LEASE_MS is taken for dead, and begins anew', async () => {
  const { late, other, lateWires } = await workersWith();
  lateWires.hold();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(other.died).toHaveBeenCalledExactlyOnceWith(late.leases.nodeId);
  expect(late.leases.isHeld()).toBe(false);
  lateWires.letThrough();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] a worker that is late learns that its lease could not be kept', async () => {
  const store = new MemoryLeases();
  let isThere = true;
  const { late, lateWires } = await workersWith({
    renew: async (nodeId, leaseMs) => {
      if (!isThere) throw new Error('Redis does not answer');
      return store.renew(nodeId, leaseMs);
    },
  });
  lateWires.hold();
  isThere = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(late.leases.isHeld()).toBe(false);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] a worker that is late does not take a lease for its own that lapsed and was renewed meanwhile', async () => {
  const store = new MemoryLeases();
  let hasLapsed = false;
  const { late, lateWires } = await workersWith({
    renew: async (nodeId, leaseMs) => {
      const { ran, living } = await store.renew(nodeId, leaseMs);
      return { ran: ran && !hasLapsed, living };
    },
  });
  lateWires.hold();
  hasLapsed = true;
  await vi.advanceTimersByTimeAsync(2_000);
  hasLapsed = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(late.leases.isHeld()).toBe(false);
  lateWires.letThrough();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] the lease of a worker that stops in order is not kept: it runs out', async () => {
  const { late, other } = await workersWith();
  await late.leases.close();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(other.died).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(other.died).toHaveBeenCalledExactlyOnceWith(late.leases.nodeId);
});

test('[WK20] without Redis the others know at their next renewal that the process of a worker is gone', async () => {
  const store = new MemoryLeases();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-leases-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const kept = new KeptLeases(store, terms, new LeaseRuns(directory), silentLog);
  onTestFinished(() => kept.close());
  await kept.renew('gone', 3_000);
  expect((await kept.renew('there', 3_000)).living).toEqual(['gone', 'there']);
  kept.end('gone');
  expect((await kept.renew('there', 3_000)).living).toEqual(['there']);
});
