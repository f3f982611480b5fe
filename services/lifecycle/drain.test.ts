import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drain } from './drain.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const people = 100;
const spreadMs = 10_000;

/** A node with people on it. */
function nodeWithPeople() {
  let left = people;
  let most = 0;
  const drain = new Drain({
    connections: () => left,
    sendElsewhere: (count) => {
      most = Math.max(most, count);
      left = Math.max(0, left - count);
    },
    spreadMs,
  });
  return { drain, left: () => left, most: () => most };
}

test('[UP3] people are let go a few at a time, over as long as the others need to take them', async () => {
  const { drain, left, most } = nodeWithPeople();
  expect(drain.isBegun).toBe(false);
  drain.begin();
  expect(drain.isBegun).toBe(true);
  await vi.advanceTimersByTimeAsync(spreadMs / 2);
  expect(left()).toBeGreaterThan(people / 3);
  expect(drain.state()).toEqual({ isDraining: true, connectionsLeft: left() });
  await vi.advanceTimersByTimeAsync(spreadMs / 2);
  expect(left()).toBe(0);
  expect(most()).toBe(3);
});

test('[UP3] a node that takes people again lets nobody go any more', async () => {
  const { drain, left } = nodeWithPeople();
  drain.begin();
  drain.cancel();
  const stayed = left();
  await vi.advanceTimersByTimeAsync(spreadMs);
  expect(left()).toBe(stayed);
  expect(drain.isBegun).toBe(false);
});
