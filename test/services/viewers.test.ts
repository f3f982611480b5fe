import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const look = { mode: 'view', coEditingMode: 'fast' };
const unlock = { type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null };

/** What a viewer has, as the protocol says to count it. */
function seenBy({ received }: RawClient): string[] {
  const seen: string[] = [];
  for (const message of received) {
    if (message.type === 'authChanges') seen.push(...message.changes.map(({ change }) => JSON.parse(change)));
    if (message.type !== 'saveChanges') continue;
    const first = message.changesIndex - message.changes.length;
    if (first > seen.length) throw new Error('A change is missing.');
    seen.splice(first, seen.length - first, ...message.changes.map(({ change }) => JSON.parse(change)));
  }
  return seen;
}

describe('live viewers of an editor who is alone', () => {
  it('[PR6] are told to open the document anew when what they were shown is taken back', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a', '2;b', '3;c']);
    const viewer = await scene.join(key, 'viewer', look);
    expect(seenBy(viewer.client)).toHaveLength(3);
    await save(ann.client, ['2;d'], { deleteIndex: 1 }, 3);
    expect(await viewer.client.next('error')).toMatchObject({ code: 4010 });
    await save(ann.client, ['3;e'], { deleteIndex: 2 }, 2);
    const again = await scene.join(key, 'viewer', look);
    expect(seenBy(again.client)).toEqual(['1;a', '2;d', '3;e']);
    expect(viewer.client.unreadOf('saveChanges')).toEqual([]);
  });

  it('[PR6] cannot go on with a session in which they were shown it, also when their connection was lost before', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a', '2;b']);
    const viewer = await scene.join(key, 'viewer', look);
    viewer.client.cut();
    await ann.client.next('connectState', ({ participants }) => participants.length === 1);
    await save(ann.client, ['2;c'], { deleteIndex: 1 }, 2);
    // The next second would tell a client without an index that it has missed something in any case.
    const back = await scene.connect(key);
    back.send(scene.returningMessage(viewer, { ...look, quireSyncIndex: 2 }));
    expect(await back.next('error')).toMatchObject({ code: 4010 });
  });

  it('[PR7] are shown at once what nobody can take back: when others edit, and when the last editor has left', async () => {
    const { key, ann, bob } = await scene.pair();
    const { client } = await scene.join(key, 'viewer', look);
    await save(ann.client, ['1;a']);
    expect(await client.next('saveChanges')).toMatchObject({ changesIndex: 1 });
    await bob.client.leave();
    await save(ann.client, ['2;b'], {}, 1);
    const carol = await scene.connect(key);
    carol.send(scene.authMessage(key, 'carol', { supportAuthChangesAck: false }));
    await ann.client.next('connectState', ({ waitAuth }) => waitAuth === true);
    ann.client.send(unlock);
    await carol.next('auth');
    await save(carol, ['3;c'], {}, 2);
    await client.next('saveChanges', ({ changesIndex }) => changesIndex === 3);
    expect(seenBy(client)).toEqual(['1;a', '2;b', '3;c']);
    await carol.leave();
    await save(ann.client, ['4;d'], {}, 3);
    await ann.client.leave();
    await client.next('saveChanges', ({ changesIndex }) => changesIndex === 4);
    expect(seenBy(client)).toEqual(['1;a', '2;b', '3;c', '4;d']);
  });

  it('[PR7] are shown at once what a client saves that names the place of its changes', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const { client } = await scene.join(key, 'viewer', look);
    await save(ann.client, ['1;a'], { quireIndex: 0 });
    await ann.client.settled();
    await client.settled();
    expect(seenBy(client)).toEqual(['1;a']);
  });

  it('[PR8] strict ones are shown nothing and hear of no undo', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const strict = await scene.join(key, 'viewer', { mode: 'view', coEditingMode: 'strict' });
    await save(ann.client, ['1;a', '2;b']);
    await save(ann.client, ['2;c'], { deleteIndex: 1 }, 2);
    await ann.client.leave();
    await strict.client.next('connectState', ({ participants }) => participants.length === 1);
    for (const type of ['authChanges', 'saveChanges', 'error', 'getLock', 'releaseLock'] as const) {
      expect(strict.client.unreadOf(type)).toEqual([]);
    }
  });
});
