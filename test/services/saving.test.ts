import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { CLOSING_GRACE_MS: '60000' } });
});
afterAll(() => scene?.close());

/** The change strings of the broadcasts a client got, with the count each of them told. */
function broadcasts(client: RawClient) {
  return client.received.flatMap((message) =>
    message.type === 'saveChanges'
      ? [
          {
            texts: message.changes.map(({ change }) => JSON.parse(change) as string),
            end: message.changesIndex,
          },
        ]
      : [],
  );
}

/** Sends a part whose answer is lost with the connection, and returns with another one once so many changes are stored. */
async function returnUnanswered(one: SignedIn, part: Sent, stored: number): Promise<RawClient> {
  const { key } = one.client;
  one.client.send(part);
  await one.client.leave();
  await eventually(
    () => scene.storedChanges(key),
    (changes) => changes.length === stored,
  );
  const back = await scene.connect(key);
  back.send(scene.returningMessage(one));
  await back.next('auth');
  return back;
}

describe('saving', () => {
  it('[SV1] a save is confirmed with its base and the new count when it is stored', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    expect(await save(client, ['68;AgAAADEA', '35;BgAAADIA'])).toEqual({
      type: 'unSaveLock',
      index: 0,
      time: expect.any(Number),
      syncChangesIndex: 2,
    });
    expect(await scene.storedChanges(key)).toEqual(['68;AgAAADEA', '35;BgAAADIA']);
    expect(await save(client, ['3;c'], { deleteIndex: 1 }, 2)).toMatchObject({
      index: -1,
      syncChangesIndex: 2,
    });
    expect(await scene.storedChanges(key)).toEqual(['68;AgAAADEA', '3;c']);
    expect(await save(client, ['4;d'], { deleteIndex: -1 }, 2)).toMatchObject({
      index: 2,
      syncChangesIndex: 3,
    });
    expect(await save(client, [], { deleteIndex: 1 }, 3)).toMatchObject({ index: -1, syncChangesIndex: 1 });
    expect(await scene.storedChanges(key)).toEqual(['68;AgAAADEA']);
  });

  it('[SV2] a deletion from an index that is not reached deletes nothing', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    expect(await save(client, ['2;b'], { deleteIndex: 7 }, 1)).toMatchObject({
      index: -1,
      syncChangesIndex: 2,
    });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[SV3] times of changes are the same everywhere, and later than of the save before', async () => {
    const { key, ann, bob } = await scene.pair();
    const { time } = await save(ann.client, ['1;a']);
    expect(Math.abs(Date.now() - time)).toBeLessThan(30_000);
    const { changes } = await bob.client.next('saveChanges');
    const carol = await scene.join(key, 'carol');
    const history = carol.client.received.find((message) => message.type === 'authChanges');
    const { rows } = await scene.database.pool.query('SELECT saved_at FROM batches WHERE key = $1', [key]);
    expect((await save(ann.client, ['2;a'], {}, 1)).time).toBeGreaterThan(time);
    expect([changes[0]?.time, history?.changes[0]?.time, rows[0].saved_at.getTime()]).toEqual([
      time,
      time,
      time,
    ]);
  });

  it('[SV4] a save in parts is confirmed and broadcast part by part, locks go with the last', async () => {
    const { key, ann, bob } = await scene.pair();
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await bob.client.next('getLock');
    await takeSaveLock(ann.client);
    const part = { startSaveChanges: true, endSaveChanges: false };
    ann.client.send(saveMessage(['1;a', '2;b'], part));
    expect(await ann.client.next('savePartChanges')).toEqual({
      type: 'savePartChanges',
      changesIndex: 0,
      syncChangesIndex: 2,
    });
    expect(await bob.client.next('saveChanges')).toMatchObject({
      endSaveChanges: false,
      locks: [],
      changesIndex: 2,
    });
    ann.client.send(saveMessage(['3;c'], { ...part, startSaveChanges: false }));
    expect(await ann.client.next('savePartChanges')).toMatchObject({ changesIndex: -1, syncChangesIndex: 3 });
    ann.client.send(saveMessage(['4;d'], { startSaveChanges: false }));
    expect(await ann.client.next('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 4 });
    const last = await bob.client.next('saveChanges', ({ endSaveChanges }) => endSaveChanges);
    expect(last.locks).toEqual([{ block: 'p1', user: 'ann1', time: expect.any(Number), changes: null }]);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c', '4;d']);
  });

  it('[SV5] others get a broadcast with the changes as text of JSON, the saver does not', async () => {
    const { key, ann, bob } = await scene.pair();
    const { time } = await save(ann.client, ['35;BgAA'], { excelAdditionalInfo: '{"indexCols":null}' });
    expect(await bob.client.next('saveChanges')).toEqual({
      type: 'saveChanges',
      changes: [{ docid: key, change: '"35;BgAA"', time, user: 'ann1', useridoriginal: 'ann' }],
      changesIndex: 1,
      syncChangesIndex: 1,
      endSaveChanges: true,
      locks: [],
      excelAdditionalInfo: '{"indexCols":null}',
    });
    await ann.client.settled();
    expect(ann.client.unreadOf('saveChanges')).toEqual([]);
  });

  it('[SV6] changes are handed on exactly as they are, whatever text they hold', async () => {
    const { key, ann, bob } = await scene.pair();
    const odd = [
      '',
      '"',
      '\\',
      '\u0000',
      '\u2028',
      '💩',
      '\ud800',
      '</script>',
      '\r\n',
      ' 1;a ',
      'ж'.repeat(5_000),
    ];
    await save(ann.client, odd);
    await bob.client.next('saveChanges');
    expect(broadcasts(bob.client)).toEqual([{ texts: odd, end: odd.length }]);
    expect(await scene.storedChanges(key)).toEqual(odd);
    const carol = await scene.join(key, 'carol');
    const history = carol.client.received.find((message) => message.type === 'authChanges');
    expect(history?.changes.map(({ change }) => JSON.parse(change))).toEqual(odd);
  });

  it('[SV9] a save that is sent again after a lost connection is confirmed and not stored again', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    await takeSaveLock(ann.client, 1);
    const back = await returnUnanswered(ann, saveMessage(['2;b', '3;c']), 3);
    await takeSaveLock(back, 1);
    back.send(saveMessage(['2;b', '3;c'], { reSave: 2 }));
    expect(await back.next('unSaveLock')).toMatchObject({ index: 1, syncChangesIndex: 3 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c']);
    await save(back, ['4;d'], {}, 3);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c', '4;d']);
  });

  it('[SV10] a save that never arrived is stored when it is sent again', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    await takeSaveLock(ann.client, 1);
    await ann.client.leave();
    const back = await scene.connect(key);
    back.send(scene.returningMessage(ann));
    await back.next('auth');
    await takeSaveLock(back, 1);
    back.send(saveMessage(['2;b'], { reSave: 2 }));
    expect(await back.next('unSaveLock')).toMatchObject({ index: 1, syncChangesIndex: 2 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[SV11] a save repeated on the same connection for want of an answer is stored once', async () => {
    const { key, ann, bob } = await scene.pair();
    await takeSaveLock(ann.client);
    ann.client.send(saveMessage(['1;a', '2;b']));
    ann.client.send(saveMessage(['1;a', '2;b'], { reSave: 1 }));
    const first = await ann.client.next('unSaveLock');
    expect(await ann.client.next('unSaveLock')).toEqual(first);
    await bob.client.next('saveChanges');
    await bob.client.settled();
    expect(bob.client.unreadOf('saveChanges')).toEqual([]);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[SV12] a part repeated after a lost connection is stored once, and the save goes on', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await takeSaveLock(ann.client);
    const back = await returnUnanswered(ann, saveMessage(['1;a'], { endSaveChanges: false }), 1);
    await takeSaveLock(back);
    back.send(saveMessage(['1;a'], { endSaveChanges: false, reSave: 2 }));
    expect(await back.next('savePartChanges')).toMatchObject({ changesIndex: 0, syncChangesIndex: 1 });
    back.send(saveMessage(['2;b'], { startSaveChanges: false }));
    expect(await back.next('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 2 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[SV13] the same change made twice on purpose is stored twice', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    for (const sync of [0, 1, 2]) {
      expect(await save(client, ['1;a'], {}, sync)).toMatchObject({
        index: sync,
        syncChangesIndex: sync + 1,
      });
    }
    const other = await scene.join(scene.newKey(), 'ann');
    for (const index of [0, 1, 2]) {
      await takeSaveLock(other.client);
      other.client.send(saveMessage(['1;a']));
      expect(await other.client.next('unSaveLock')).toMatchObject({ index, syncChangesIndex: index + 1 });
    }
    expect(await scene.storedChanges(key)).toEqual(['1;a', '1;a', '1;a']);
  });

  it.each([
    ['before it heard of them', 1],
    ['with the count it heard of', 3],
  ])(
    '[SV31] a save sent again after others have saved is stored once (the turn asked for %s)',
    async (_, claimed) => {
      const { key, ann, bob } = await scene.pair();
      await save(ann.client, ['1;a']);
      await takeSaveLock(ann.client, 1);
      const back = await returnUnanswered(ann, saveMessage(['2;b']), 2);
      await save(bob.client, ['3;c'], {}, 2);
      expect(await back.next('saveChanges')).toMatchObject({ syncChangesIndex: 3 });
      await takeSaveLock(back, claimed);
      back.send(saveMessage(['2;b'], { reSave: 2 }));
      expect(await back.next('unSaveLock')).toMatchObject({ index: 1, syncChangesIndex: 2 });
      expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c']);
      expect(await save(back, ['4;d'], {}, 3)).toMatchObject({ index: 3, syncChangesIndex: 4 });
      await save(bob.client, ['5;e'], {}, 4);
      expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c', '4;d', '5;e']);
    },
  );

  it('[SV31] so is one that takes back, where it took back the same', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a']);
    await takeSaveLock(ann.client, 1);
    const back = await returnUnanswered(ann, saveMessage(['2;b'], { deleteIndex: 1 }), 2);
    await save(bob.client, ['3;c'], {}, 2);
    await back.next('saveChanges');
    await takeSaveLock(back, 3);
    back.send(saveMessage(['2;b'], { deleteIndex: 1, reSave: 2 }));
    expect(await back.next('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 2 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c']);
    await takeSaveLock(back, 3);
    back.send(saveMessage(['2;b'], { deleteIndex: 0, reSave: 2 }));
    expect(await back.next('error')).toMatchObject({ code: 4010 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c']);
  });

  it.each([
    ['one that never arrived', ['2;b']],
    ['one like the last that was stored', ['1;a']],
  ])(
    '[SV32] a save sent again after others have saved is stored if it was not before: %s',
    async (_, changes) => {
      const { key, ann, bob } = await scene.pair();
      await save(ann.client, ['1;a']);
      await ann.client.leave();
      const back = await scene.connect(key);
      back.send(scene.returningMessage(ann));
      await back.next('auth');
      await takeSaveLock(bob.client, 1);
      back.send({ type: 'isSaveLock', syncChangesIndex: 1 });
      bob.client.send(saveMessage(['3;c']));
      await bob.client.next('unSaveLock');
      expect(await back.next('saveLock')).toMatchObject({ saveLock: false });
      back.send(saveMessage(changes, { reSave: 2 }));
      expect(await back.next('unSaveLock')).toMatchObject({ index: 2, syncChangesIndex: 3 });
      expect(await scene.storedChanges(key)).toEqual(['1;a', '3;c', ...changes]);
    },
  );

  it('[SV14] giving the save lock back is answered, and unlocking does what its flags say', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    const givenBack = { type: 'unSaveLock', index: -1, time: -1, syncChangesIndex: -1 };
    await takeSaveLock(client);
    client.send({ type: 'unSaveLock' });
    expect(await client.next('unSaveLock')).toEqual(givenBack);
    await save(client, ['1;a', '2;b', '3;c']);
    await takeSaveLock(client, 3);
    client.send({ type: 'unLockDocument', isSave: true, unlock: false, releaseLocks: true, deleteIndex: 1 });
    expect(await client.next('unSaveLock')).toEqual(givenBack);
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
    client.send({
      type: 'unLockDocument',
      isSave: false,
      unlock: false,
      releaseLocks: false,
      deleteIndex: null,
    });
    await client.settled();
    expect(client.unread).toEqual([]);
  });

  it('[SV15] what a second editor has been given can no longer be taken back', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a', '2;b']);
    await bob.client.next('saveChanges');
    await takeSaveLock(ann.client, 2);
    ann.client.send(saveMessage(['3;c'], { deleteIndex: 1 }));
    expect(await ann.client.next('error')).toMatchObject({ code: 4010 });
    bob.client.send({ type: 'unLockDocument', deleteIndex: 0, isSave: false });
    expect(await bob.client.next('error')).toMatchObject({ code: 4010 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
    await save(bob.client, ['4;d'], {}, 2);
  });

  it('[SV17] the newcomer may save at once after the first editor cut its history', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a', '2;b', '3;c', '4;d']);
    const bob = await scene.connect(key);
    bob.send(scene.authMessage(key, 'bob', { supportAuthChangesAck: false }));
    await bob.next('waitAuth');
    ann.client.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: 2 });
    await bob.next('auth');
    expect(await save(bob, ['5;e'], {}, 2)).toMatchObject({ index: 2, syncChangesIndex: 3 });
    expect(await save(ann.client, ['6;f'], {}, 4)).toMatchObject({ index: 3, syncChangesIndex: 4 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '5;e', '6;f']);
  });

  it('[SV18] receivers get broadcasts in the order of indices, a large save before a small one', async () => {
    const { ann, bob } = await scene.pair();
    const large = Array.from({ length: 2_000 }, (_, index) => `${index};a`);
    await takeSaveLock(ann.client);
    ann.client.send(saveMessage(large));
    bob.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    await bob.client.next('saveLock');
    bob.client.send(saveMessage(['2000;b']));
    await bob.client.next('unSaveLock');
    await save(ann.client, ['2001;c'], {}, 2_001);
    await bob.client.next('saveChanges', ({ changesIndex }) => changesIndex === 2_002);
    await ann.client.settled();
    expect(broadcasts(bob.client)).toEqual([
      { texts: large, end: 2_000 },
      { texts: ['2001;c'], end: 2_002 },
    ]);
    expect(broadcasts(ann.client)).toEqual([{ texts: ['2000;b'], end: 2_001 }]);
  });

  it('[SV19] many editors saving at once lose nothing, double nothing, and all see one order', async () => {
    const { key, ann, bob } = await scene.pair();
    const carol = await scene.join(key, 'carol');
    const watcher = await scene.join(key, 'watcher', { mode: 'view', coEditingMode: 'fast' });
    const rounds = 40;
    await Promise.all(
      [ann, bob, carol].map(async ({ client }, who) => {
        for (let round = 0; round < rounds; round += 1) {
          const changes = Array.from({ length: 1 + (round % 3) }, (_, at) => `${who};${round};${at}`);
          await save(client, changes);
        }
      }),
    );
    const stored = await scene.storedChanges(key);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored).toHaveLength(
      3 * Array.from({ length: rounds }, (_, round) => 1 + (round % 3)).reduce((a, b) => a + b),
    );
    await watcher.client.next('saveChanges', ({ changesIndex }) => changesIndex === stored.length);
    const ends = broadcasts(watcher.client).map(({ end }) => end);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(broadcasts(watcher.client).flatMap(({ texts }) => texts)).toEqual(stored);
    for (const who of [0, 1, 2]) {
      const own = stored.filter((change) => change.startsWith(`${who};`));
      expect(own.map((change) => Number(change.split(';')[1]))).toEqual(
        own.map((change) => Number(change.split(';')[1])).sort((a, b) => a - b),
      );
    }
  });
});
