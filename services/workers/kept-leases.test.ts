import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryLeases } from '../../platform/adapters/memory-coordination.ts';
import { type LeaseStore, RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { eventually } from '../../test/support/eventually.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { KeptLeases } from './kept-leases.ts';
import { type LeaseRun, LeaseRuns } from './lease-runs.ts';
import { WorkerHub } from './worker-hub.ts';
import { WorkerLink } from './worker-role.ts';

const terms = { leaseMs: 3_000, renewEveryMs: 600 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The file of the leases, of which a test knows when it is written. */
class WatchedRuns extends LeaseRuns {
  #writing = 0;

  override async write(runs: Readonly<Record<string, LeaseRun>>): Promise<void> {
    this.#writing += 1;
    await super.write(runs).finally(() => {
      this.#writing -= 1;
    });
  }

  /** Lets time pass, in which no disk is slow. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      await vi.advanceTimersByTimeAsync(100);
      await eventually(() => this.#writing === 0, Boolean);
    }
  }
}

/** A primary process with two workers, whose leases are in `store`. The first can be made late: its messages wait, in both directions. */
async function workersWith(store: LeaseStore = new MemoryLeases()) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-leases-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const runs = new WatchedRuns(directory);
  const kept = new KeptLeases(store, terms, runs, silentLog);
  onTestFinished(() => kept.close());
  const hub = new WorkerHub(kept);
  const lateWires = new Wires();
  const [late, other] = [await workerOf(hub, runs, lateWires), await workerOf(hub, runs, new Wires())];
  return { late, other, lateWires, pass: (ms: number) => runs.pass(ms) };
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
  const { late, other, lateWires, pass } = await workersWith();
  lateWires.hold();
  await pass(25_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(other.died).not.toHaveBeenCalled();
  lateWires.letThrough();
  await pass(10_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).not.toHaveBeenCalled();
});

test('[WK20] a worker that is not heard of for ten times NODE_LEASE_MS is taken for dead, and begins anew', async () => {
  const { late, other, lateWires, pass } = await workersWith();
  lateWires.hold();
  await pass(60_000);
  expect(other.died).toHaveBeenCalledExactlyOnceWith(late.leases.nodeId);
  expect(late.leases.isHeld()).toBe(false);
  lateWires.letThrough();
  await pass(1_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] a worker that is late learns that its lease could not be kept', async () => {
  const store = new MemoryLeases();
  let isThere = true;
  const { late, lateWires, pass } = await workersWith({
    renew: async (nodeId, leaseMs) => {
      if (!isThere) throw new Error('Redis does not answer');
      return store.renew(nodeId, leaseMs);
    },
  });
  lateWires.hold();
  isThere = false;
  await pass(5_000);
  expect(late.leases.isHeld()).toBe(false);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] a worker that is late does not take a lease for its own that lapsed and was renewed meanwhile', async () => {
  const store = new MemoryLeases();
  let hasLapsed = false;
  const { late, lateWires, pass } = await workersWith({
    renew: async (nodeId, leaseMs) => {
      const { ran, living } = await store.renew(nodeId, leaseMs);
      return { ran: ran && !hasLapsed, living };
    },
  });
  lateWires.hold();
  hasLapsed = true;
  await pass(2_000);
  hasLapsed = false;
  await pass(5_000);
  expect(late.leases.isHeld()).toBe(false);
  lateWires.letThrough();
  await pass(1_000);
  expect(late.leases.isHeld()).toBe(true);
  expect(late.lapsed).toHaveBeenCalledTimes(1);
});

test('[WK20] the lease of a worker that stops in order is not kept: it runs out', async () => {
  const { late, other, pass } = await workersWith();
  await late.leases.close();
  await pass(2_500);
  expect(other.died).not.toHaveBeenCalled();
  await pass(1_500);
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

test('[WK20] leases are renewed while a slow disk keeps what late workers read, and then it has the newest', async () => {
  const written: Readonly<Record<string, LeaseRun>>[] = [];
  const ends: (() => void)[] = [];
  const slow = {
    write: (runs: Readonly<Record<string, LeaseRun>>) => {
      written.push(runs);
      return new Promise<void>((resolve, reject) => {
        ends.push(written.length === 2 ? () => reject(new Error('The disk is full')) : resolve);
      });
    },
  };
  const kept = new KeptLeases(new MemoryLeases(), terms, slow, silentLog);
  onTestFinished(() => kept.close());
  const renewals = ['one', 'two', 'one', 'three'];
  for (const nodeId of renewals) await kept.renew(nodeId, 3_000);
  expect(written.map((runs) => Object.keys(runs))).toEqual([['one']]);
  ends[0]!();
  await eventually(() => written.length === 2, Boolean);
  expect(Object.keys(written[1]!)).toEqual(['one', 'two', 'three']);
  await kept.renew('four', 3_000);
  ends[1]!();
  await eventually(() => written.length === 3, Boolean);
  expect(Object.keys(written[2]!)).toEqual(['one', 'two', 'three', 'four']);
  const closing = kept.close();
  await kept.renew('five', 3_000);
  ends[2]!();
  await closing;
  expect(written).toHaveLength(3);
});
