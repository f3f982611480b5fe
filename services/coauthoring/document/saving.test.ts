import { afterEach, expect, test, vi } from 'vitest';
import type { Frame } from '../../../platform/ports/peer.ts';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { eventually } from '../../../test/support/eventually.ts';
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

/** Ann and Bob, both in. */
async function withBob(limits: Parameters<typeof actorScene>[0]) {
  const scene = actorScene(limits);
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await scene.join(ann);
  await scene.join(bob);
  await scene.say(ann, { type: 'unLockDocument', unlock: true });
  return { ...scene, ann, bob };
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

test.each([
  ['one change', ['x'.repeat(3_000_000)]],
  ['very many tiny changes', Array.from({ length: 40_000 }, () => 'x')],
  ['changes of characters that take more bytes', ['ü'.repeat(1_200_000)]],
])(
  '[SV34] a batch that is larger as others would be sent it than may wait for them is refused, and nothing of it is stored: %s',
  async (_what, changes) => {
    const { ann, bob, say, stored } = await withBob({ maxSentBytes: 2_000_000 });
    await say(ann, saveOf(changes));
    expect(ann.last('warning')).toMatchObject({ code: -160 });
    expect(ann.last('error')).toMatchObject({ code: 4010, description: expect.stringContaining('smaller') });
    expect([await stored(), bob.changes, bob.gone]).toEqual([[], [], false]);
    await say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
    expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
  },
);

test('[SV34] a picture of 5 MB that was pasted is stored and sent, and so is one part of a save of tiny changes', async () => {
  const { ann, bob, say, stored } = await withBob({ maxLogBytes: 100_000_000, maxSentBytes: 12_582_912 });
  await say(ann, saveOf(['x'.repeat(6_990_508)]));
  await say(ann, saveOf(Array.from({ length: 40_000 }, (_, index) => `${index};${'x'.repeat(30)}`)));
  expect(bob.changes).toEqual(await stored());
  expect(bob.changes).toHaveLength(40_001);
});

test('[SV35] a batch that is large as others are sent it comes in messages like those of a save in parts', async () => {
  const { ann, bob, say, stored } = await withBob({ maxLogBytes: 100_000_000 });
  await say(
    ann,
    saveOf(
      Array.from({ length: 50_000 }, (_, index) => `${index}`),
      { excelAdditionalInfo: 'info' },
    ),
  );
  const parts = bob.received.filter((message) => message.type === 'saveChanges');
  expect(parts.length).toBeGreaterThan(2);
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(1_600_000);
  expect(parts.map(({ endSaveChanges }) => endSaveChanges)).toEqual(
    parts.map((part) => part === parts.at(-1)),
  );
  expect(parts.map(({ excelAdditionalInfo }) => excelAdditionalInfo ?? null)).toEqual(
    parts.map((part) => (part === parts.at(-1) ? 'info' : null)),
  );
  expect(bob.changes).toEqual(await stored());
  expect(ann.received.filter(({ type }) => type === 'unSaveLock')).toHaveLength(1);
});

test('[SV35] so comes what a client missed that is back, at once as much as it has room for and the rest paced', async () => {
  const { ann, join, say, stored } = await withBob({ maxLogBytes: 100_000_000 });
  for (let save = 0; save < 3; save += 1)
    await say(ann, saveOf(Array.from({ length: 20_000 }, (_, index) => `${save}.${index}`)));
  const back = new FakeClient('carol', 3);
  const paced: Frame[] = [];
  const ended = new Promise<void>((resolve) => {
    Object.assign(back.member.peer, {
      hasRoom: () => back.received.length < 2,
      sendPaced: async (frames: AsyncIterable<Frame>) => {
        for await (const frame of frames) paced.push(frame);
        resolve();
      },
    });
  });
  back.isIn = true;
  await join(back, 0);
  await ended;
  const rest = paced.flatMap(({ json }) => (JSON.parse(json) as { changes: { change: string }[] }).changes);
  expect(back.changes).toHaveLength((await stored()).length - rest.length);
  expect([...back.changes, ...rest.map(({ change }) => JSON.parse(change) as string)]).toEqual(
    await stored(),
  );
});

/** Has a client's long pieces of work wait. Resolves, when one waits, with how to let it go on. */
function heldTurns(client: FakeClient) {
  const waiting: (() => void)[] = [];
  Object.assign(client.member.peer, { turn: () => new Promise<void>((resolve) => waiting.push(resolve)) });
  return () => eventually(() => waiting.shift() ?? expect.fail('nothing waits'));
}

test('[SV39] a large save is checked, stored and sent on in turns, and what comes behind it waits', async () => {
  const { actor, ann, bob, say, stored } = await withBob({ maxLogBytes: 10_000_000 });
  await actor.run(async () => actor.setOpen(true, { isProtected: false, isJudged: true, model: 'word' }));
  const changes = Array.from({ length: 12_000 }, (_, n) =>
    JSON.stringify({ c: 'a', n, s: { text: 'x'.repeat(80) } }),
  );
  const nextTurn = heldTurns(ann);
  const large = say(ann, saveOf(changes, { quireIndex: 0 }));
  const small = say(bob, saveOf([JSON.stringify({ c: 'b', n: 1, s: {} })]));
  const sent: number[] = [];
  let turns = 0;
  while ((await stored()).length === 0) {
    (await nextTurn())();
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  // To read it, to look at its 1.3 million characters in pieces, to see whether it fits, and to store it.
  expect(turns).toBeGreaterThan(6);
  while (bob.changes.length < changes.length) {
    sent.push(bob.changes.length);
    (await nextTurn())();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(new Set(sent).size).toBeGreaterThan(1);
  await large;
  await small;
  expect(ann.last('unSaveLock')).toMatchObject({ index: 0, syncChangesIndex: changes.length });
  expect(await stored()).toHaveLength(changes.length + 1);
  expect(ann.changes).toEqual(await stored());
});

/** Bob, who may comment only, beside Ann, in a document whose log takes 100,000 characters. */
async function withCommenter() {
  const scene = await withBob({ maxLogBytes: 100_000 });
  const limited = (name: string, index: number, id = name) => {
    const client = new FakeClient(name, index);
    Object.assign(client.member.author, { userId: id, stamp: { name, may: ['comment'] } });
    return client;
  };
  const enter = async (client: FakeClient) => {
    await scene.join(client);
    await eventually(() => expect(client.isIn).toBe(true));
    return client;
  };
  /** Saves that many characters. Resolves with whether they were taken. */
  const takes = async (client: FakeClient, characters: number) => {
    const before = (await scene.stored()).length;
    await scene.say(client, saveOf(['x'.repeat(characters - 4)], { releaseLocks: false }));
    return (await scene.stored()).length > before;
  };
  return { ...scene, limited, enter, takes };
}

test('[SV37] who may comment only fills a twentieth of the log, in all sessions, and is told; others save on', async () => {
  const { ann, limited, enter, takes } = await withCommenter();
  const carol = await enter(limited('carol', 3));
  expect(await takes(carol, 3_000)).toBe(true);
  expect(await takes(carol, 2_001)).toBe(false);
  expect(carol.last('warning')).toMatchObject({ code: -160 });
  expect(carol.last('error')).toMatchObject({ code: 4010 });
  expect(await takes(carol, 2_000)).toBe(true);
  expect(await takes(await enter(limited('again', 4, 'carol')), 10)).toBe(false);
  expect(await takes(ann, 50_000)).toBe(true);
});

test('[SV37] all of them together fill a tenth of it', async () => {
  const { ann, limited, enter, takes } = await withCommenter();
  for (const [index, name] of ['carol', 'dave'].entries())
    expect(await takes(await enter(limited(name, 3 + index)), 5_000)).toBe(true);
  expect(await takes(await enter(limited('erin', 5)), 10)).toBe(false);
  expect(await takes(ann, 10)).toBe(true);
});

test('[SV37] what another server stored of them counts, and what was taken back makes room', async () => {
  const { actor, ann, limited, enter, takes, log, say } = await withCommenter();
  const carol = await enter(limited('carol', 3));
  expect(await takes(carol, 10)).toBe(true);
  const { endIndex: firstIndex } = (await log.endOf('d1'))!;
  const changes = JSON.stringify(['x'.repeat(4_900)]);
  const batch = { firstIndex, nextIndex: firstIndex + 1, author: carol.member.author, savedAtMs: 9, changes };
  await log.append({ key: 'd1', batch });
  await actor.run(() => actor.follow({ nextIndex: firstIndex + 1, logVersion: 0 }));
  expect(await takes(carol, 200)).toBe(false);
  const replaced = {
    key: 'd1',
    expectedEnd: firstIndex + 1,
    fromIndex: firstIndex,
    by: 'carol3',
    batch: null,
  };
  expect((await log.replaceFrom(replaced)).kind).toBe('appended');
  await actor.run(() => actor.follow({ nextIndex: firstIndex, logVersion: 1 }));
  await say(ann, { type: 'unLockDocument', unlock: true });
  expect(await takes(carol, 200)).toBe(true);
});

test('[SV38] what is no change of our model is refused there, as is all that comes with it; other documents take any text', async () => {
  const { actor, ann, bob, say, stored } = await withBob({});
  const openedAs = { isProtected: false, isJudged: true };
  await actor.run(async () => actor.setOpen(true, { ...openedAs, model: 'word' }));
  const change = JSON.stringify({ c: 'a', n: 1, s: { stepType: 'replace' } });
  await say(ann, saveOf([change, 'x']));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect([await stored(), bob.changes]).toEqual([[], []]);
  await say(bob, saveOf([change]));
  await actor.run(async () => actor.setOpen(true, openedAs));
  await say(bob, saveOf(['x']));
  expect(await stored()).toEqual([change, 'x']);
});
