import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientMessage, ServerMessage } from '../../../client/protocol/index.ts';
import { MemoryCoordination } from '../../../platform/adapters/memory-coordination.ts';
import { noSessionFigures } from '../../../platform/ports/session-figures.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { MemoryChangeLog } from '../../../test/support/memory-change-log.ts';
import { DocumentActor } from './actor.ts';
import { HistoryMemory } from './history-memory.ts';
import { defaultSessionTimes, type SessionTimes } from './open-document.ts';

function setUp({ maxLogBytes = 1_000_000, times = {} as Partial<SessionTimes> } = {}) {
  const log = new MemoryChangeLog();
  log.setState('d1', 'open');
  const left: string[] = [];
  const actor = new DocumentActor(
    'd1',
    {
      log,
      coordination: new MemoryCoordination(),
      nodes: null,
      noticed: () => undefined,
      renamed: () => undefined,
      lifecycle: {
        editorJoined: () => undefined,
        editorLeft: () => undefined,
        lastEditorLeft: async (_key, visitor) => {
          left.push(visitor.userId);
        },
        editorIsBack: async () => false,
      },
      maxLogBytes,
      historyMemory: new HistoryMemory(1_000_000),
      times: { ...defaultSessionTimes, viewerHoldMs: 0, ...times },
      figures: noSessionFigures,
      faultPoint: () => undefined,
    },
    (error) => {
      throw error;
    },
  );
  actor.document.open = true;
  /** There is a checkpoint for every other newcomer, at any place of the log. */
  const findCheckpoint = async (client: FakeClient) => {
    const { userIndex } = client.member;
    const index = userIndex % (actor.document.endIndex + 1);
    if (userIndex % 2 === 0 || index === 0) return null;
    client.checkpoint = (await stored()).slice(0, index);
    return { index, url: '' };
  };
  /** `syncIndex`: how many changes a client has that comes back. */
  const join = (client: FakeClient, syncIndex: number | null = null, acknowledgesHistory = false) =>
    actor.run(() =>
      actor.join({
        member: client.member,
        restored: syncIndex !== null,
        syncIndex,
        isUpToDate: null,
        acknowledgesHistory,
        findCheckpoint: syncIndex === null ? () => findCheckpoint(client) : null,
        blocks: [],
        welcome: async (shared) =>
          ({
            type: 'auth',
            result: 1,
            sessionId: client.member.sessionId,
            indexUser: client.member.userIndex,
            ...shared,
          }) as ServerMessage,
      }),
    );
  const say = (client: FakeClient, message: ClientMessage) => {
    if (message.type === 'saveChanges') {
      client.sent = JSON.parse(message.changes) as string[];
      if (message.deleteIndex) client.changes.length = message.deleteIndex;
    }
    return actor.run(() => actor.handle(client.member, message));
  };
  const leave = (client: FakeClient) => actor.run(() => actor.leave(client.member, false));
  const stored = async () => {
    const changes: string[] = [];
    for await (const page of log.read('d1', 0, 1_000_000)) {
      for (const batch of page) changes.push(...(JSON.parse(batch.changes) as string[]));
    }
    return changes;
  };
  return { actor, join, say, leave, stored, left, log };
}

const save = (changes: string[], more: Partial<Extract<ClientMessage, { type: 'saveChanges' }>> = {}) => ({
  type: 'saveChanges' as const,
  changes: JSON.stringify(changes),
  startSaveChanges: true,
  endSaveChanges: true,
  deleteIndex: null,
  unlock: false,
  releaseLocks: false,
  ...more,
});

test('[DA1] a save is acknowledged with its base and the new end, and told to the others with absolute indices', async () => {
  const { join, say } = setUp();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  expect(ann.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
  await say(ann, save(['a', 'b']));
  expect(ann.last('unSaveLock')).toMatchObject({ index: 0, syncChangesIndex: 2 });
  expect(bob.last('saveChanges')).toMatchObject({
    changesIndex: 2,
    syncChangesIndex: 2,
    endSaveChanges: true,
  });
  expect(bob.changes).toEqual(['a', 'b']);
});

test('[DA2] every newcomer waits while the first editor may still rewrite its history, however many come', async () => {
  const { join, say } = setUp();
  const [ann, bob, cem] = [new FakeClient('ann', 1), new FakeClient('bob', 2), new FakeClient('cem', 3)];
  await join(ann);
  await say(ann, save(['a', 'b']));
  await join(bob);
  await join(cem);
  expect([bob.isIn, cem.isIn]).toEqual([false, false]);
  expect([bob.last('waitAuth'), cem.last('waitAuth')]).not.toContain(undefined);
  expect(ann.last('connectState')).toMatchObject({ waitAuth: true });
  await say(ann, save(['x'], { deleteIndex: 1, unlock: true }));
  await expect.poll(() => bob.isIn && cem.isIn).toBe(true);
  expect([bob.changes, cem.changes]).toEqual([
    ['a', 'x'],
    ['a', 'x'],
  ]);
});

test('[DA3] what another editor was given can no longer be rewritten', async () => {
  const { join, say, stored } = setUp();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await say(ann, save(['a', 'b']));
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true, deleteIndex: null });
  await expect.poll(() => bob.isIn).toBe(true);
  await say(ann, save(['x'], { deleteIndex: 1 }));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA11] nor can what an editor was given who has come back', async () => {
  const { join, say, leave, stored } = setUp();
  const [ann, bob, back] = [new FakeClient('ann', 1), new FakeClient('bob', 2), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await leave(bob);
  await say(ann, save(['a', 'b']));
  await join(back, 0);
  expect(back.changes).toEqual(['a', 'b']);
  await say(ann, save(['x'], { deleteIndex: 1 }));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA4] the same batch sent twice is acknowledged twice and stored once', async () => {
  const { join, say, stored } = setUp();
  const ann = new FakeClient('ann', 1);
  await join(ann);
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, save(['a', 'b']));
  await say(ann, save(['a', 'b']));
  expect(ann.received.filter(({ type }) => type === 'unSaveLock')).toHaveLength(2);
  expect(await stored()).toEqual(['a', 'b']);
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 2 });
  await say(ann, save(['a', 'b']));
  expect(await stored()).toEqual(['a', 'b', 'a', 'b']);
});

test('[DA5] a batch for another index than the end is not stored, and the connection is interrupted', async () => {
  const { join, say, stored } = setUp();
  const ann = new FakeClient('ann', 1);
  await join(ann);
  await say(ann, save(['a'], { quireIndex: 0 }));
  await say(ann, save(['b'], { quireIndex: 0 }));
  expect(ann.gone).toBe(true);
  expect(await stored()).toEqual(['a']);
});

test('[DA6] a batch that cannot be stored frees the save lock', async () => {
  const { join, say, log } = setUp();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  log.setState('d1', 'closing');
  await say(ann, save(['a']));
  expect(ann.gone).toBe(true);
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
});

test('[DA7] the parts of a save are stored as they come and the lock is kept until the last', async () => {
  const { join, say, stored } = setUp();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await join(ann);
  await join(bob);
  await say(ann, { type: 'unLockDocument', unlock: true });
  await say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await say(ann, save(['a'], { endSaveChanges: false }));
  expect(ann.last('savePartChanges')).toMatchObject({ changesIndex: 0, syncChangesIndex: 1 });
  await say(ann, save(['b'], { startSaveChanges: false }));
  expect(ann.last('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 2 });
  expect(bob.received.map(({ type }) => type).filter((type) => /save/i.test(type))).toEqual([
    'saveChanges',
    'saveChanges',
    'saveLock',
  ]);
  expect(await stored()).toEqual(['a', 'b']);
});

test('[DA8] whoever joins, saves, resends and leaves in whatever order: one order, no gap, nothing acknowledged is lost', async () => {
  const act = fc.record({
    who: fc.nat(3),
    what: fc.constantFrom('join', 'join', 'save', 'save', 'save', 'resend', 'leave', 'unlock', 'unlock'),
    count: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
      const { join, say, leave, stored, actor } = setUp();
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
          await say(client, save(changes));
          if (what === 'resend') await say(client, save(changes));
          const acks = client.received.slice(before).filter(({ type }) => type === 'unSaveLock').length;
          expect(acks).toBe(what === 'resend' ? 2 : 1);
          acknowledged.push(changes);
        }
        await actor.run(async () => undefined);
      }
      for (const client of clients.values()) {
        await say(client, { type: 'unLockDocument', unlock: true, deleteIndex: -1 });
      }
      await expect.poll(() => [...clients.values()].every(({ isIn }) => isIn)).toBe(true);
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
      const { join, say, leave, stored, actor } = setUp();
      const ann = new FakeClient('ann', 1);
      await join(ann);
      const viewers: FakeClient[] = [];
      let end = 0;
      for (const [number, { what, at }] of acts.entries()) {
        const deleteIndex = Math.floor(at * (end + 1));
        if (what === 'look') {
          const viewer = new FakeClient(`v${number}-`, number + 2);
          viewer.member.view = true;
          viewers.push(viewer);
          await join(viewer);
        } else if (what === 'away' && viewers.length > 0) await leave(viewers.shift()!);
        else if (what === 'wait') await new Promise((resolve) => setTimeout(resolve, 1));
        else if (what === 'save') {
          await say(ann, save([`${number}`]));
          end += 1;
        } else if (what === 'rewrite') {
          ann.changes.length = deleteIndex;
          await say(ann, save([`${number}`], { deleteIndex }));
          end = deleteIndex + 1;
        } else if (what === 'cut') {
          ann.changes.length = deleteIndex;
          await say(ann, { type: 'unLockDocument', deleteIndex });
          end = deleteIndex;
        }
        await actor.run(async () => undefined);
      }
      await expect.poll(() => viewers.every((viewer) => viewer.isIn || viewer.last('error'))).toBe(true);
      await leave(ann);
      const log = await stored();
      for (const viewer of viewers) if (!viewer.last('error')) expect(viewer.changes).toEqual(log);
      actor.stop();
    }),
    { numRuns: 150 },
  );
});

test('[WA18] who announces acknowledgements and gives none gets its history all the same, as who goes does not', async () => {
  const { actor, join, say, stored } = setUp({ maxLogBytes: 10_000_000, times: { historyAckMs: 20 } });
  const [ann, bob, carol] = ['ann', 'bob', 'carol'].map((name, index) => new FakeClient(name, 2 * index));
  await join(ann!);
  for (const letter of 'abc') await say(ann!, save([letter.repeat(1_000_000)]));
  await join(bob!, null, true);
  await join(carol!, null, true);
  await say(ann!, { type: 'unLockDocument', unlock: true });
  await actor.run(() => actor.leave(carol!.member, false));
  await expect.poll(() => bob!.isIn).toBe(true);
  expect(bob!.received.filter(({ type }) => type === 'authChanges').length).toBeGreaterThan(1);
  expect(bob!.changes).toEqual(await stored());
  expect(carol!.isIn).toBe(false);
  actor.stop();
});

test('[DA9] the last editor who leaves is reported once, and a viewer is not an editor', async () => {
  const { join, leave, left } = setUp();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  bob.member.view = true;
  await join(ann);
  await join(bob);
  await leave(ann);
  await leave(bob);
  expect(left).toEqual(['ann']);
});
