import { describe, expect, it } from 'vitest';
import { saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

describe('a client that knows the protocol and nothing of this server', () => {
  it.for([
    ['FT4', 'save:committed'],
    ['FT5', 'save:received'],
  ] as const)('[%s] repeats its batch after the server died at %s: it is stored once', async ([, point]) => {
    const scene = await Scene.open({ environment: { FAULT_POINT: point, RECONNECT_GRACE_MS: '15000' } });
    try {
      const key = scene.newKey();
      const before = await scene.join(key, 'ann');
      const batch = saveMessage(['1;a', '2;b']);
      await takeSaveLock(before.client, 0);
      before.client.send(batch);
      await Promise.all([scene.quire.died(), before.client.closed]);
      await scene.quire.restart();
      const after = await scene.connect(key);
      after.send(scene.returningMessage(before));
      await after.next('auth');
      await takeSaveLock(after, 0);
      after.send(batch);
      expect(await after.next('unSaveLock')).toMatchObject({ index: 0, syncChangesIndex: 2 });
      expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
      await takeSaveLock(after, 2);
      after.send(saveMessage(['3;c']));
      expect(await after.next('unSaveLock')).toMatchObject({ index: 2, syncChangesIndex: 3 });
      expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b', '3;c']);
    } finally {
      await scene.close();
    }
  });
});
