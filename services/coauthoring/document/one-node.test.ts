import { expect, test, vi } from 'vitest';
import { NodesWorld } from '../../../test/support/nodes-world.ts';

test('[NC23] while everybody is on one node, who comes and who leaves costs no look at locks and chat beyond the first', async () => {
  const world = new NodesWorld(2, null, { lookAgainMs: 600_000 });
  const looks: string[] = [];
  world.beforeStep = async (_nodeId, cell) => {
    if (cell === 'locks') looks.push(cell);
  };
  const entries = vi.spyOn(world.coordination, 'entries');
  const ann = await world.join('ann', 0);
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  expect([looks.splice(0).length, entries.mock.calls.length]).toEqual([1, 1]);
  const bob = await world.join('bob', 0);
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  const cem = await world.join('cem', 0);
  await world.leave(cem);
  expect([bob.isIn, cem.isIn]).toEqual([true, true]);
  expect([looks.length, entries.mock.calls.length]).toEqual([0, 1]);
  // What is there is shown all the same, and freed.
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  await world.say(bob, { type: 'message', message: 'hello' });
  looks.length = 0;
  const dot = await world.join('dot', 0);
  expect(dot.last('auth')).toMatchObject({
    locks: { p1: { user: bob.member.author.uniqueId } },
    messages: [{ message: 'hello' }],
  });
  expect(looks).toEqual([]);
  await world.leave(bob);
  expect(looks).toHaveLength(1);
  expect(dot.last('releaseLock')?.locks).toMatchObject([{ block: 'p1' }]);
  await world.close();
});

test('[NC24] once others may have come, who comes or leaves has locks and chat looked up', async () => {
  const world = new NodesWorld(2, null, { lookAgainMs: 600_000 });
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 0)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  const cem = await world.join('cem', 1);
  await world.until(() => ann.last('connectState')?.participants.length === 3);
  // What happens on the other node is not heard from now on.
  world.hub.isMute = true;
  await world.say(cem, { type: 'getLock', block: ['p1'] });
  await world.say(cem, { type: 'message', message: 'hello' });
  const shown = { locks: { p1: { user: cem.member.author.uniqueId } }, messages: [{ message: 'hello' }] };
  const dot = await world.join('dot', 0);
  expect(dot.last('auth')).toMatchObject(shown);
  // The first look after the other has gone is one.
  await world.leave(cem);
  const eve = await world.join('eve', 0);
  expect(eve.last('auth')).toMatchObject({ locks: {}, messages: [{ message: 'hello' }] });
  await world.close();
});

test('[NC24] locks that a session got back without an answer are free when its return has failed', async () => {
  const world = new NodesWorld(2, null, { lookAgainMs: 600_000 });
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 0)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  await world.leave(ann);
  world.afterPut = async (cell) => {
    world.afterPut = async () => undefined;
    if (cell === 'locks') throw new Error('the answer is lost');
  };
  await world.comeBack(ann, 0, { silently: true, blocks: ['p1'] });
  world.errors.length = 0;
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')?.locks.p1?.user).toBe(bob.member.author.uniqueId);
  await world.close();
});
