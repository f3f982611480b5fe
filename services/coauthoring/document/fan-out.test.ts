import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Frame } from '../../../platform/ports/peer.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { fanOut } from './fan-out.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const large = new Frame(`{"type":"message","messages":["${'x'.repeat(1_000_000)}"]}`);
const small = new Frame('{"type":"message"}');

/** Two who are in, of whom one has no room for more, and how that one reads. */
function quickAndSlow() {
  const [quick, slow] = [new FakeClient('quick', 1), new FakeClient('slow', 2)];
  const waiting: (() => void)[] = [];
  Object.assign(slow.member.peer, {
    hasRoom: () => false,
    whenDrained: (callback: () => void) => waiting.push(callback),
  });
  return {
    quick,
    slow,
    members: [quick.member, slow.member],
    read: () => waiting.splice(0).map((one) => one()),
  };
}

test('[SV36] a large message waits until those have room who read', async () => {
  const { quick, slow, members, read } = quickAndSlow();
  const sent = fanOut(members, large);
  await vi.advanceTimersByTimeAsync(400);
  expect(quick.received).toEqual([]);
  read();
  await sent;
  expect([quick, slow].map(({ received }) => received.length)).toEqual([1, 1]);
});

test('[SV36] who does not read is not waited for longer than a receiver of moderate speed would need', async () => {
  const { quick, slow, members } = quickAndSlow();
  void fanOut(members, large);
  await vi.advanceTimersByTimeAsync(500);
  expect([quick, slow].map(({ received }) => received.length)).toEqual([1, 1]);
});

test('[SV36] small messages wait for nobody', async () => {
  const { quick, slow, members } = quickAndSlow();
  await fanOut(members, small);
  expect([quick, slow].map(({ received }) => received.length)).toEqual([1, 1]);
});
