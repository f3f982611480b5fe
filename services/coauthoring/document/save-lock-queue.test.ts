import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptySaveLockQueue,
  expireSaveLock,
  forgetRequesters,
  releaseSaveLock,
  requestSaveLock,
  type SaveLockQueue,
  stopWaiting,
  takeIfFree,
} from './save-lock-queue.ts';

const leaseMs = 100;
const asker = (name: string) => ({ connectionId: `c-${name}`, userId: name });

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
  const again = requestSaveLock(queue, { connectionId: 'c2-ann', userId: 'ann' }, 50, leaseMs);
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
  expect(takeIfFree(queue, asker('ann'), 200, leaseMs).granted).toBeNull();
});

test('[SQ5] a batch that was not announced gets the lock only when nobody has or wants it', () => {
  expect(takeIfFree(emptySaveLockQueue, asker('ann'), 0, leaseMs).granted?.userId).toBe('ann');
  const { queue } = requestSaveLock(emptySaveLockQueue, asker('ann'), 0, leaseMs);
  expect(takeIfFree(queue, asker('bob'), 1, leaseMs).granted).toBeNull();
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
