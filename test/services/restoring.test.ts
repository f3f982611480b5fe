import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Sent } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { CLOSING_GRACE_MS: '20000', RECONNECT_GRACE_MS: '20000' } });
});
afterAll(() => scene?.close());

/** A connection that asks to go on with a session. */
async function comeBack(session: SignedIn, changes: Sent = {}) {
  const client = await scene.connect(session.client.key);
  client.send(scene.returningMessage(session, changes));
  return client;
}

/** Waits until the last editor of a document is known to have left. */
const isClosing = (key: string) =>
  eventually(
    async () =>
      (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0],
    ({ state }: { state: string }) => state === 'closing',
  );

describe('going on with a session', () => {
  it('[RS1] after a lost connection a session goes on, with its index and locks and without a new token', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await ann.client.next('getLock');
    ann.client.cut();
    const back = await comeBack(ann, { block: ['p1'] });
    expect((await back.next('getLock')).locks).toMatchObject({ p1: { user: 'ann1' } });
    const auth = await back.next('auth');
    expect(auth).toMatchObject({
      sessionId: ann.auth.sessionId,
      indexUser: 1,
      locks: { p1: { user: 'ann1' } },
    });
    expect(auth.participants).toMatchObject([{ id: 'ann1', connectionId: back.connectionId }]);
    expect(auth).not.toHaveProperty('jwt');
    await back.settled();
    for (const type of ['authChanges', 'waitAuth', 'documentOpen'] as const) {
      expect(back.unreadOf(type)).toEqual([]);
    }
    await save(back, ['2;b'], {}, 1);
  });

  it('[RS2] when somebody else saved meanwhile, a client that cannot catch up is told, and stays connected', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.cut();
    await bob.client.next('connectState', ({ participants }) => participants.length === 1);
    await save(bob.client, ['1;b']);
    const back = await comeBack(ann);
    await back.next('refreshToken');
    expect(await back.next('error')).toEqual({
      type: 'error',
      description: 'Restore error. Document modified.',
      code: 4010,
    });
    back.send({ type: 'close' });
    back.send({ type: 'openDocument', message: { c: 'open' } });
    await back.next('documentOpen');
    await save(bob.client, ['2;b'], {}, 1);
    expect(back.unreadOf('saveChanges')).toEqual([]);
  });

  it('[RS3] who has seen the newest change of others goes on, however many saves share its second', async () => {
    const { key, ann, bob } = await scene.pair();
    const { time } = await save(bob.client, ['1;b']);
    await ann.client.next('saveChanges');
    ann.client.cut();
    let back = await comeBack(ann, { lastOtherSaveTime: time });
    await back.next('auth');
    const times = [time];
    for (let index = 1; index < 20; index += 1) {
      times.push((await save(bob.client, [`${index};b`], {}, index)).time);
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    back.cut();
    back = await comeBack(ann, { lastOtherSaveTime: times.at(-1) });
    await back.next('auth');
    back.cut();
    const late = await comeBack(ann, { lastOtherSaveTime: times.at(-2) });
    expect(await late.next('error')).toMatchObject({ code: 4010 });
    // A time at which nobody saved says nothing of what its client has.
    for (const invented of [times.at(-1)! + 1, 8_000_000_000_000_001, 8_000_000_000_000_000]) {
      const eve = await comeBack(ann, { lastOtherSaveTime: invented });
      expect(await eve.next('error')).toMatchObject({ code: 4010 });
      eve.cut();
    }
    expect(await scene.storedChanges(key)).toHaveLength(20);
  });

  it('[RS22] a client that keeps whole seconds goes on when they leave no doubt', async () => {
    const { ann, bob } = await scene.pair();
    const inSecond = (time: number) => Math.floor(time / 1_000) * 1_000;
    const { time } = await save(bob.client, ['1;b']);
    ann.client.cut();
    const back = await comeBack(ann, { lastOtherSaveTime: inSecond(time) });
    await back.next('auth');
    back.cut();
    let last = time;
    let before = 0;
    for (let index = 1; inSecond(last) !== inSecond(before); index += 1) {
      before = last;
      last = (await save(bob.client, [`${index};b`], {}, index)).time;
    }
    const again = await comeBack(ann, { lastOtherSaveTime: inSecond(last) });
    expect(await again.next('error')).toMatchObject({ code: 4010 });
  });

  it('[RS4] a client that says how many changes it has is given the rest before it goes on', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a']);
    ann.client.cut();
    await save(bob.client, ['2;b', '3;b'], {}, 1);
    await save(bob.client, ['4;b'], {}, 3);
    const back = await comeBack(ann, { quireSyncIndex: 2 });
    await back.next('auth');
    const missed = back.received.flatMap((message) => (message.type === 'saveChanges' ? [message] : []));
    expect(
      missed.map(({ changes, changesIndex }) => [changes.map(({ change }) => change), changesIndex]),
    ).toEqual([
      [['"3;b"'], 3],
      [['"4;b"'], 4],
    ]);
    const positions = back.received.map(({ type }) => type);
    expect(positions.lastIndexOf('saveChanges')).toBeLessThan(positions.indexOf('auth'));
    await save(back, ['5;a'], {}, 4);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;b', '4;b', '5;a']);
  });

  it('[RS5] a client that claims more changes than there are cannot go on', async () => {
    const { ann } = await scene.pair();
    ann.client.cut();
    const back = await comeBack(ann, { quireSyncIndex: 1 });
    expect(await back.next('error')).toMatchObject({ code: 4010 });
  });

  it('[RS6] a session id is a secret that others neither see nor guess', async () => {
    const { ann, bob } = await scene.pair();
    const frames = bob.client.frames.join('\n');
    expect(frames).not.toContain(ann.auth.sessionId);
    const me = { indexUser: 1, username: 'Ann' };
    for (const theft of [
      { sessionId: ann.client.connectionId, user: { id: 'ann', ...me } },
      { sessionId: bob.auth.sessionId, user: { id: 'ann', ...me } },
      { sessionId: ann.auth.sessionId, user: { id: 'bob', indexUser: 2, username: 'Bob' } },
      { sessionId: ann.auth.sessionId, docid: scene.newKey() },
      { sessionId: ann.auth.sessionId, sessionTimeConnect: ann.auth.sessionTimeConnect! + 1 },
    ]) {
      const thief = await scene.connect(ann.client.key);
      thief.send(scene.returningMessage(ann, { jwtSession: undefined, ...theft }));
      expect(await thief.next('disconnectReason')).toMatchObject({ code: 4004 });
      expect((await thief.closed).dismissed).toBe(true);
    }
    await save(bob.client, ['1;b']);
    expect(await ann.client.next('saveChanges')).toMatchObject({ changesIndex: 1 });
  });

  it('[RS7] a session may go on while its old connection still looks alive, and nobody sees it leave', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await bob.client.next('getLock');
    const back = await comeBack(ann, { block: ['p1'] });
    const auth = await back.next('auth');
    expect(auth.participants!.map(({ id }) => id).sort()).toEqual(['ann1', 'bob2']);
    ann.client.cut();
    await save(bob.client, ['1;b']);
    await back.next('saveChanges');
    expect(bob.client.unreadOf('releaseLock')).toEqual([]);
    const lists = bob.client.unreadOf('connectState').map(({ participants }) => participants.length);
    expect(lists.filter((length) => length !== 2)).toEqual([]);
  });

  it('[RS8] when others hold a lock the client had, it cannot go on', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await bob.client.next('getLock');
    ann.client.cut();
    await bob.client.next('releaseLock');
    bob.client.send({ type: 'getLock', block: ['p1'] });
    await bob.client.next('getLock');
    const back = await comeBack(ann, { block: ['p1'] });
    expect(await back.next('error')).toMatchObject({
      code: 4010,
      description: 'Restore error. Locks not checked.',
    });
  });

  it('[RS9] who was out of co-editing comes back as that, without a list of participants', async () => {
    const { ann, bob } = await scene.pair();
    bob.client.send({ type: 'close' });
    const { messages } = await bob.client.next('refreshToken');
    bob.client.cut();
    const back = await comeBack(bob, { isCloseCoAuthoring: true, jwtSession: messages });
    const auth = await back.next('auth');
    expect(auth).not.toHaveProperty('participants');
    await save(ann.client, ['1;a']);
    await back.settled();
    expect(back.unreadOf('saveChanges')).toEqual([]);
  });

  it('[RS10] strict viewers go on whatever happened, live ones when they have seen everything', async () => {
    const { key, ann } = await scene.pair();
    const strict = { mode: 'view', coEditingMode: 'strict' };
    const live = { mode: 'view', coEditingMode: 'fast' };
    const viewer = await scene.join(key, 'viewer', strict);
    const watcher = await scene.join(key, 'watcher', live);
    viewer.client.cut();
    const { time } = await save(ann.client, ['1;a']);
    await watcher.client.next('saveChanges');
    watcher.client.cut();
    expect(await (await comeBack(viewer, strict)).next('auth')).toMatchObject({ indexUser: 3 });
    const back = await comeBack(watcher, { ...live, lastOtherSaveTime: time });
    expect(await back.next('auth')).toMatchObject({ indexUser: 4 });
    back.cut();
    await save(ann.client, ['2;a'], {}, 1);
    const late = await comeBack(watcher, { ...live, lastOtherSaveTime: time });
    expect(await late.next('error')).toMatchObject({ code: 4010 });
  });

  it('[RS23] an editor who comes back to look leaves turn and locks to others, and takes none', async () => {
    const { key, ann, bob } = await scene.pair();
    await takeSaveLock(ann.client);
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await bob.client.next('getLock');
    for (const coEditingMode of ['fast', 'strict']) {
      const back = await comeBack(ann, { mode: 'view', coEditingMode, block: ['p1', 'p2'] });
      expect((await back.next('auth')).participants).toMatchObject([
        { idOriginal: 'bob' },
        { idOriginal: 'ann', view: true },
      ]);
    }
    bob.client.send({ type: 'getLock', block: ['p1', 'p2'] });
    const { locks } = await bob.client.next('getLock', ({ locks }) => 'p2' in locks);
    expect(Object.values(locks).map(({ user }) => user)).toEqual(['bob2', 'bob2']);
    await save(bob.client, ['1;b']);
    await bob.client.leave();
    await isClosing(key);
  });

  it('[RS23] the last editor who comes back to look has left the document to be closed', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const back = await comeBack(ann, { mode: 'view', coEditingMode: 'fast', block: [], quireSyncIndex: 1 });
    await back.next('auth');
    await isClosing(key);
  });

  it('[RS11] a session of a document that does not exist cannot go on', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
    await scene.database.pool.query('DELETE FROM documents WHERE key = $1', [key]);
    const back = await comeBack(ann);
    expect(await back.next('error')).toMatchObject({ code: 4009, description: 'Other error' });
  });

  it('[RS12] coming back in time calls off the closing, and the document is closed once', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    await ann.client.leave();
    const state = async () =>
      (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0]?.state;
    await eventually(state, (one) => one === 'closing');
    const back = await comeBack(ann);
    await back.next('auth');
    expect(await state()).toBe('open');
    await save(back, ['2;b'], {}, 1);
    back.send({ type: 'close' });
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
    expect(body).toMatchObject({ users: ['ann'] });
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
  });

  it('[RS13] a session whose document was handed over meanwhile cannot go on as if nothing was', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, 'never');
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    ann.client.send({ type: 'close' });
    await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
    ann.client.cut();
    const back = await comeBack(ann);
    expect(await back.next('error')).toMatchObject({ code: 4008, description: 'Update Version error' });
  });
});

describe('a server that dies', () => {
  it('[RS14, RS15] sessions, changes and indices outlive kills, locks are asked for again, and a save that is cut off is neither lost nor doubled when it is sent again', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a']);
    await bob.client.next('saveChanges');
    await takeSaveLock(bob.client, 1);
    await scene.quire.kill();
    expect((await ann.client.closed).dismissed).toBe(false);
    /** Both come back, and Bob sends his save. */
    const goOn = async () => {
      const annBack = await comeBack(ann, { block: ['p1'], quireSyncIndex: 1 });
      expect(await annBack.next('auth')).toMatchObject({ locks: { p1: { user: 'ann1' } } });
      const bobBack = await comeBack(bob, { quireSyncIndex: 1 });
      await bobBack.next('auth');
      await takeSaveLock(bobBack, 1);
      bobBack.send(saveMessage(['2;b'], { reSave: 2 }));
      return { annBack, bobBack };
    };
    for (const [point, stored] of [
      ['save:received', 1],
      ['save:committed', 2],
    ] as const) {
      await scene.quire.restart({ FAULT_POINT: point });
      const died = scene.quire.died();
      await goOn();
      await died;
      expect(await scene.storedChanges(key), point).toHaveLength(stored);
    }
    await scene.quire.restart({ FAULT_POINT: '' });
    const { annBack, bobBack } = await goOn();
    expect(await bobBack.next('unSaveLock')).toMatchObject({ index: 1, syncChangesIndex: 2 });
    await annBack.next('saveChanges');
    const carol = await scene.join(key, 'carol');
    expect(carol.auth.indexUser).toBe(3);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[RS16] an orderly stop sends everybody away so that they come back, and nobody is taken to have left', async () => {
    const { key, ann } = await scene.pair();
    await save(ann.client, ['1;a']);
    expect(await scene.quire.stop()).toBe(0);
    expect((await ann.client.closed).dismissed).toBe(false);
    await scene.quire.restart();
    const back = await comeBack(ann, { quireSyncIndex: 1 });
    await back.next('auth');
    expect(scene.integrator.callbacksOf(key)).toEqual([]);
    await save(back, ['2;b'], {}, 1);
  });
});
