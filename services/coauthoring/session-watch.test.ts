import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerMessage } from '../../client/protocol/index.ts';
import { FakeClient } from '../../test/support/fake-client.ts';
import type { Connection } from './gateway/connection.ts';
import { SessionWatch } from './session-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hourMs = 3_600_000;
const leadMs = 120_000;

/** A session that begins now, and what its client was told. */
function watched({ idleMs = 0, absoluteMs = 0, idleForMs = 0, view = false }) {
  const warned: unknown[] = [];
  const ended: number[] = [];
  const connection = {
    say: (message: ServerMessage) => warned.push('messages' in message && message.messages),
    dismiss: (code: number) => ended.push(code),
  } as unknown as Connection;
  const limits = { idleMs, absoluteMs, renewTokenMs: 24 * hourMs };
  const { member } = new FakeClient('ann', 1, { view });
  const watch = new SessionWatch(
    { limits, renewToken: () => undefined },
    { connection, startedAtMs: Date.now(), idleForMs, member },
  );
  return { watch, warned, ended };
}

test('[RS17] an editor who does nothing is warned, and sent away when nobody answers', () => {
  const { warned, ended } = watched({ idleMs: hourMs });
  vi.advanceTimersByTime(hourMs - leadMs - 1);
  expect(warned).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(warned).toEqual([{ code: 4002, reason: 'idle session expires', interval: hourMs }]);
  vi.advanceTimersByTime(leadMs - 1);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([4002]);
});

test('[RS17] it goes on when its client says that somebody is there, and ends when it says that nobody was', () => {
  const { watch, warned, ended } = watched({ idleMs: hourMs });
  for (let warning = 1; warning <= 3; warning += 1) {
    vi.advanceTimersByTime(hourMs - leadMs);
    expect(warned).toHaveLength(warning);
    watch.extend(10);
    vi.advanceTimersByTime(10);
  }
  expect(ended).toEqual([]);
  watch.extend(hourMs);
  expect(ended).toEqual([4002]);
});

test('[RS18] it counts from what was done last, and from what its client says of the time before', () => {
  const { watch, warned } = watched({ idleMs: hourMs, idleForMs: hourMs / 2 });
  vi.advanceTimersByTime(hourMs / 2 - leadMs - 1);
  watch.acted();
  vi.advanceTimersByTime(hourMs - leadMs - 1);
  expect(warned).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(warned).toHaveLength(1);
});

test('[RS18] viewers may look on as long as they like', () => {
  const { warned, ended } = watched({ idleMs: hourMs, view: true });
  vi.advanceTimersByTime(10 * hourMs);
  expect([warned, ended]).toEqual([[], []]);
});

test('[RS19] a session ends at its limit after a warning, however busy it is', () => {
  const { watch, warned, ended } = watched({ absoluteMs: hourMs });
  for (let minute = 1; minute < 60; minute += 1) {
    vi.advanceTimersByTime(60_000);
    watch.acted();
  }
  expect(warned).toEqual([{ code: 4003, reason: expect.any(String), interval: hourMs }]);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(ended).toEqual([4003]);
});
