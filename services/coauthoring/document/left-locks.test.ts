import { expect, test } from 'vitest';
import type { FakeClient } from '../../../test/support/fake-client.ts';
import { NodesWorld } from '../../../test/support/nodes-world.ts';

/** Three people on two nodes, of whom the first has a lock. */
async function withLock() {
  const world = new NodesWorld(2);
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 1)];
  const cem = await world.join('cem', 0);
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  await world.quiet();
  return { world, ann, bob, cem };
}

/** What is called once the first session's locks are put in the table again. */
const onRegained =
  (ann: FakeClient, happens: () => void): NodesWorld['afterPut'] =>
  async (value, content) => {
    if (value === 'locks' && content?.[1].includes(ann.member.author.uniqueId)) happens();
  };

test('[MN23] the locks of a session whose return failed when it had got them back are free', async () => {
  const { world, ann, bob } = await withLock();
  await world.leave(ann);
  let isLost = false;
  world.afterPut = onRegained(ann, () => {
    if (isLost) return;
    isLost = true;
    throw new Error('the answer is lost');
  });
  await world.comeBack(ann, 1, { silently: true, blocks: ['p1'] });
  expect(isLost).toBe(true);
  await world.quiet();
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(bob.member.author.uniqueId);
  await world.close();
});

test('[MN23] the locks of somebody who left when nothing answered are free, though nobody is left on that node', async () => {
  const { world, ann, bob, cem } = await withLock();
  await world.leave(cem);
  let refusals = 0;
  world.beforeStep = async (nodeId, value) => {
    if (value !== 'locks' || nodeId !== world.nodes[0]!.id) return;
    refusals += 1;
    throw new Error('away');
  };
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(ann.member.author.uniqueId);
  await world.leave(ann);
  expect(refusals).toBeGreaterThan(0);
  world.beforeStep = async () => undefined;
  await world.until(() => bob.received.some(({ type }) => type === 'releaseLock'));
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(bob.member.author.uniqueId);
  await world.close();
});

test('[MN23] that they are free is published where they left, also when what the nodes share is lost', async () => {
  const { world, ann, cem } = await withLock();
  world.beforeStep = async (_nodeId, value) => {
    if (value === 'locks') throw new Error('away');
  };
  await world.leave(ann);
  expect(cem.last('releaseLock')).toBeUndefined();
  world.coordination.loseEverything();
  world.beforeStep = async () => undefined;
  world.interrupt();
  await world.until(() => cem.last('releaseLock') !== undefined);
  expect(cem.last('releaseLock')?.locks).toMatchObject([{ user: ann.member.author.uniqueId, block: 'p1' }]);
  await world.close();
});

test('[MN23] the locks of a session whose node died when it had got them back are free for who asks', async () => {
  const { world, ann, bob, cem } = await withLock();
  await world.leave(ann);
  let isKilled = false;
  world.afterPut = onRegained(ann, () => {
    if (isKilled) return;
    isKilled = true;
    world.kill(0);
  });
  await world.comeBack(ann, 0, { silently: true, blocks: ['p1'] });
  expect([isKilled, cem.gone]).toEqual([true, true]);
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(ann.member.author.uniqueId);
  // The time is over by which it would have come in.
  world.times.comingInMs = -1;
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(bob.member.author.uniqueId);
  await world.close();
});
