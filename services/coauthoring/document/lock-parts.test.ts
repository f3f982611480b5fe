import { expect, test } from 'vitest';
import type { Block, LockMap, ServerMessage } from '../../../client/protocol/index.ts';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { pieceCharacters } from './changes-message.ts';
import { partsOf } from './lock-parts.ts';

/** Blocks whose locks take some 2.4 million characters as they are sent: more than a message, less than one user may hold. */
const blocksOf = (name: string): Block[] =>
  Array.from({ length: 1_200 }, (_, number) => `${name}-${number}-`.padEnd(950, 'x'));

const largest = ({ received }: FakeClient) =>
  Math.max(...received.map((message) => JSON.stringify(message).length));
const keysIn = (messages: readonly ServerMessage[]) =>
  messages.flatMap((message) =>
    message.type === 'getLock' || message.type === 'auth'
      ? Object.keys((message.locks ?? {}) as LockMap)
      : [],
  );

async function scene() {
  const { actor, join, say } = actorScene();
  const people = ['ann', 'bob', 'cem'].map((name, at) => new FakeClient(name, at + 1));
  const [ann, bob, cem] = people as [FakeClient, FakeClient, FakeClient];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  return { actor, join, say, ann, bob, cem };
}

test('[LK16] a list of locks that is larger than a message is sent in parts: granted, in auth, and released', async () => {
  const { join, say, ann, bob, cem } = await scene();
  await say(ann, { type: 'getLock', block: blocksOf('a') });
  await say(bob, { type: 'getLock', block: blocksOf('b') });
  for (const client of [ann, bob]) expect(new Set(keysIn(client.received)).size).toBe(2_400);
  await join(cem);
  expect(keysIn(cem.received).toSorted()).toEqual(
    [...blocksOf('a'), ...blocksOf('b')].map(String).toSorted(),
  );
  await say(ann, { type: 'unLockDocument', releaseLocks: true });
  const released = cem.received.flatMap((message) => (message.type === 'releaseLock' ? message.locks : []));
  expect(released.map(({ block }) => block)).toEqual(blocksOf('a'));
  for (const client of [ann, bob, cem]) expect(largest(client)).toBeLessThan(1.1 * pieceCharacters);
});

test('[LK17] one user holds locks of three million characters at most; more are refused as too many are, and the rest stay', async () => {
  const { actor, say, ann, bob } = await scene();
  await say(ann, { type: 'getLock', block: blocksOf('a') });
  await say(ann, { type: 'getLock', block: blocksOf('more') });
  expect(Object.values(ann.last('getLock')!.locks)).toEqual([expect.objectContaining({ user: '' })]);
  expect((await actor.run(() => actor.held())).locks).toHaveLength(1_200);
  await say(bob, { type: 'getLock', block: ['one'] });
  expect(bob.last('getLock')!.locks).toMatchObject({ one: { user: 'bob2' } });
  // All of them go with one save, which others get in one message.
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, saveOf(['x'], { releaseLocks: true }));
  expect(bob.last('saveChanges')!.locks).toHaveLength(1_200);
  expect(largest(bob)).toBeLessThan(6_000_000);
});

test('[LK18] who asks for locks pays for the locks that there are, and for what others are sent', async () => {
  const { say, ann, bob } = await scene();
  const paid = { ann: 0, bob: 0 };
  for (const client of [ann, bob]) {
    const name = client.name as 'ann' | 'bob';
    Object.assign(client.member.peer, {
      paysFor: (characters: number) => {
        paid[name] += characters;
      },
    });
  }
  await say(bob, { type: 'getLock', block: ['one'] });
  const cheap = paid.bob;
  await say(ann, { type: 'getLock', block: blocksOf('a') });
  expect(paid.ann).toBeGreaterThan(1_000_000);
  paid.bob = 0;
  await say(bob, { type: 'getLock', block: ['two'] });
  expect(paid.bob).toBeGreaterThan(100 * cheap);
});

test('[LK16] a list in parts has everything in order, and a part that is too large only for one item', () => {
  const items = Array.from({ length: 500 }, (_, number) => 'x'.repeat(number));
  const parts = partsOf(items, 1_000);
  expect(parts.flat()).toEqual(items);
  for (const part of parts) expect(part.length === 1 || JSON.stringify(part).length <= 1_001).toBe(true);
  expect(partsOf([])).toEqual([[]]);
});
