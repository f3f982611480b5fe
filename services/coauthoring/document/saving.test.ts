import { afterEach, expect, test, vi } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

afterEach(() => vi.restoreAllMocks());

async function withAnn() {
  const scene = actorScene();
  const ann = new FakeClient('ann', 1);
  await scene.join(ann);
  const times = async () => {
    const all: number[] = [];
    for await (const page of scene.log.read('d1', 0, 1_000))
      all.push(...page.map(({ savedAtMs }) => savedAtMs));
    return all;
  };
  return { ...scene, ann, times };
}

test('[SV3] each save has a later time than the one before, also when the clock stands still or goes back', async () => {
  const { ann, say, times } = await withAnn();
  const clock = vi.spyOn(Date, 'now');
  for (const [number, nowMs] of [5_000, 5_000, 4_000, 4_000, 9_000].entries()) {
    clock.mockReturnValue(nowMs);
    await say(ann, saveOf([`${number}`]));
  }
  expect(await times()).toEqual([5_000, 5_001, 5_002, 5_003, 9_000]);
  expect(ann.last('unSaveLock')?.time).toBe(9_000);
});

test('[SV3] a save in the place of what it takes back has a later time than that', async () => {
  const { ann, say, times } = await withAnn();
  vi.spyOn(Date, 'now').mockReturnValue(5_000);
  await say(ann, saveOf(['a']));
  await say(ann, saveOf(['b']));
  await say(ann, saveOf(['c'], { deleteIndex: 1 }));
  expect(await times()).toEqual([5_000, 5_002]);
});

test('[SV13] two parts of a save that are the same are two, and a part that is repeated after them is one', async () => {
  const { ann, say, stored } = await withAnn();
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, saveOf(['a'], { endSaveChanges: false }));
  expect(ann.last('savePartChanges')).toMatchObject({ changesIndex: 0, syncChangesIndex: 1 });
  await say(ann, saveOf(['a'], { startSaveChanges: false, endSaveChanges: false }));
  const last = saveOf(['a'], { startSaveChanges: false });
  await say(ann, last);
  expect(await stored()).toEqual(['a', 'a', 'a']);
  await say(ann, last);
  expect(ann.last('unSaveLock')).toMatchObject({ syncChangesIndex: 3 });
  expect(await stored()).toEqual(['a', 'a', 'a']);
});

test('[SV25] a document that is not open takes nothing, whatever its log would take', async () => {
  const { actor, ann, say, stored, log } = await withAnn();
  await say(ann, saveOf(['a']));
  await actor.setOpen(false);
  await say(ann, { type: 'unLockDocument', deleteIndex: 0 });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 1 });
  expect(ann.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  await say(ann, saveOf(['b']));
  expect(ann.gone).toBe(true);
  expect(await stored()).toEqual(['a']);
  expect(await log.endOf('d1')).toMatchObject({ endIndex: 1, version: 0 });
});

test.each([
  ['at', 2],
  ['beyond', 3],
])(
  '[SV2] a deletion from an index %s the end deletes nothing, and the log stays the same one',
  async (_place, deleteIndex) => {
    const { ann, say, stored, log } = await withAnn();
    await say(ann, saveOf(['a', 'b']));
    await say(ann, { type: 'unLockDocument', deleteIndex });
    await say(ann, saveOf(['c'], { deleteIndex }));
    expect(ann.last('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 3 });
    expect(await stored()).toEqual(['a', 'b', 'c']);
    expect(await log.endOf('d1')).toMatchObject({ version: 0 });
  },
);

test('[DA4] a change that is somebody else’s is not one’s own, though it is the same at the same index', async () => {
  const { ann, join, say, stored } = await withAnn();
  const bob = new FakeClient('bob', 2);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(bob, saveOf(['a', 'b'], { quireIndex: 0 }));
  await say(ann, saveOf(['a'], { quireIndex: 0 }));
  expect(ann.last('unSaveLock')).toBeUndefined();
  expect(ann.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA4] what another server has stored of the same session meanwhile is acknowledged, and is stored once', async () => {
  const { ann, say, stored, log } = await withAnn();
  const batch = { firstIndex: 0, nextIndex: 1, author: ann.member.author, savedAtMs: 7, changes: '["a"]' };
  await log.append({ key: 'd1', batch });
  await say(ann, saveOf(['a'], { quireIndex: 0 }));
  expect(ann.last('unSaveLock')).toMatchObject({ time: 7, syncChangesIndex: 1 });
  expect(ann.gone).toBe(false);
  expect(await stored()).toEqual(['a']);
});
