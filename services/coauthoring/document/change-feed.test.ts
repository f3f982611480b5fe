import { expect, test } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { ChangeFeed } from './change-feed.ts';
import type { StoredMessage } from './node-messages.ts';
import { ViewerFeed } from './viewer-feed.ts';

/** Ann has saved two changes and taken back the second; Bob, who is on another server, is not known here. */
async function afterTakingBack() {
  const { actor, join, say } = actorScene();
  const ann = new FakeClient('ann', 1);
  await join(ann);
  await say(ann, saveOf(['a', 'b']));
  ann.changes.length = 1;
  await say(ann, { type: 'unLockDocument', deleteIndex: 1 });
  const { document } = actor;
  const feed = new ChangeFeed(document, new ViewerFeed(document, () => undefined));
  const author = { uniqueId: 'bob2', userId: 'bob', name: 'Bob' };
  const message = (version: number): StoredMessage => ({
    t: 'stored',
    batch: { firstIndex: 1, nextIndex: 2, author, savedAtMs: 9, changes: '["c"]' },
    ...{
      version,
      cutFrom: null,
      isFinal: true,
      isLast: true,
      locks: [],
      excelAdditionalInfo: null,
      floor: 0,
    },
  });
  return { ann, document, feed, message };
}

test('[MN1] what is published of a log before something was taken out of it is not taken for the present log', async () => {
  const { ann, document, feed, message } = await afterTakingBack();
  expect(await feed.heard(message(document.logVersion - 1))).toBe(false);
  expect(document.endIndex).toBe(1);
  expect(ann.changes).toEqual(['a']);
  expect(await feed.heard(message(document.logVersion))).toBe(true);
  expect(document.endIndex).toBe(2);
  expect(ann.changes).toEqual(['a', 'c']);
});
