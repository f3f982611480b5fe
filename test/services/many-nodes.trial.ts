import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hasRedis } from '../support/redis.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';

describe.skipIf(!hasRedis)('documents on several nodes', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ nodes: 2, environment: { CLOSING_GRACE_MS: '300' } });
  });
  afterAll(() => scene?.close());

  const stateOf = async (key: string) =>
    (await scene.database.pool.query<{ state: string }>('SELECT state FROM documents WHERE key = $1', [key]))
      .rows[0]?.state;

  test('[MN10] two servers serve one document as one would', async () => {
    const { key, ann, bob } = await scene.pair();
    ann.client.send({ type: 'message', message: 'hello' });
    expect((await bob.client.next('message')).messages?.[0]?.message).toBe('hello');
    bob.client.send({ type: 'cursor', cursor: '7' });
    expect((await ann.client.next('cursor')).messages[0]!.cursor).toBe('7');
    await save(ann.client, ['a1', 'a2']);
    expect(await bob.client.next('saveChanges')).toMatchObject({ changesIndex: 2, endSaveChanges: true });
    await takeSaveLock(bob.client, 2);
    ann.client.send({ type: 'isSaveLock', syncChangesIndex: 2 });
    await ann.client.settled();
    bob.client.send(saveMessage(['b1']));
    expect(await ann.client.next('saveChanges')).toMatchObject({ changesIndex: 3 });
    expect(await ann.client.next('saveLock')).toMatchObject({ saveLock: false });
    ann.client.send({ type: 'getLock', block: ['p1'] });
    expect((await bob.client.next('getLock')).locks).toHaveProperty('p1');
    bob.client.send({ type: 'getLock', block: ['p1'] });
    expect((await bob.client.next('getLock')).locks).toMatchObject({
      p1: { user: `ann${ann.auth.indexUser}` },
    });
    ann.client.cut();
    await bob.client.next('releaseLock');
    await bob.client.next('connectState', ({ participants }) => participants.length === 1);
    expect(await stateOf(key)).toBe('open');
    bob.client.cut();
    await eventually(
      () => stateOf(key),
      (state) => state !== 'open',
    );
    expect(await scene.storedChanges(key)).toEqual(['a1', 'a2', 'b1']);
  });

  test('[MN11] commands answer for all nodes, whichever is asked', async () => {
    const { key, ann, bob } = await scene.pair();
    for (const [at, { address }] of scene.nodes.entries()) {
      const user = `viewer-${at}`;
      const viewer = await scene.connectTo((at + 1) % scene.nodes.length, key);
      viewer.send(scene.authMessage(key, user, { mode: 'view' }));
      await viewer.next('auth');
      const command = async (parameters: object) =>
        (
          await fetch(`${address}/command`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ key, ...parameters }),
          })
        ).json() as Promise<{ error: number; users?: string[] }>;
      expect((await command({ c: 'info' })).users?.sort()).toEqual(['ann', 'bob']);
      expect(await command({ c: 'meta', meta: { title: 'Other.docx' } })).toMatchObject({ error: 0 });
      for (const { client } of [ann, bob]) {
        expect((await client.next('meta')).messages.title).toBe('Other.docx');
      }
      expect(await command({ c: 'drop', users: [user] })).toMatchObject({ error: 0 });
      await viewer.next('drop');
    }
    for (const { client } of [ann, bob]) expect(client.unreadOf('drop')).toEqual([]);
    for (const { client } of [ann, bob]) client.cut();
  });

  test('[MN25] who came to edit while another node opened the document for a viewer alone may save', async () => {
    const key = scene.newKey();
    const setState = (state: string) =>
      scene.database.pool.query('UPDATE documents SET state = $2, epoch = epoch + 1 WHERE key = $1', [
        key,
        state,
      ]);
    const viewer = await scene.connectTo(0, key);
    viewer.send(scene.authMessage(key, 'vic', { mode: 'view' }));
    await viewer.next('documentOpen');
    expect(await stateOf(key)).toBe('idle');
    await setState('opening');
    const ann = await scene.connectTo(1, key);
    ann.send(scene.authMessage(key, 'ann', { openCmd: undefined }));
    await ann.next('auth');
    await setState('idle');
    const { openCmd } = scene.authMessage(key, 'ann');
    ann.send({ type: 'openDocument', message: openCmd });
    expect((await ann.next('documentOpen')).data.status).toBe('ok');
    await save(ann, ['a1']);
    expect(await stateOf(key)).toBe('open');
    expect(await scene.storedChanges(key)).toEqual(['a1']);
    for (const client of [viewer, ann]) client.cut();
  });

  test('[MN12] when a node is killed its members go on on another one, and what only it had open is closed', async () => {
    const both = await scene.pair();
    const alone = await onNode(scene, 1);
    await save(both.bob.client, ['b1']);
    await save(alone.client, ['x1']);
    await both.ann.client.next('saveChanges');
    await scene.nodes[1]!.kill();
    try {
      const back = await onNode(scene, 0, both.bob);
      expect(back.auth.result).toBe(1);
      await save(back.client, ['b2'], {}, 1);
      expect(await both.ann.client.next('saveChanges')).toMatchObject({ changesIndex: 2 });
      await save(both.ann.client, ['a1'], {}, 2);
      expect(await back.client.next('saveChanges')).toMatchObject({ changesIndex: 3 });
      await eventually(
        () => stateOf(alone.client.key),
        (state) => state !== 'open',
      );
      expect(await stateOf(both.key)).toBe('open');
      expect(await scene.storedChanges(both.key)).toEqual(['b1', 'b2', 'a1']);
    } finally {
      await scene.nodes[1]!.restart();
    }
  });
});

/** Somebody who connects to this node: for a new document, or back into a session. */
async function onNode(scene: Scene, at: number, returning: SignedIn | null = null): Promise<SignedIn> {
  const key = returning ? returning.client.key : scene.newKey();
  const client = await scene.connectTo(at, key);
  client.send(
    returning
      ? scene.returningMessage(returning, { quireSyncIndex: 1 })
      : scene.authMessage(key, 'zoe', { supportAuthChangesAck: false }),
  );
  const auth = await client.next('auth');
  if (!returning) await client.next('documentOpen');
  return { client, auth };
}
