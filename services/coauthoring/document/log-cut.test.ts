import { expect, test } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

const takeBack = (deleteIndex: number) => ({ type: 'unLockDocument' as const, isSave: true, deleteIndex });

/** Ann is alone in a document and has saved five changes. */
async function annAlone() {
  const scene = actorScene();
  const ann = new FakeClient('ann', 1);
  await scene.join(ann);
  const saved = ['a', 'b', 'c', 'd', 'e'];
  await scene.say(ann, saveOf(saved));
  return { ...scene, ann, saved };
}

test('[SV33] who waits at the door takes nothing out of the log, and is told so', async () => {
  const { ann, join, say, stored, saved } = await annAlone();
  const bob = new FakeClient('bob', 2);
  await join(bob);
  expect(bob.member.state).toBe('waiting');
  await say(bob, takeBack(0));
  expect(bob.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(saved);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await expect.poll(() => bob.changes).toEqual(saved);
});

test('[SV33] who comes back, and was given nothing since, takes out nothing of what others saved', async () => {
  const { ann, join, say, stored, leave, saved } = await annAlone();
  const bob = new FakeClient('bob', 2);
  await join(bob, null, false, true);
  expect(bob.member.state).toBe('active');
  for (const index of [0, 4]) await say(bob, takeBack(index));
  await say(bob, saveOf(['x'], { deleteIndex: 0 }));
  expect(bob.last('error')).toMatchObject({ code: 4010 });
  await leave(ann);
  await say(bob, takeBack(2));
  expect(await stored()).toEqual(saved);
});

test('[SV33] without the save lock nothing is taken out; with it one’s own is, until somebody else was given it', async () => {
  const { ann, join, say, stored, saved } = await annAlone();
  await say(ann, takeBack(3));
  expect(await stored()).toEqual(saved.slice(0, 3));
  const bob = new FakeClient('bob', 2);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await expect.poll(() => bob.isIn).toBe(true);
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 3 });
  await say(ann, takeBack(3));
  await say(bob, saveOf(['x'], { quireIndex: 3 }));
  await say(bob, takeBack(2));
  expect(bob.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b', 'c', 'x']);
});

test('[SV33] the log itself refuses to take out what somebody else made, whatever this server believes was given out', async () => {
  const { ann, say, stored, log } = await annAlone();
  const bobs = { uniqueId: 'bob2', userId: 'bob', name: 'bob' };
  const batch = { firstIndex: 5, nextIndex: 6, author: bobs, savedAtMs: 9, changes: '["x"]' };
  await log.append({ key: 'd1', batch });
  await say(ann, saveOf(['y'], { quireIndex: 5 }));
  for (const index of [0, 5]) await say(ann, takeBack(index));
  expect(await stored()).toEqual(['a', 'b', 'c', 'd', 'e', 'x']);
});

test('[SV33] who takes something back without having asked for the save lock does not keep it', async () => {
  const { ann, join, say } = await annAlone();
  await say(ann, { type: 'unLockDocument', deleteIndex: 4 });
  const bob = new FakeClient('bob', 2);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await expect.poll(() => bob.isIn).toBe(true);
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 4 });
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
});
