import { expect, test } from 'vitest';
import { NodesWorld } from '../../../test/support/nodes-world.ts';

test('[MN2] who gets the save lock of a node that died has been sent what that node stored and told nobody of', async () => {
  const world = new NodesWorld(2, null, { lookAgainMs: 60_000 });
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 1)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  await world.save(ann, ['a']);
  await world.until(() => bob.changes.length === 1);

  await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 1 });
  await world.until(() => ann.received.filter(({ type }) => type === 'saveLock').length === 2);
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 1 });
  const batch = { firstIndex: 1, nextIndex: 2, author: ann.member.author, savedAtMs: 7, changes: '["b"]' };
  await world.log.append({ key: 'd1', batch });
  let knewWhenGranted: string[] | null = null;
  bob.onMessage = ({ type }) => {
    if (type === 'saveLock') knewWhenGranted = [...bob.changes];
  };
  world.kill(0);
  await world.until(() => knewWhenGranted !== null);
  expect(knewWhenGranted).toEqual(['a', 'b']);
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: false });
  await world.close();
});
