import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let shortLease: Scene;

beforeAll(async () => {
  [scene, shortLease] = await Promise.all([
    Scene.open({ environment: { FIRST_EDITOR_PATIENCE_MS: '3000' } }),
    Scene.open({ environment: { SAVE_LOCK_LEASE_MS: '5000' } }),
  ]);
});
afterAll(() => Promise.all([scene?.close(), shortLease?.close()]));

describe.concurrent('what waits for somebody who is silent', () => {
  it('[WA12] a silent first editor is not punished: the newcomer is let in, and what it got is final', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a', '2;b']);
    const bob = await scene.connect(key);
    bob.send(scene.authMessage(key, 'bob', { supportAuthChangesAck: false }));
    await bob.next('waitAuth');
    await bob.next('auth');
    expect(ann.client.unreadOf('disconnectReason')).toEqual([]);
    await takeSaveLock(ann.client, 2);
    ann.client.send(saveMessage(['3;c'], { deleteIndex: 1 }));
    expect(await ann.client.next('error')).toMatchObject({ code: 4010 });
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
    await save(bob, ['4;d'], {}, 2);
  });

  it('[SV26] who waits too long for its turn is refused before it gives up, and may ask again', async () => {
    const { ann, bob } = await scene.pair();
    await takeSaveLock(ann.client);
    bob.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    expect(await bob.client.next('saveLock')).toMatchObject({ saveLock: true });
    bob.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    await bob.client.settled();
    ann.client.send({ type: 'unSaveLock' });
    expect(await bob.client.next('saveLock')).toMatchObject({ saveLock: false });
  });

  it('[SV27] a turn that is not used is lost after its time, and its late save is not stored out of turn', async () => {
    const { key, ann, bob } = await shortLease.pair();
    await takeSaveLock(ann.client);
    bob.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    expect(await bob.client.next('saveLock')).toMatchObject({ saveLock: false });
    ann.client.send(saveMessage(['1;a']));
    expect((await ann.client.closed).dismissed).toBe(false);
    bob.client.send(saveMessage(['1;b']));
    await bob.client.next('unSaveLock');
    expect(await shortLease.storedChanges(key)).toEqual(['1;b']);
  });
});
