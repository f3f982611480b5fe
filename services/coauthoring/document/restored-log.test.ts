import { expect, test } from 'vitest';
import { NodesWorld } from '../../../test/support/nodes-world.ts';

/** Two people on two nodes, and three batches that both have. */
async function withLog() {
  const world = new NodesWorld(2, null, { lookAgainMs: 60_000 });
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 1)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  for (const change of ['a', 'b', 'c']) await world.save(ann, [change]);
  await world.quiet();
  return { world, ann, bob };
}

test('[MN24] after an older log was restored people go on with it, whatever is left of what the nodes shared', async () => {
  const { world } = await withLog();
  world.kill(0);
  world.kill(1);
  world.restore(1);
  const cem = await world.join('cem', 0);
  await world.until(() => cem.isIn);
  expect(cem.changes).toEqual(['a']);
  await world.save(cem, ['d']);
  expect(cem.gone).toBe(false);
  expect(await world.stored()).toEqual(['a', 'd']);
  await world.close();
});

test('[MN24] nodes that were running meanwhile send those away who know more, and go on', async () => {
  const { world, ann, bob } = await withLog();
  world.restore(1);
  const cem = await world.join('cem', 0);
  await world.until(() => cem.isIn && ann.gone && bob.gone);
  expect(cem.changes).toEqual(['a']);
  const dora = await world.join('dora', 1);
  await world.say(cem, { type: 'unLockDocument', unlock: true });
  await world.until(() => dora.isIn);
  await world.save(dora, ['d']);
  await world.save(cem, ['e']);
  expect(await world.stored()).toEqual(['a', 'd', 'e']);
  await world.close();
});
