import { expect, test } from 'vitest';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

test('[PR5] live viewers are shown what an editor who is alone saved after a while, so that what is taken back soon is never shown', async () => {
  const scene = await Scene.open();
  try {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const { client } = await scene.join(key, 'viewer', { mode: 'view', coEditingMode: 'fast' });
    await save(ann.client, ['1;a', '2;wrong']);
    await save(ann.client, ['2;b'], { deleteIndex: 1 }, 2);
    const shown: unknown[] = [];
    while (shown.length < 2) {
      const { changes, changesIndex } = await client.next('saveChanges');
      shown.push(...changes.map(({ change }) => JSON.parse(change)));
      expect(changesIndex).toBe(shown.length);
    }
    expect(shown).toEqual(['1;a', '2;b']);
    await client.settled();
    expect(client.unreadOf('error')).toEqual([]);
    expect(client.unreadOf('saveChanges')).toEqual([]);
  } finally {
    await scene.close();
  }
});
