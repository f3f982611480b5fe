import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../client/protocol/index.ts';
import { actorScene } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const heardBy = ({ received }: FakeClient) =>
  received.flatMap((message) => (message.type === 'message' ? (message.messages ?? []) : []));

async function pair() {
  const { join, say } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  const write = async (client: FakeClient, count: number, message = 'x') => {
    for (let number = 0; number < count; number += 1) await say(client, { type: 'message', message });
  };
  return { ann, bob, join, say, write };
}

test('[CH6] of a flood others are shown twenty messages and one more a second, and who sends it is told by a code', async () => {
  const { ann, bob, write } = await pair();
  await write(ann, 500);
  expect(heardBy(bob)).toHaveLength(20);
  expect(ann.last('warning')).toMatchObject({ code: ServiceError.quireChatFlood });
  expect(ann.gone).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  await write(ann, 500);
  expect(heardBy(bob)).toHaveLength(25);
  // Others write as before, and what is kept is what was shown.
  await write(bob, 3);
  expect(heardBy(ann)).toHaveLength(28);
  expect(bob.last('warning')).toBeUndefined();
});

test('[CH7] large messages are counted by their characters, a hundred thousand at once and a thousand a second', async () => {
  const { ann, bob, write } = await pair();
  await write(ann, 10, 'x'.repeat(60_000));
  expect(heardBy(bob)).toHaveLength(1);
  await write(ann, 1);
  expect(heardBy(bob)).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(20_000);
  await write(ann, 10, 'x'.repeat(60_000));
  expect(heardBy(bob)).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_000);
  await write(ann, 10, 'x'.repeat(60_000));
  expect(heardBy(bob)).toHaveLength(3);
});

test('[CH6] all sessions of one person count together, and another person is not bound by them', async () => {
  const { ann, bob, join, write } = await pair();
  const again = new FakeClient('ann', 3);
  await join(again);
  await write(ann, 15);
  await write(again, 15);
  expect(heardBy(bob)).toHaveLength(20);
  await write(bob, 20);
  expect(heardBy(bob)).toHaveLength(40);
});

test('[CH4] a chat keeps its newest thousand messages', async () => {
  const { ann, say, join } = await pair();
  for (let number = 0; number < 1_010; number += 1) {
    await say(ann, { type: 'message', message: `${number}` });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const cem = new FakeClient('cem', 3);
  await join(cem);
  await say(cem, { type: 'getMessages' });
  const kept = heardBy(cem).map(({ message }) => Number(message));
  expect(kept).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 10));
});
