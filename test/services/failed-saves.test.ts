import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { RawClient } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { CLOSING_GRACE_MS: '60000' } });
});
afterAll(() => scene?.close());

describe('saves that go wrong', () => {
  it('[SV7] what was received of a save before the connection ended is stored, deletion and all', async () => {
    const connections = () => scene.metric('quire_connections{transport="engine_io"}');
    for (const end of [
      (client: RawClient) => client.leave(),
      async (client: RawClient) => client.endWriting(),
    ]) {
      const key = scene.newKey();
      const { client } = await scene.join(key, 'ann');
      await save(client, ['1;a', '2;b', '3;c']);
      await takeSaveLock(client, 3);
      const before = await connections();
      const blocking = await scene.database.pool.connect();
      try {
        await blocking.query('BEGIN');
        await blocking.query('LOCK TABLE batches IN EXCLUSIVE MODE');
        client.send(saveMessage(['4;d'], { deleteIndex: 1, endSaveChanges: false }));
        client.send(saveMessage(['5;e'], { startSaveChanges: false }));
        await end(client);
        await eventually(connections, (count) => count < before);
      } finally {
        await blocking.query('ROLLBACK');
        blocking.release();
      }
      const wanted = ['1;a', '4;d', '5;e'];
      const stored = await eventually(
        () => scene.storedChanges(key),
        (changes) => changes.at(-1) === wanted.at(-1),
      );
      expect(stored).toEqual(wanted);
    }
  });

  it('[SV8] changes that are no list of texts end the connection with a reason and block nobody', async () => {
    for (const changes of ['{', '{}', '[1]', '"x"', '["a",', 'null']) {
      const { key, ann, bob } = await scene.pair();
      await takeSaveLock(ann.client);
      ann.client.send({ ...saveMessage([]), changes });
      expect(await ann.client.next('disconnectReason')).toMatchObject({ code: 4004 });
      expect((await ann.client.closed).dismissed).toBe(true);
      await save(bob.client, ['1;b']);
      expect(await scene.storedChanges(key)).toEqual(['1;b']);
    }
  });

  it('[SV16] a save without its turn is not met with silence, and its sender comes back and saves', async () => {
    const { key, ann, bob } = await scene.pair();
    await takeSaveLock(ann.client);
    bob.client.send(saveMessage(['1;b']));
    expect((await bob.client.closed).dismissed).toBe(false);
    ann.client.send(saveMessage(['1;a']));
    await ann.client.next('unSaveLock');
    const back = await scene.connect(key);
    back.send(scene.returningMessage(bob, { quireSyncIndex: 0 }));
    await back.next('auth');
    await save(back, ['1;b'], { reSave: 2 }, 1);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '1;b']);
  });

  it('[SV20] a batch that names an index beyond the end sends its client back to learn what is stored', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    await takeSaveLock(ann.client, 1);
    ann.client.send(saveMessage(['2;b'], { quireIndex: 5 }));
    expect((await ann.client.closed).dismissed).toBe(false);
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
  });

  it('[SV29] a save that the database refuses is not met with silence, and is stored when it is sent again', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a']);
    await takeSaveLock(ann.client, 1);
    await scene.database.pool.query('ALTER TABLE batches RENAME TO batches_away');
    try {
      ann.client.send(saveMessage(['2;b']));
      expect((await ann.client.closed).dismissed).toBe(false);
    } finally {
      await scene.database.pool.query('ALTER TABLE batches_away RENAME TO batches');
    }
    expect(await save(bob.client, ['2;c'], {}, 1)).toMatchObject({ syncChangesIndex: 2 });
    const back = await scene.connect(key);
    back.send(scene.returningMessage(ann, { quireSyncIndex: 1 }));
    await back.next('auth');
    await save(back, ['2;b'], { reSave: 2 }, 2);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;c', '2;b']);
  });
});
