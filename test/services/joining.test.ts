import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const unlock = { type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null };

/** A client that has asked to be let in as an editor. */
async function knock(key: string, user: string, changes = {}): Promise<RawClient> {
  const client = await scene.connect(key);
  client.send(scene.authMessage(key, user, { supportAuthChangesAck: false, ...changes }));
  return client;
}

/** The changes a client was given, from the history and from broadcasts, by index. */
function changesSeen(client: RawClient): string[] {
  const seen: string[] = [];
  let counted = 0;
  for (const message of client.received) {
    if (message.type === 'authChanges') {
      for (const { change } of message.changes) {
        seen[counted] = JSON.parse(change);
        counted += 1;
      }
    } else if (message.type === 'saveChanges') {
      const first = message.changesIndex - message.changes.length;
      message.changes.forEach(({ change }, at) => {
        const known = seen[first + at];
        const text = JSON.parse(change) as string;
        if (known !== undefined && known !== text) throw new Error('Two changes have one index.');
        seen[first + at] = text;
      });
    }
  }
  return seen;
}

describe('joining', () => {
  it('[WA1] a second editor waits until the first has finished with its history', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const bob = await knock(key, 'bob');
    const { lockDocument } = await bob.next('waitAuth');
    expect(lockDocument).toMatchObject({ id: 'ann1', connectionId: ann.client.connectionId });
    expect(await ann.client.next('connectState', ({ waitAuth }) => waitAuth === true)).toMatchObject({
      participants: [{ id: 'ann1' }, { id: 'bob2' }],
    });
    await bob.next('documentOpen');
    expect(bob.unreadOf('auth')).toEqual([]);
    ann.client.send(unlock);
    expect((await bob.next('auth')).participants).toHaveLength(2);
    await ann.client.settled();
    expect(ann.client.unreadOf('auth')).toEqual([]);
  });

  it('[WA2] a save of the first with unlock lets the second in, who gets its changes once', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    await takeSaveLock(ann.client, 1);
    ann.client.send(saveMessage(['2;b'], { unlock: true, deleteIndex: 1 }));
    expect(await ann.client.next('unSaveLock')).toMatchObject({ index: -1, syncChangesIndex: 2 });
    const history = await bob.next('authChanges');
    expect(history.changes.map(({ change }) => change)).toEqual(['"1;a"', '"2;b"']);
    await bob.next('auth');
    await bob.settled();
    expect(bob.unreadOf('saveChanges')).toEqual([]);
  });

  it('[WA3] a third editor who comes while the second waits, waits too, and misses nothing', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    const carol = await knock(key, 'carol');
    await carol.next('waitAuth');
    await takeSaveLock(ann.client, 1);
    ann.client.send(saveMessage(['2;b'], { unlock: true }));
    await ann.client.next('unSaveLock');
    await Promise.all([bob.next('auth'), carol.next('auth')]);
    await save(ann.client, ['3;c'], {}, 2);
    await Promise.all([bob.next('saveChanges'), carol.next('saveChanges')]);
    for (const client of [bob, carol]) expect(changesSeen(client)).toEqual(['1;a', '2;b', '3;c']);
  });

  it('[WA4] when the first leaves or closes, whoever waits is let in', async () => {
    for (const end of [
      (client: RawClient) => client.cut(),
      (client: RawClient) => client.send({ type: 'close' }),
    ]) {
      const key = scene.newKey();
      const ann = await scene.join(key, 'ann');
      const bob = await knock(key, 'bob');
      await bob.next('waitAuth');
      end(ann.client);
      const { participants } = await bob.next('auth');
      expect(participants!.map(({ id }) => id)).toEqual(['bob2']);
    }
  });

  it('[WA5] a waiting editor may go away again without harm to the others', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    const carol = await knock(key, 'carol');
    await carol.next('waitAuth');
    await bob.leave();
    await ann.client.next(
      'connectState',
      ({ participants }) => !participants.some(({ id }) => id === 'bob2'),
    );
    ann.client.send(unlock);
    await carol.next('auth');
    expect((await save(ann.client, ['1;a'])).syncChangesIndex).toBe(1);
  });

  it('[WA6] the history is complete, in order, once, and absent when there is none', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    expect(ann.client.received.map(({ type }) => type)).not.toContain('authChanges');
    await save(ann.client, ['1;a', '2;b']);
    const saved = await save(ann.client, ['3;c'], { deleteIndex: 1 }, 2);
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    const histories = bob.client.received.filter(({ type }) => type === 'authChanges');
    expect(histories).toEqual([
      {
        type: 'authChanges',
        changes: [
          { docid: key, change: '"1;a"', time: expect.any(Number), user: 'ann1', useridoriginal: 'ann' },
          { docid: key, change: '"3;c"', time: saved.time, user: 'ann1', useridoriginal: 'ann' },
        ],
      },
    ]);
  });

  it('[WA7] a long history comes in parts, each after the one before was acknowledged', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const big = Array.from({ length: 5 }, (_, index) => `${index};${'x'.repeat(700_000)}`);
    for (const [index, change] of big.entries()) await save(ann.client, [change], {}, index);
    const bob = await knock(key, 'bob', { supportAuthChangesAck: true });
    await bob.next('waitAuth');
    ann.client.send(unlock);
    await bob.next('authChanges');
    await save(ann.client, ['5;y'], {}, 5);
    await bob.next('saveChanges');
    expect(bob.unreadOf('authChanges')).toEqual([]);
    expect(bob.unreadOf('auth')).toEqual([]);
    bob.send({ type: 'authChangesAck' });
    await bob.next('authChanges');
    expect(bob.unreadOf('auth')).toEqual([]);
    bob.send({ type: 'authChangesAck' });
    await bob.next('auth');
    expect(changesSeen(bob)).toEqual([...big, '5;y']);
  });

  it('[WA8] who joins while others save gets every change, between history and broadcasts without a gap', async () => {
    const { key, ann, bob } = await scene.pair();
    let index = 0;
    const writers = [ann.client, bob.client].map(async (client) => {
      for (let round = 0; round < 20; round += 1) {
        index += 1;
        await save(client, [`${index};a`, `${index};b`]);
      }
    });
    const newcomers = [];
    for (const user of ['carol', 'dave', 'eve']) newcomers.push((await scene.join(key, user)).client);
    await Promise.all(writers);
    const stored = await scene.storedChanges(key);
    expect(stored).toHaveLength(80);
    for (const client of newcomers) {
      await client.settled();
      expect(changesSeen(client)).toEqual(stored);
    }
  });

  it('[WA9] viewers do not wait; live ones get the changes, strict ones do not', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const live = await scene.join(key, 'live', { mode: 'view', coEditingMode: 'fast' });
    const strict = await scene.join(key, 'strict', { mode: 'view', coEditingMode: 'strict' });
    await save(ann.client, ['2;b'], { quireIndex: 1 }, 1);
    expect(await live.client.next('saveChanges')).toMatchObject({ changesIndex: 2 });
    expect(changesSeen(live.client)).toEqual(['1;a', '2;b']);
    await strict.client.settled();
    expect(changesSeen(strict.client)).toEqual([]);
    expect(live.auth.participants).toMatchObject([{ view: false }, { view: true, isLiveViewer: true }]);
    expect(strict.auth.participants!.at(-1)).toMatchObject({ view: true, isLiveViewer: false });
  });

  it('[WA10] answering every connectState with an unlock, as load tests do, harms nobody', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    const carol = await scene.join(key, 'carol');
    for (const { client } of [ann, bob, carol]) {
      client.send({ ...unlock, deleteIndex: -1 });
      client.send({ ...unlock, deleteIndex: -1 });
      await client.settled();
    }
    await save(bob.client, ['1;a']);
    await Promise.all([ann.client.next('saveChanges'), carol.client.next('saveChanges')]);
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
  });

  it('[WA11] a newcomer that does not acknowledge its history holds up nobody else', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const silent = await knock(key, 'silent', { supportAuthChangesAck: true });
    await silent.next('waitAuth');
    ann.client.send(unlock);
    await silent.next('authChanges');
    const carol = await scene.join(key, 'carol');
    await save(carol.client, ['2;b']);
    expect(changesSeen(carol.client)).toEqual(['1;a']);
    expect(await ann.client.next('saveChanges')).toMatchObject({ changesIndex: 2 });
    expect(silent.unreadOf('auth')).toEqual([]);
  });
});

describe('presence', () => {
  it('[PR1] coming and going is told to everybody else, viewers included, and not to whom it is about', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await ann.client.next('connectState', ({ waitAuth }) => waitAuth === false);
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    // Where many come at once, a list may be on its way still that has no bob.
    const seen = await viewer.client.next('connectState', ({ participants }) => participants.length === 3);
    expect(seen.participants.map(({ id }) => id)).toEqual(['ann1', 'viewer2', 'bob3']);
    expect(seen.participantsTimestamp).toBeGreaterThan(Date.now() - 60_000);
    await bob.client.leave();
    for (const { client } of [ann, viewer]) {
      const left = await client.next('connectState', ({ participants }) => participants.length === 2);
      expect(left.waitAuth).toBe(false);
    }
    expect(bob.client.unreadOf('connectState')).toEqual([]);
  });

  it('[PR2] who closes stays attached, gets a session token, and hears no broadcasts any more', async () => {
    const { ann, bob } = await scene.pair();
    bob.client.send({ type: 'close' });
    await bob.client.next('refreshToken');
    const { participants } = await ann.client.next('connectState', ({ waitAuth }) => !waitAuth);
    expect(participants.map(({ id }) => id)).toEqual(['ann1']);
    await save(ann.client, ['1;a']);
    ann.client.send({ type: 'message', message: 'hello' });
    ann.client.send({ type: 'cursor', cursor: '1;x' });
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await ann.client.next('getLock');
    bob.client.send({ type: 'openDocument', message: { c: 'open' } });
    await bob.client.next('documentOpen');
    const heard = bob.client.unread.map(({ type }) => type);
    for (const type of ['saveChanges', 'message', 'cursor', 'getLock']) expect(heard).not.toContain(type);
    bob.client.send({ type: 'isSaveLock' });
    expect(await bob.client.next('disconnectReason')).toMatchObject({ code: 4004 });
  });

  it('[PR3] closing again, and losing the connection after it, does nothing more', async () => {
    const { key, ann, bob } = await scene.pair();
    bob.client.send({ type: 'close' });
    await ann.client.next('connectState', ({ participants }) => participants.length === 1);
    bob.client.send({ type: 'close' });
    await bob.client.leave();
    await scene.integrator.waitForCallback(key, ({ body }) =>
      JSON.stringify(body.actions).includes('"type":0'),
    );
    await ann.client.settled();
    expect(ann.client.unreadOf('connectState').filter(({ waitAuth }) => !waitAuth)).toEqual([]);
    const leaves = scene.integrator.callbacks.filter(
      ({ key: of, body }) => of === key && JSON.stringify(body.actions).includes('"type":0'),
    );
    expect(leaves).toHaveLength(1);
  });

  it('[PR4] a client that does not say isCloseCoAuthoring is in co-editing like any other', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, { status: 500, body: '' });
    const ann = await scene.join(key, 'ann', { isCloseCoAuthoring: undefined });
    expect(ann.auth.participants).toMatchObject([{ isCloseCoAuthoring: false }]);
    await ann.client.next('warning');
    expect(await scene.command({ c: 'drop', key })).toMatchObject({ error: 0 });
    await ann.client.next('drop');
  });
});
