import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actorScene } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many were in each list that somebody was sent. */
const listsOf = ({ received }: FakeClient): number[] =>
  received.flatMap((message) => (message.type === 'connectState' ? [message.participants.length] : []));

test('[PR12] up to four people each coming is told at once; of more, those who come right after one another together', async () => {
  const { join, leave } = actorScene();
  const people = Array.from({ length: 10 }, (_, at) => new FakeClient(`p${at}`, at + 1, { view: true }));
  for (const one of people) await join(one);
  const [first, ...others] = people;
  expect(listsOf(first!)).toEqual([2, 3, 4]);
  await vi.advanceTimersByTimeAsync(200);
  expect(listsOf(first!)).toEqual([2, 3, 4, 10]);

  await vi.advanceTimersByTimeAsync(2_000);
  for (const one of others.slice(0, 3)) await leave(one);
  expect(listsOf(first!).at(-1)).toBe(9);
  await vi.advanceTimersByTimeAsync(200);
  expect(listsOf(first!)).toEqual([2, 3, 4, 10, 9, 7]);
});

test('[NC12] while too many come, a list is told every two seconds at most, also among few, and everybody is in it', async () => {
  const { join, leave } = actorScene({ times: { listsApartMs: 2_000 } });
  const people = Array.from({ length: 4 }, (_, at) => new FakeClient(`p${at}`, at + 1, { view: true }));
  const [first, second, third, fourth] = people;
  for (const one of [first!, second!, third!]) await join(one);
  expect(listsOf(first!)).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(listsOf(first!)).toEqual([3]);
  await join(fourth!);
  await leave(second!);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(listsOf(first!)).toEqual([3]);
  await vi.advanceTimersByTimeAsync(100);
  expect(listsOf(first!)).toEqual([3, 3]);
});
