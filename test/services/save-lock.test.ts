import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { CLOSING_GRACE_MS: '60000' } });
});
afterAll(() => scene?.close());

describe('the turn to save', () => {
  it('[SV21] who asks while another saves waits and is answered in order of asking', async () => {
    const { key, ann, bob } = await scene.pair();
    const carol = await scene.join(key, 'carol');
    const dave = await scene.join(key, 'dave');
    await takeSaveLock(ann.client);
    const order: string[] = [];
    const waiting = [carol, bob, dave];
    const turns: Promise<void>[] = [];
    for (const { client, auth } of waiting) {
      client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
      await client.settled();
      turns.push(
        (async () => {
          expect(await client.next('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
          order.push(`${auth.indexUser}`);
          client.send(saveMessage([`${auth.indexUser};x`]));
          await client.next('unSaveLock');
        })(),
      );
    }
    for (const { client } of waiting) expect(client.unreadOf('saveLock')).toEqual([]);
    ann.client.send(saveMessage(['1;x']));
    await Promise.all(turns);
    expect(order).toEqual(['3', '2', '4']);
    expect(await scene.storedChanges(key)).toEqual(['1;x', '3;x', '2;x', '4;x']);
  });

  it('[SV22] the turn passes on when its holder leaves, closes, or gives it back', async () => {
    for (const give of [
      (client: RawClient) => client.cut(),
      (client: RawClient) => client.send({ type: 'close' }),
      (client: RawClient) => client.send({ type: 'unSaveLock' }),
      (client: RawClient) => client.send({ type: 'unLockDocument', isSave: true }),
    ]) {
      const { ann, bob } = await scene.pair();
      await takeSaveLock(ann.client);
      bob.client.send({ type: 'isSaveLock' });
      await bob.client.settled();
      give(ann.client);
      expect(await bob.client.next('saveLock')).toMatchObject({ saveLock: false });
    }
  });

  it('[SV23] who left while it waited is passed over, and who asks twice has one place', async () => {
    const { key, ann, bob } = await scene.pair();
    const carol = await scene.join(key, 'carol');
    await takeSaveLock(ann.client);
    bob.client.send({ type: 'isSaveLock' });
    await bob.client.settled();
    carol.client.send({ type: 'isSaveLock' });
    carol.client.send({ type: 'isSaveLock' });
    await carol.client.settled();
    await bob.client.leave();
    ann.client.send(saveMessage(['1;a']));
    expect(await carol.client.next('saveLock')).toMatchObject({ saveLock: false });
    carol.client.send(saveMessage(['2;b']));
    await carol.client.next('unSaveLock');
    await carol.client.settled();
    expect(carol.client.unreadOf('saveLock')).toEqual([]);
    await save(ann.client, ['3;c'], {}, 2);
  });

  it('[SV24] the holder is granted again when it asks again', async () => {
    const { client } = await scene.join(scene.newKey(), 'ann');
    await takeSaveLock(client);
    await takeSaveLock(client);
    client.send(saveMessage(['1;a']));
    await client.next('unSaveLock');
  });

  it('[SV25] a document that could not be opened takes no saves', async () => {
    const key = scene.newKey();
    const client = await scene.connect(key);
    client.send(
      scene.authMessage(key, 'ann', {
        openCmd: { c: 'open', id: key, format: 'docx', url: 'http://127.0.0.1:1/' },
      }),
    );
    await client.next('auth');
    client.send({ type: 'isSaveLock' });
    expect(await client.next('saveLock')).toMatchObject({ saveLock: true });
  });

  it('[SV28] who waited on a connection that its session has left is not given the turn there', async () => {
    const { key, ann, bob } = await scene.pair();
    const carol = await scene.join(key, 'carol');
    await takeSaveLock(ann.client);
    bob.client.send({ type: 'isSaveLock' });
    await bob.client.settled();
    const back = await scene.connect(key);
    back.send(scene.returningMessage(bob, { quireSyncIndex: 0 }));
    await back.next('auth');
    carol.client.send({ type: 'isSaveLock' });
    await carol.client.settled();
    ann.client.send(saveMessage(['1;a']));
    expect(await carol.client.next('saveLock')).toMatchObject({ saveLock: false });
    carol.client.send(saveMessage(['2;c']));
    await carol.client.next('unSaveLock');
    await save(back, ['3;b'], {}, 2);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;c', '3;b']);
  });
});
