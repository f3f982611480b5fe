import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

test('[DA1] a save is acknowledged with its base and the new end, and broadcast to the others with absolute indices', async () => {
  const { join, say } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  expect(ann.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
  await say(ann, saveOf(['a', 'b']));
  expect(ann.last('unSaveLock')).toMatchObject({ index: 0, syncChangesIndex: 2 });
  expect(bob.last('saveChanges')).toMatchObject({
    changesIndex: 2,
    syncChangesIndex: 2,
    endSaveChanges: true,
  });
  expect(bob.changes).toEqual(['a', 'b']);
});

test('[DA2] every newcomer waits while the first editor may still rewrite its history, however many come', async () => {
  const { join, say } = actorScene();
  const [ann, bob, cem] = [new FakeClient('ann', 1), new FakeClient('bob', 2), new FakeClient('cem', 3)];
  await join(ann);
  await say(ann, saveOf(['a', 'b']));
  await join(bob);
  await join(cem);
  expect([bob.isIn, cem.isIn]).toEqual([false, false]);
  expect([bob.last('waitAuth'), cem.last('waitAuth')]).not.toContain(undefined);
  expect(ann.last('connectState')).toMatchObject({ waitAuth: true });
  await say(ann, saveOf(['x'], { deleteIndex: 1, unlock: true }));
  await eventually(() => expect(bob.isIn && cem.isIn).toBe(true));
  expect([bob.changes, cem.changes]).toEqual([
    ['a', 'x'],
    ['a', 'x'],
  ]);
});

test('[DA3] what another editor was given can no longer be rewritten', async () => {
  const { join, say, stored } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await say(ann, saveOf(['a', 'b']));
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true, deleteIndex: null });
  await eventually(() => expect(bob.isIn).toBe(true));
  await say(ann, saveOf(['x'], { deleteIndex: 1 }));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA11] nor can what an editor was given who has come back', async () => {
  const { join, say, leave, stored } = actorScene();
  const [ann, bob, back] = [new FakeClient('ann', 1), new FakeClient('bob', 2), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await leave(bob);
  await say(ann, saveOf(['a', 'b']));
  await join(back, 0);
  expect(back.changes).toEqual(['a', 'b']);
  await say(ann, saveOf(['x'], { deleteIndex: 1 }));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA4] the same batch sent twice is acknowledged twice and stored once', async () => {
  const { join, say, stored } = actorScene();
  const ann = new FakeClient('ann', 1);
  await join(ann);
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, saveOf(['a', 'b']));
  await say(ann, saveOf(['a', 'b']));
  expect(ann.received.filter(({ type }) => type === 'unSaveLock')).toHaveLength(2);
  expect(await stored()).toEqual(['a', 'b']);
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 2 });
  await say(ann, saveOf(['a', 'b']));
  expect(await stored()).toEqual(['a', 'b', 'a', 'b']);
});

test('[DA5] a batch for another index than the end is not stored: the save lock is refused, and the second time it is interrupted', async () => {
  const { join, say, stored } = actorScene();
  const ann = new FakeClient('ann', 1);
  await join(ann);
  await say(ann, saveOf(['a'], { quireIndex: 0 }));
  await say(ann, saveOf(['b'], { quireIndex: 0 }));
  expect(ann.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  expect(ann.gone).toBe(false);
  await say(ann, saveOf(['b'], { quireIndex: 0 }));
  expect(ann.gone).toBe(true);
  expect(await stored()).toEqual(['a']);
});

test('[DA6] a batch that cannot be stored frees the save lock', async () => {
  const { join, say, log } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  log.setState('d1', 'closing');
  await say(ann, saveOf(['a']));
  expect(ann.gone).toBe(true);
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
});

test('[DA7] the parts of a save are stored as they come and the lock is kept until the last', async () => {
  const { join, say, stored } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, saveOf(['a'], { endSaveChanges: false }));
  expect(ann.last('savePartChanges')).toMatchObject({ changesIndex: 0, syncChangesIndex: 1 });
  await say(ann, saveOf(['b'], { startSaveChanges: false }));
  expect(ann.last('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 2 });
  expect(bob.received.map(({ type }) => type).filter((type) => /save/i.test(type))).toEqual([
    'saveChanges',
    'saveChanges',
    'saveLock',
  ]);
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA8] joins, saves, resends and leaves in any order: one order, no gap, nothing acknowledged is lost', async () => {
  const act = fc.record({
    who: fc.nat(3),
    what: fc.constantFrom('join', 'join', 'save', 'save', 'save', 'resend', 'leave', 'unlock', 'unlock'),
    count: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
      const { join, say, leave, stored, actor } = actorScene();
      const clients = new Map<number, FakeClient>();
      const acknowledged: string[][] = [];
      let number = 0;
      for (const { who, what, count } of acts) {
        const client = clients.get(who);
        if (what === 'join' && !client) {
          number += 1;
          const joined = new FakeClient(`u${who}`, number);
          clients.set(who, joined);
          await join(joined);
        } else if (what === 'leave' && client) {
          clients.delete(who);
          await leave(client);
        } else if (what === 'unlock' && client) {
          await say(client, { type: 'unLockDocument', unlock: true, deleteIndex: -1 });
        } else if (client?.isIn && !client.gone) {
          const changes = Array.from({ length: count }, (_, at) => `${number}-${acknowledged.length}-${at}`);
          await say(client, { type: 'isSaveLock', syncChangesIndex: client.changes.length });
          const before = client.received.length;
          await say(client, saveOf(changes));
          if (what === 'resend') await say(client, saveOf(changes));
          const acks = client.received.slice(before).filter(({ type }) => type === 'unSaveLock').length;
          expect(acks).toBe(what === 'resend' ? 2 : 1);
          acknowledged.push(changes);
        }
        await actor.run(async () => undefined);
      }
      for (const client of clients.values()) {
        await say(client, { type: 'unLockDocument', unlock: true, deleteIndex: -1 });
      }
      await eventually(() => expect([...clients.values()].every(({ isIn }) => isIn)).toBe(true));
      const log = await stored();
      expect(log).toEqual(acknowledged.flat());
      for (const client of clients.values()) expect(client.changes).toEqual(log);
      actor.stop();
    }),
    { numRuns: 150 },
  );
});

test('[DA10] whatever an editor who is alone saves and takes back, each live viewer has the log, or knows that it has not', async () => {
  const act = fc.record({
    what: fc.constantFrom('look', 'save', 'save', 'rewrite', 'rewrite', 'cut', 'wait', 'away'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      const { join, say, leave, stored, actor } = actorScene();
      const ann = new FakeClient('ann', 1);
      await join(ann);
      const viewers: FakeClient[] = [];
      let end = 0;
      for (const [number, { what, at }] of acts.entries()) {
        const deleteIndex = Math.floor(at * (end + 1));
        if (what === 'look') {
          const viewer = new FakeClient(`v${number}-`, number + 2, { view: true });
          viewers.push(viewer);
          await join(viewer);
        } else if (what === 'away' && viewers.length > 0) await leave(viewers.shift()!);
        else if (what === 'wait') await new Promise((resolve) => setTimeout(resolve, 1));
        else if (what === 'save') {
          await say(ann, saveOf([`${number}`]));
          end += 1;
        } else if (what === 'rewrite') {
          ann.changes.length = deleteIndex;
          await say(ann, saveOf([`${number}`], { deleteIndex }));
          end = deleteIndex + 1;
        } else if (what === 'cut') {
          ann.changes.length = deleteIndex;
          await say(ann, { type: 'unLockDocument', deleteIndex });
          end = deleteIndex;
        }
        await actor.run(async () => undefined);
      }
      await eventually(() =>
        expect(viewers.every((viewer) => viewer.isIn || viewer.last('error'))).toBe(true),
      );
      await leave(ann);
      const log = await stored();
      for (const viewer of viewers) if (!viewer.last('error')) expect(viewer.changes).toEqual(log);
      actor.stop();
    }),
    { numRuns: 150 },
  );
});

test('[WA18] who announces acknowledgements and gives none gets its history all the same, as who goes does not', async () => {
  const { actor, join, say, stored } = actorScene({ maxLogBytes: 10_000_000, times: { historyAckMs: 20 } });
  const [ann, bob, carol] = ['ann', 'bob', 'carol'].map((name, index) => new FakeClient(name, 2 * index));
  await join(ann!);
  for (const letter of 'abc') await say(ann!, saveOf([letter.repeat(1_000_000)]));
  await join(bob!, null, true);
  await join(carol!, null, true);
  await say(ann!, { type: 'unLockDocument', unlock: true });
  await actor.run(() => actor.leave(carol!.member, false));
  await eventually(() => expect(bob!.isIn).toBe(true));
  expect(bob!.received.filter(({ type }) => type === 'authChanges').length).toBeGreaterThan(1);
  expect(bob!.changes).toEqual(await stored());
  expect(carol!.isIn).toBe(false);
  actor.stop();
});

test('[DA9] the last editor who leaves is reported once, and a viewer is not an editor', async () => {
  const { join, leave, left } = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2, { view: true })];
  await join(ann);
  await join(bob);
  await leave(ann);
  await leave(bob);
  expect(left).toEqual(['ann']);
});
