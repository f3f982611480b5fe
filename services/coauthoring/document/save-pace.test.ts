import { afterEach, expect, test, vi } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

afterEach(() => vi.restoreAllMocks());

const ask = { type: 'isSaveLock', syncChangesIndex: 0 } as const;
const many = (count: number, step: object = { op: 'nothing' }) =>
  Array.from({ length: count }, (_, number) => JSON.stringify({ c: 'a', n: number, s: step }));
const sorted = { op: 'sort', sheet: 's1', axis: 'row', band: [0, 1], order: [1, 0] };

/** Ann, who has saved this at one moment, and Bob, in a document of a model of ours. */
async function withFlood(
  batches: readonly (readonly string[])[],
  saveLockAnswerMs: number,
  model: string | null = 'cell',
) {
  const clock = { nowMs: 1_000 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  const times = { saveLockAnswerMs };
  const scene = actorScene({ maxLogBytes: 100_000_000, checkpointWork: 5_000, times });
  const { actor, join, say } = scene;
  await actor.run(async () =>
    actor.setOpen(true, { isProtected: false, isJudged: true, ...(model && { model }) }),
  );
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  for (const changes of batches) {
    await say(ann, ask);
    await say(ann, saveOf([...changes]));
  }
  const answers = (client: FakeClient) =>
    client.received.flatMap((message) => (message.type === 'saveLock' ? [message.saveLock] : []));
  return { ...scene, ann, bob, clock, answers, before: answers(ann).length };
}

const flood = (changes: number) => [many(10_000), many(changes - 10_000)];

test('[SV42] who has saved very much is granted the save lock when others have followed, who save meanwhile', async () => {
  const { ann, bob, say, clock, answers, before, actor } = await withFlood(flood(20_100), 8_000);
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
  const { ann, say, clock, answers, before } = await withFlood(flood(30_000), 40);
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

test('[SV43] few changes that may look through a sheet count as many that are typed', async () => {
  const { ann, bob, say, clock, answers, before } = await withFlood([many(250, sorted)], 40);
  await say(ann, ask);
  await eventually(() => expect(answers(ann).slice(before)).toEqual([true]));
  await say(bob, ask);
  expect(answers(bob)).toEqual([false]);
  await say(bob, saveOf(many(1)));
  clock.nowMs += 2_500;
  await say(ann, ask);
  expect(answers(ann).slice(before)).toEqual([true, false]);
});

test('[SV42] of changes that are of no model of ours nothing is known, and nobody waits for them', async () => {
  const { ann, say, answers, before, wanted } = await withFlood(flood(30_000), 40, null);
  await say(ann, ask);
  expect(answers(ann).slice(before)).toEqual([false]);
  expect(wanted).toEqual([]);
});

test('[OP17] a checkpoint is wanted each time that what was saved is so much more work for newcomers', async () => {
  const { say, bob, wanted } = await withFlood([many(4_999)], 8_000);
  expect(wanted).toEqual([]);
  const save = async (changes: string[]) => {
    await say(bob, ask);
    await say(bob, saveOf(changes));
    return wanted.length;
  };
  expect(await save(many(1))).toBe(1);
  expect(await save(many(49, sorted))).toBe(1);
  expect(await save(many(2, sorted))).toBe(2);
  expect(await save(many(4_000))).toBe(2);
});
