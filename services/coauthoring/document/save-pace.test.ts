import { afterEach, expect, test, vi } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

afterEach(() => vi.restoreAllMocks());

const ask = { type: 'isSaveLock', syncChangesIndex: 0 } as const;
const many = (count: number) =>
  Array.from({ length: count }, (_, number) => `{"c":"a","n":${number},"s":{"op":"nothing"}}`);

/** Ann, who has saved so many changes at one moment, and Bob, in a document of a model of ours. */
async function withFlood(changes: number, saveLockAnswerMs: number, hasModel = true) {
  const clock = { nowMs: 1_000 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  const scene = actorScene({ maxLogBytes: 100_000_000, times: { saveLockAnswerMs } });
  const { actor, join, say } = scene;
  await actor.run(async () => actor.setOpen(true, { isProtected: false, isJudged: true, hasModel }));
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  for (const count of [10_000, changes - 10_000]) {
    await say(ann, ask);
    await say(ann, saveOf(many(count)));
  }
  const answers = (client: FakeClient) =>
    client.received.flatMap((message) => (message.type === 'saveLock' ? [message.saveLock] : []));
  return { ...scene, ann, bob, clock, answers, before: answers(ann).length };
}

test('[SV42] who has saved very much is granted the save lock when others have followed, who save meanwhile', async () => {
  const { ann, bob, say, clock, answers, before, actor } = await withFlood(20_100, 8_000);
  await say(ann, ask);
  expect(answers(ann)).toHaveLength(before);
  await say(bob, ask);
  expect(answers(bob)).toEqual([false]);
  await say(bob, saveOf(many(1)));
  expect(bob.last('unSaveLock')).toBeDefined();
  clock.nowMs += 100;
  await eventually(() => expect(answers(ann).slice(before)).toEqual([false]));
  await say(ann, saveOf(many(1)));
  expect(ann.last('unSaveLock')).toMatchObject({ syncChangesIndex: 20_102 });
  expect([ann.gone, bob.gone]).toEqual([false, false]);
  await actor.run(async () => actor.setOpen(false));
});

test('[SV42] who would wait for long is asked to ask again, and does not get the lock without asking', async () => {
  const { ann, say, clock, answers, before } = await withFlood(30_000, 40);
  await say(ann, ask);
  await eventually(() => expect(answers(ann).slice(before)).toEqual([true]));
  const end = ann.changes.length;
  await say(ann, { ...saveOf(many(1)), quireIndex: end });
  expect(answers(ann).slice(before)).toEqual([true, true]);
  expect(ann.gone).toBe(false);
  clock.nowMs += 5_000;
  await say(ann, ask);
  expect(answers(ann).slice(before)).toEqual([true, true, false]);
});

test('[SV42] of changes that are of no model of ours nothing is known, and nobody waits for them', async () => {
  const { ann, say, answers, before } = await withFlood(30_000, 40, false);
  await say(ann, ask);
  expect(answers(ann).slice(before)).toEqual([false]);
});
