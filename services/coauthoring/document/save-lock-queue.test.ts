import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptySaveLockQueue,
  expireSaveLock,
  forgetRequesters,
  releaseSaveLock,
  requestSaveLock,
  type SaveLockQueue,
  stopWaiting,
  takeForSaving,
} from './save-lock-queue.ts';

const leaseMs = 100;
const asker = (name: string) => ({ connectionId: `c-${name}`, userId: name, person: name });
const batchAt = (nowMs: number, characters = 1, lease = leaseMs) => ({ nowMs, leaseMs: lease, characters });

test('[SQ1] the lock is granted in the order in which it was asked for', () => {
  let { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  queue = requestSaveLock(queue, asker('bob'), 1, leaseMs).queue;
  queue = requestSaveLock(queue, asker('cem'), 2, leaseMs).queue;
  const first = releaseSaveLock(queue, 'ann', 3, leaseMs);
  expect(first.granted?.userId).toBe('bob');
  expect(releaseSaveLock(first.queue, 'bob', 4, leaseMs).granted?.userId).toBe('cem');
});

test('[SQ2] asking twice keeps one place, and the holder is granted the lock again', () => {
  let { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  queue = requestSaveLock(queue, asker('bob'), 1, leaseMs).queue;
  queue = requestSaveLock(queue, asker('bob'), 2, leaseMs).queue;
  expect(queue.waiting).toHaveLength(1);
  const again = requestSaveLock(queue, { ...asker('ann'), connectionId: 'c2-ann' }, 50, leaseMs);
  expect(again.granted?.connectionId).toBe('c2-ann');
  expect(again.queue.holder?.expiresAtMs).toBe(150);
  expect(again.queue.waiting.map(({ userId }) => userId)).toEqual(['bob']);
});

test('[SQ2] asking again at the moment the lock becomes free does not cost a place', () => {
  let { queue } = requestSaveLock(emptySaveLockQueue, asker('dia'), 0, leaseMs);
  queue = requestSaveLock(queue, asker('ann'), 0, leaseMs).queue;
  queue = requestSaveLock(queue, asker('bob'), 33, leaseMs).queue;
  expect(requestSaveLock(queue, asker('ann'), 100, leaseMs).granted?.userId).toBe('ann');
});

test('[SQ3] nobody but the holder gives the lock back while it is held', () => {
  const { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  expect(releaseSaveLock(queue, 'bob', 1, leaseMs)).toEqual({ queue, granted: null });
});

test('[SQ4] a lease that ran out goes to the next in line, not to somebody who asks at that moment', () => {
  let { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  queue = requestSaveLock(queue, asker('bob'), 1, leaseMs).queue;
  expect(expireSaveLock(queue, 99, leaseMs).granted).toBeNull();
  expect(expireSaveLock(queue, 100, leaseMs).granted?.userId).toBe('bob');
  const late = requestSaveLock(queue, asker('cem'), 200, leaseMs);
  expect(late.granted?.userId).toBe('bob');
  expect(late.queue.waiting.map(({ userId }) => userId)).toEqual(['cem']);
  const back = requestSaveLock(queue, asker('ann'), 200, leaseMs);
  expect(back.granted?.userId).toBe('bob');
  expect(takeForSaving(queue, asker('ann'), batchAt(200)).granted).toBeNull();
});

test('[SQ5] a batch that was not announced gets the lock only when nobody has or wants it', () => {
  expect(takeForSaving(emptySaveLockQueue, asker('ann'), batchAt(0)).granted?.userId).toBe('ann');
  const { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  expect(takeForSaving(queue, asker('bob'), batchAt(1)).granted).toBeNull();
});

test('[SQ3] of many who are gone at once none gets the lock that one of them held', () => {
  let { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  for (const name of ['bob', 'cem', 'dia']) queue = requestSaveLock(queue, asker(name), 1, leaseMs).queue;
  const gone = (...names: string[]) =>
    forgetRequesters(queue, ({ userId }) => names.includes(userId), 2, leaseMs);
  expect(gone('ann', 'bob').granted?.userId).toBe('cem');
  expect(gone('ann', 'bob').queue.waiting.map(({ userId }) => userId)).toEqual(['dia']);
  expect(gone('bob', 'dia').queue).toEqual({ ...queue, waiting: [asker('cem')] });
  expect(gone('ann', 'bob', 'cem', 'dia').queue).toEqual(emptySaveLockQueue);
  expect(gone('eva')).toEqual({ queue, granted: null });
});

describe('keeping others waiting', () => {
  const minuteMs = 60_000;
  const ask = (queue: SaveLockQueue, name: string, nowMs: number) =>
    requestSaveLock(queue, asker(name), nowMs, minuteMs).queue;

  test('[SQ7] a turn that others wait for ends after a third of the lease, whatever its holder asks', () => {
    let queue = ask(ask(emptySaveLockQueue, 'eve', 0), 'ann', 1_000);
    expect(queue.holder).toMatchObject({ userId: 'eve', expiresAtMs: 21_000 });
    for (let nowMs = 1_100; nowMs < 21_000; nowMs += 100) {
      // Who waits is refused after some time, and asks again.
      if (nowMs % 8_000 === 0) queue = ask(stopWaiting(queue, 'c-ann'), 'eve', nowMs + 1);
      queue = ask(queue, nowMs % 8_000 === 500 ? 'ann' : 'eve', nowMs);
    }
    expect(queue.holder).toMatchObject({ userId: 'eve', expiresAtMs: 21_000 });
    expect(expireSaveLock(ask(queue, 'ann', 20_999), 21_000, minuteMs).granted?.userId).toBe('ann');
  });

  test('[SQ7] who has kept others waiting has short turns for minutes, by whatever connection', () => {
    let queue = ask(ask(emptySaveLockQueue, 'eve', 0), 'ann', 0);
    queue = expireSaveLock(queue, 20_000, minuteMs).queue;
    const otherSession = { connectionId: 'c2-eve', userId: 'eve2', person: 'eve' };
    queue = requestSaveLock(queue, otherSession, 20_001, minuteMs).queue;
    queue = ask(releaseSaveLock(queue, 'ann', 20_010, minuteMs).queue, 'bob', 20_010);
    expect(queue.holder).toMatchObject({ userId: 'eve2' });
    const ends = queue.holder!.expiresAtMs;
    expect(ends).toBeGreaterThan(20_010);
    expect(ends).toBeLessThan(21_100);
    expect(expireSaveLock(queue, ends, minuteMs).granted?.userId).toBe('bob');
    // It is forgotten with time.
    const later = ask(ask({ ...queue, holder: null, waiting: [] }, 'eve', 900_000), 'ann', 900_000);
    expect(later.holder?.expiresAtMs).toBe(920_000);
  });

  test('[SQ7] [XA7] a person who is called like what every object has is held nothing against', () => {
    let queue = ask(ask(emptySaveLockQueue, 'eve', 0), 'constructor', 0);
    queue = ask(expireSaveLock(queue, 20_000, minuteMs).queue, 'ann', 20_000);
    expect(queue.holder).toMatchObject({ userId: 'constructor', expiresAtMs: 40_000 });
  });

  test('[SQ7] those who have kept others waiting are last in line, but not for ever', () => {
    let queue = ask(ask(emptySaveLockQueue, 'eve', 0), 'ann', 0);
    queue = ask(ask(expireSaveLock(queue, 20_000, minuteMs).queue, 'eve', 20_000), 'bob', 20_001);
    queue = releaseSaveLock(queue, 'ann', 20_002, minuteMs).queue;
    expect(queue.holder?.userId).toBe('bob');
    queue = releaseSaveLock(ask(queue, 'ann', 23_000), 'bob', 23_999, minuteMs).queue;
    expect(queue.holder?.userId).toBe('ann');
    queue = ask(ask(queue, 'eve', 23_999), 'bob', 23_999);
    expect(releaseSaveLock(queue, 'ann', 24_001, minuteMs).granted?.userId).toBe('eve');
  });

  test('[SQ7] nobody is made to pay for turns of a usual length, nor for a long upload', () => {
    let queue = emptySaveLockQueue;
    for (let nowMs = 0; nowMs < 600_000; nowMs += 1_000) {
      queue = ask(ask(queue, 'ann', nowMs), 'bob', nowMs);
      queue = releaseSaveLock(queue, 'ann', nowMs + 900, minuteMs).queue;
      queue = releaseSaveLock(queue, 'bob', nowMs + 950, minuteMs).queue;
    }
    expect(queue).toEqual(emptySaveLockQueue);
    queue = ask(ask(queue, 'ann', 0), 'bob', 0);
    for (let nowMs = 10_000; nowMs <= 200_000; nowMs += 10_000) {
      const step = takeForSaving(queue, asker('ann'), batchAt(nowMs, 1_000_000, minuteMs));
      expect(step.granted?.userId).toBe('ann');
      queue = step.queue;
    }
    expect(releaseSaveLock(queue, 'ann', 200_001, minuteMs).queue.debts).toBeUndefined();
  });

  test('[SQ7] parts that are sent for the sake of the turn do not make it longer', () => {
    let queue = ask(ask(emptySaveLockQueue, 'eve', 0), 'ann', 0);
    let held = 0;
    for (let nowMs = 100; nowMs < 60_000; nowMs += 100) {
      const step = takeForSaving(queue, asker('eve'), batchAt(nowMs, 10, minuteMs));
      if (step.granted) held = nowMs;
      queue = step.queue;
    }
    expect(held).toBeLessThan(20_200);
  });

  test('[SQ7] beyond turns of a second, one person keeps others waiting for a third of a lease and little more', () => {
    const step = fc.record({ passMs: fc.integer({ min: 1, max: 3_000 }), act: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 300 }), (steps) => {
        let queue = emptySaveLockQueue;
        let [nowMs, turnMs, beyondMs] = [0, 0, 0];
        for (const { passMs, act } of steps) {
          const isEves = queue.holder?.person === 'eve' && queue.waiting.length > 0;
          const leftMs = isEves ? Math.min(passMs, queue.holder!.expiresAtMs - nowMs) : 0;
          nowMs += passMs;
          turnMs += leftMs;
          const endedBefore = queue;
          queue = expireSaveLock(queue, nowMs, minuteMs).queue;
          if (act === 8) queue = releaseSaveLock(queue, 'eve', nowMs, minuteMs).queue;
          if (queue !== endedBefore) {
            beyondMs += Math.max(0, turnMs - 1_000);
            turnMs = 0;
          }
          if (act === 7) queue = takeForSaving(queue, asker('eve'), batchAt(nowMs, 5, minuteMs)).queue;
          else queue = ask(queue, 'eve', nowMs);
          // Ann always wants to save, and does so at once.
          queue = ask(queue, 'ann', nowMs);
          if (queue.holder?.userId === 'ann') queue = releaseSaveLock(queue, 'ann', nowMs, minuteMs).queue;
        }
        expect(beyondMs).toBeLessThan(21_000 + nowMs / 30);
      }),
    );
  });
});

test('[SQ6] at most one user holds the lock, and nobody who waits is passed over', () => {
  const names = ['ann', 'bob', 'cem', 'dia'];
  const step = fc.record({
    name: fc.constantFrom(...names),
    act: fc.constantFrom('ask', 'release', 'leave', 'expire'),
    passMs: fc.nat(60),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let queue: SaveLockQueue = emptySaveLockQueue;
      let nowMs = 0;
      for (const { name, act, passMs } of steps) {
        nowMs += passMs;
        const before = queue;
        const after = apply(before, act, name, nowMs);
        queue = after.queue;
        const { granted } = after;
        if (granted && granted.userId !== before.holder?.userId) {
          const waited = before.waiting.filter(({ userId }) => !(act === 'leave' && userId === name));
          expect(granted.userId).toBe(waited[0]?.userId ?? name);
          const free = !before.holder || before.holder.expiresAtMs <= nowMs || act === 'release';
          expect(free).toBe(true);
        }
        expect(new Set(queue.waiting.map(({ connectionId }) => connectionId)).size).toBe(
          queue.waiting.length,
        );
        if (queue.waiting.length > 0) expect(queue.holder).not.toBeNull();
        expect(queue.waiting.map(({ userId }) => userId)).not.toContain(queue.holder?.userId);
      }
    }),
    { numRuns: 1_000 },
  );
});

function apply(queue: SaveLockQueue, act: string, name: string, nowMs: number) {
  switch (act) {
    case 'ask':
      return requestSaveLock(queue, asker(name), nowMs, leaseMs);
    case 'release':
      return releaseSaveLock(queue, name, nowMs, leaseMs);
    case 'expire':
      return expireSaveLock(queue, nowMs, leaseMs);
    default:
      return { queue: stopWaiting(queue, `c-${name}`), granted: null };
  }
}
