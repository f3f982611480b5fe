import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { SharedCoordination } from '../../../platform/adapters/shared-coordination.ts';
import type { FakeClient } from '../../../test/support/fake-client.ts';
import { NodesWorld } from '../../../test/support/nodes-world.ts';
import { noParticipants, participantsValue } from './participants.ts';

/** Two people on a node each, both in. */
async function pair() {
  const world = new NodesWorld(2);
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 1)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  return { world, ann, bob };
}

test('[MN1] what is saved on one node reaches everybody on all, once and in order', async () => {
  const world = new NodesWorld(3);
  const [ann, bob, cem] = [
    await world.join('ann', 0),
    await world.join('bob', 1),
    await world.join('cem', 2),
  ];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  for (const client of [ann, bob, cem, bob]) {
    await world.save(client, [`${client.name}1`, `${client.name}2`]);
  }
  await world.quiet();
  const log = await world.stored();
  expect(log).toHaveLength(8);
  for (const client of [ann, bob, cem]) expect(client.changes).toEqual(log);
  await world.close();
});

test('[MN2] the save lock passes over nodes in the order of asking, and nobody has it without all changes', async () => {
  const { world, ann, bob } = await pair();
  await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.quiet();
  expect(bob.last('saveLock')).toBeUndefined();
  await world.send(ann, ['a']);
  await world.until(() => bob.last('saveLock') !== undefined);
  expect(bob.changes).toEqual(['a']);
  await world.send(bob, ['b']);
  await world.until(() => ann.changes.length === 2);
  expect(ann.changes).toEqual(['a', 'b']);
  await world.close();
});

test('[MN3] newcomers on any node wait for the first editor, who finishes on its own', async () => {
  const world = new NodesWorld(3);
  const ann = await world.join('ann', 0);
  await world.save(ann, ['a', 'b']);
  const [bob, cem] = [await world.join('bob', 1), await world.join('cem', 2)];
  expect([bob.isIn, cem.isIn]).toEqual([false, false]);
  expect([bob.last('waitAuth'), cem.last('waitAuth')]).not.toContain(undefined);
  await world.until(() =>
    ann.received.some((message) => message.type === 'connectState' && message.waitAuth),
  );
  await world.send(ann, ['x'], { deleteIndex: 1, unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  expect([bob.changes, cem.changes]).toEqual([
    ['a', 'x'],
    ['a', 'x'],
  ]);
  await world.send(ann, ['y'], { deleteIndex: 1 });
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await world.stored()).toEqual(['a', 'x']);
  await world.close();
});

test('[MN36] who signs in while another node closes the document is sent away to come back', async () => {
  const world = new NodesWorld(2);
  const ann = await world.join('ann', 0);
  await world.save(ann, ['a']);
  await world.leave(ann);
  world.isHandedOver = true;
  const bob = await world.join('bob', 1);
  expect([bob.gone, bob.isIn]).toEqual([true, false]);
  await world.leave(bob);
  world.isHandedOver = false;
  const back = await world.join('bob', 1);
  await world.save(back, ['b']);
  expect(await world.stored()).toEqual(['a', 'b']);
  await world.close();
});

test('[MN4] one of two conflicting locks is granted on all nodes together, and everybody is sent it and its end', async () => {
  const { world, ann, bob } = await pair();
  await Promise.all([
    world.say(ann, { type: 'getLock', block: ['p1'] }),
    world.say(bob, { type: 'getLock', block: ['p1'] }),
  ]);
  await world.quiet();
  const holders = new Set([ann, bob].map((client) => client.last('getLock')!.locks.p1!.user));
  expect(holders.size).toBe(1);
  const [holder, other] = holders.has(ann.member.author.uniqueId) ? [ann, bob] : [bob, ann];
  await world.say(holder, { type: 'unLockDocument', releaseLocks: true });
  await world.until(() => other.last('releaseLock') !== undefined);
  await world.say(other, { type: 'getLock', block: ['p1'] });
  expect(other.last('getLock')!.locks.p1!.user).toBe(other.member.author.uniqueId);
  await world.close();
});

test('[MN5] what a dead node held is free at once: element locks, save lock and place, and the others are notified', async () => {
  const world = new NodesWorld(3);
  const [ann, bob, cem] = [
    await world.join('ann', 0),
    await world.join('bob', 1),
    await world.join('cem', 2),
  ];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.quiet();
  world.kill(0);
  await world.until(() => bob.last('saveLock')?.saveLock === false);
  await world.until(async () => {
    await world.say(cem, { type: 'getLock', block: ['p1'] });
    return cem.last('getLock')!.locks.p1!.user === cem.member.author.uniqueId;
  });
  await world.until(() => cem.last('connectState')?.participants.length === 2);
  expect(world.left).toEqual([]);
  await world.close();
});

test('[MN6] a session that returns on another node takes the place of its connection', async () => {
  const world = new NodesWorld(2);
  const ann = await world.join('ann', 0);
  await world.save(ann, ['a']);
  const back = await world.comeBack(ann, 1, { silently: true });
  expect(back.isIn).toBe(true);
  await world.until(() => ann.gone);
  await world.quiet();
  expect(world.left).toEqual([]);
  await world.save(back, ['b']);
  expect(await world.stored()).toEqual(['a', 'b']);
  await world.leave(back);
  expect(world.left).toEqual(['ann']);
  await world.close();
});

test('[MN7] without an answer of what nodes share nobody gets a lock and nobody is sent away; then all is as before', async () => {
  const { world, ann, bob } = await pair();
  world.coordination.isAway = true;
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  expect(ann.last('getLock')!.locks.p1!.user).toBe('');
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  expect([ann.gone, bob.gone]).toEqual([false, false]);
  const viewer = await world.join('vic', 1, { view: true });
  world.coordination.isAway = false;
  await world.until(() => ann.last('releaseLock') !== undefined);
  await world.until(() => ann.last('connectState')?.participants.length === 3);
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  expect(ann.last('getLock')!.locks.p1!.user).toBe(ann.member.author.uniqueId);
  expect(viewer.gone).toBe(false);
  await world.close();
});

test('[MN7] who leaves while what nodes share does not answer is taken out afterwards', async () => {
  const world = new NodesWorld(2);
  const ann = await world.join('ann', 0);
  world.coordination.isAway = true;
  await world.leave(ann);
  expect(world.left).toEqual([]);
  world.coordination.isAway = false;
  await world.until(() => world.left.length === 1);
  expect(await world.present()).toEqual([]);
  await world.close();
});

test('[MN8] after everything that was shared is lost, members and their locks are put back', async () => {
  const { world, ann, bob } = await pair();
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  await world.save(bob, ['b']);
  await world.coordination.loseEverything();
  world.interrupt();
  await world.until(async () => (await world.present()).length === 2);
  await world.quiet();
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')!.locks.p1!.user).toBe(ann.member.author.uniqueId);
  await world.save(ann, ['a']);
  await world.quiet();
  expect([ann.changes, bob.changes]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
  ]);
  await world.leave(ann);
  await world.leave(bob);
  expect(world.left).toEqual(['bob']);
  await world.close();
});

test('[MN14] who leaves when everything that was shared has been lost leaves neither save lock nor element lock nor place in the queue', async () => {
  const world = new NodesWorld(2);
  const [ann, bob, cem] = [
    await world.join('ann', 0),
    await world.join('bob', 1),
    await world.join('cem', 0),
  ];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  world.coordination.loseEverything();
  // What was on its way when it was lost is done afterwards.
  await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  await world.say(cem, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.leave(ann);
  await world.leave(cem);
  await world.save(bob, ['b']);
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')!.locks.p1!.user).toBe(bob.member.author.uniqueId);
  expect(await world.stored()).toEqual(['b']);
  await world.close();
});

test('[MN15] a live viewer who comes while another node holds back what a lone editor may take back is given it once', async () => {
  const world = new NodesWorld(2);
  const ann = await world.join('ann', 0);
  await world.save(ann, ['a']);
  const early = await world.join('vic', 1, { view: true });
  await world.until(() => early.isIn);
  // Between what the newcomer's node knew and what the newcomer is given, ann saves, and nothing is published.
  let isFirst = true;
  world.beforeStep = async (nodeId, value) => {
    if (nodeId !== 'n1' || value !== 'company' || !isFirst) return;
    isFirst = false;
    world.hub.isMute = true;
    await world.save(ann, ['b', 'c']);
    world.hub.isMute = false;
  };
  const late = await world.join('wim', 1, { view: true });
  await world.until(() => late.isIn && early.changes.length === 3 && late.changes.length === 3);
  await world.save(ann, ['d']);
  await world.until(() => early.changes.length === 4 && late.changes.length === 4);
  expect([early.changes, late.changes]).toEqual([await world.stored(), await world.stored()]);
  expect(late.received.filter(({ type }) => type === 'saveChanges')).toHaveLength(1);
  await world.close();
});

test('[MN16] who comes while a document is about to be dropped comes to the one actor that the node has of it', async () => {
  const world = new NodesWorld(1);
  const { registry } = world.nodes[0]!;
  const ann = await world.join('ann', 0);
  await world.save(ann, ['a']);
  const actor = registry.find('d1')!;
  await world.leave(ann);
  // What is in hand when the time is over holds up the dropping.
  let end = () => {};
  const inHand = actor.run(() => new Promise<void>((resolve) => (end = resolve)));
  await pause(5);
  const coming = world.join('bob', 0);
  end();
  await inHand;
  const bob = await coming;
  const cem = await world.join('cem', 0);
  await world.say(bob, { type: 'unLockDocument', unlock: true });
  await world.until(() => cem.isIn);
  expect([...registry.find('d1')!.document.members.values()]).toEqual([bob.member, cem.member]);
  expect(await world.present()).toHaveLength(2);
  await world.close();
});

test('[MN16] a document that is dropped twice takes no later one with it, and who was refused leaves nothing', async () => {
  const world = new NodesWorld(1);
  const { registry } = world.nodes[0]!;
  const refused = registry.use('d1', async () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  let end = () => {};
  const inHand = registry.find('d1')!.run(() => new Promise<void>((resolve) => (end = resolve)));
  await pause(5);
  await registry.use('d1', async () => undefined);
  await pause(5);
  end();
  await inHand;
  while (registry.size > 0) await turn();
  const ann = await world.join('ann', 0);
  await world.quiet();
  expect([...registry.find('d1')!.document.members.values()]).toEqual([ann.member]);
  await world.close();
});

test('[MN17] who comes back to a node that was taken for dead is not taken for dead with it', async () => {
  const { world, ann, bob } = await pair();
  // The other node has seen that the first one is dead, and is about to take its people out.
  let back = ann;
  world.afterLook = async (nodeId, living) => {
    if (nodeId !== 'n1' || living.has('n0') || world.hub.isMute) return;
    world.hub.isMute = true;
    world.leases.renew('n0');
    await world.until(() => ann.gone);
    back = await world.comeBack(ann, 0);
  };
  world.leases.end('n0');
  await world.until(() => back !== ann);
  await world.quiet();
  world.hub.isMute = false;
  expect((await world.present()).map(({ connectionId }) => connectionId)).toEqual([
    bob.member.peer.id,
    back.member.peer.id,
  ]);
  for (const message of bob.received) {
    if (message.type === 'connectState') expect(message.participants).toHaveLength(2);
  }
  expect(world.left).toEqual([]);
  await world.close();
});

test('[MN18] a node that finds its own people missing among those who take part puts them back', async () => {
  const world = new NodesWorld(1);
  const ann = await world.join('ann', 0);
  await new SharedCoordination(world.coordination).update('d1', participantsValue, () => [
    noParticipants,
    undefined,
  ]);
  expect(await world.present()).toEqual([]);
  const vic = await world.join('vic', 0, { view: true });
  await world.until(async () => (await world.present()).length === 2);
  await world.until(() => vic.last('connectState')?.participants.length === 2);
  expect(ann.gone).toBe(false);
  await world.close();
});

test('[RD16] while all are on one node it tells others of the first and the last alone, then of everybody', async () => {
  const world = new NodesWorld(2);
  const heard: string[] = [];
  vi.spyOn(world.hub, 'deliver').mockImplementation((_from, _to, arrive) => arrive());
  const received = (_nodeId: string, text: string) => {
    const { t, about } = JSON.parse(text);
    if (t === 'company') heard.push(about);
  };
  await world.hub.busOf('elsewhere').listen('d1', { received, interrupted: () => undefined });
  const ann = await world.join('ann', 0);
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  const idOf = (client: FakeClient) => client.member.author.uniqueId;
  expect(heard.splice(0)).toContain(idOf(ann));
  const [bob, cem] = [await world.join('bob', 0), await world.join('cem', 0)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.leave(cem);
  expect(heard).toEqual([]);
  expect(bob.last('connectState')?.participants).toHaveLength(2);
  const dot = await world.join('dot', 1);
  expect(dot.last('auth')).toMatchObject({ participants: [{}, {}, {}] });
  await world.until(() => ann.last('connectState')?.participants.length === 3);
  await world.leave(bob);
  await world.until(() => dot.last('connectState')?.participants.length === 2);
  expect(heard).toEqual(expect.arrayContaining([idOf(dot), idOf(bob)]));
  await world.leave(dot);
  heard.length = 0;
  await world.leave(ann);
  expect(heard).toEqual([idOf(ann)]);
  await world.close();
});

test('[RD17] when the list of participants was lost and nobody knows it, the next one who comes has all put theirs back', async () => {
  const world = new NodesWorld(2);
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 0)];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn);
  world.coordination.loseEverything();
  const vic = await world.join('vic', 1, { view: true });
  await world.until(() => [ann, vic].every((one) => one.last('connectState')?.participants.length === 3));
  expect(await world.present()).toHaveLength(3);
  expect(bob.gone).toBe(false);
  await world.close();
});

test('[RD18] who leaves costs one look at the locks, or two after a refusal, of which nothing is kept', async () => {
  const world = new NodesWorld(2, null, { lookAgainMs: 600_000 });
  const [ann, bob, cem] = [
    await world.join('ann', 0),
    await world.join('bob', 1),
    await world.join('cem', 1),
  ];
  await world.say(ann, { type: 'unLockDocument', unlock: true });
  await world.until(() => bob.isIn && cem.isIn);
  await world.say(ann, { type: 'getLock', block: ['p1'] });
  await world.say(bob, { type: 'getLock', block: ['p1'] });
  expect(bob.last('getLock')!.locks.p1!.user).toBe(ann.member.author.uniqueId);
  const table = { name: 'locks', empty: { refusals: [] as readonly unknown[] } };
  const refusals = () =>
    new SharedCoordination(world.coordination).update('d1', table, (locks) => [locks, locks.refusals]);
  expect(await refusals()).toHaveLength(1);
  let looks = 0;
  world.beforeStep = async (_nodeId, cell) => {
    if (cell === 'locks') looks += 1;
  };
  await world.leave(cem);
  expect(looks).toBe(1);
  await world.leave(bob);
  expect(looks).toBe(3);
  expect(await refusals()).toEqual([]);
  await world.close();
});

test('[MN19] who comes when the only editor was on a node that has died comes in at once, though nobody saw it die', async () => {
  const world = new NodesWorld(2);
  await world.join('ann', 0);
  world.kill(0);
  const bob = await world.join('bob', 1);
  expect(bob.isIn).toBe(true);
  expect(bob.last('auth')).toMatchObject({ participants: [{ username: 'bob' }] });
  expect(world.left).toEqual([]);
  await world.close();
});

test('[MN20] a live viewer for whom the log cannot be read is sent back for it, and everybody else goes on', async () => {
  const world = new NodesWorld(1);
  const [ann, vic] = [await world.join('ann', 0), await world.join('vic', 0, { view: true })];
  const read = world.log.read.bind(world.log);
  world.log.read = () => {
    throw new Error('away');
  };
  await world.save(ann, ['a']);
  await world.until(() => vic.gone);
  world.log.read = read;
  const back = await world.comeBack(vic, 0);
  await world.save(ann, ['b']);
  await world.until(() => back.changes.length === 2);
  expect(back.changes).toEqual(['a', 'b']);
  await world.close();
});

test('[MN21] a live viewer who stayed is asked to open a document anew that somebody begins anew', async () => {
  const world = new NodesWorld(1);
  const [ann, vic] = [await world.join('ann', 0), await world.join('vic', 0, { view: true })];
  await world.save(ann, ['a']);
  await world.until(() => vic.changes.length === 1);
  await world.leave(ann);
  world.log.setState('d1', 'open');
  await world.log.replaceFrom({
    key: 'd1',
    expectedEnd: 1,
    fromIndex: 0,
    by: ann.member.author.uniqueId,
    batch: null,
  });
  const bob = await world.join('bob', 0);
  expect(vic.last('error')).toMatchObject({ description: 'Restore error. Document modified.' });
  await world.save(bob, ['x', 'y']);
  await world.quiet();
  expect(vic.changes).toEqual(['a']);
  await world.close();
});

test('[MN22] who cannot be let in because the database is away is not among those who are there', async () => {
  const world = new NodesWorld(1);
  world.isDatabaseAway = true;
  await world.join('ann', 0);
  expect(world.errors.splice(0)).toHaveLength(1);
  world.isDatabaseAway = false;
  expect(await world.present()).toEqual([]);
  const bob = await world.join('bob', 0);
  expect(bob.isIn).toBe(true);
  expect(await world.present()).toHaveLength(1);
  await world.close();
});

test('[MN9] joins, saves, locks and leaves on any node, with messages lost, late and interrupted and nodes dying: one order, everybody has it, no two hold one lock, one last editor', async () => {
  const act = fc.record({
    who: fc.nat(4),
    node: fc.nat(2),
    what: fc.constantFrom(
      ...['join', 'join', 'save', 'save', 'save', 'ask', 'lock', 'free', 'leave', 'move', 'kill', 'lapse'],
      ...['lose', 'unlock'],
    ),
    count: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 10, maxLength: 50 }),
      fc.infiniteStream(fc.nat(9)),
      async (acts, chances) => {
        const world = new NodesWorld(3, () => chances.next().value ?? 0);
        for (const one of acts) {
          await world.act(one);
          world.checkLocks();
        }
        await world.settle();
        const log = await world.stored();
        expect(log).toEqual(expect.arrayContaining(world.acknowledged));
        expect(new Set(log).size).toBe(log.length);
        for (const client of world.inside()) expect(client.changes, client.name).toEqual(log);
        let present: string[] = [];
        const ids = () => world.inside().map(({ member }) => member.peer.id);
        await world
          .until(async () => {
            present = (await world.present()).map(({ connectionId }) => connectionId);
            return present.sort().join() === ids().sort().join();
          })
          .catch(() => expect(present).toEqual(ids()));
        for (const client of world.inside()) await world.leave(client);
        await world.quiet();
        expect(await world.present()).toEqual([]);
        await world.close();
      },
    ),
    { numRuns: Number(process.env.NODES_RUNS ?? 25), endOnFailure: true },
  );
});

test('[MN13] who comes back and cannot say what it has is sent away while another node stores something', async () => {
  const { world, ann, bob } = await pair();
  await world.save(ann, ['a']);
  await world.quiet();
  await world.leave(bob);
  const late = await world.comeBackAsOthersDo(bob, 1, 1, () => world.save(ann, ['b']));
  expect([late.isIn, late.gone]).toEqual([false, true]);
  const back = await world.comeBackAsOthersDo(late, 1, 2, async () => undefined);
  expect([back.isIn, back.gone]).toEqual([true, false]);
  await world.save(ann, ['c']);
  await world.quiet();
  expect(back.changes).toEqual(['a', 'b', 'c']);
  await world.close();
});

test('[MN27] a session that went on elsewhere unheard is found to be gone', async () => {
  const { world, ann, bob } = await pair();
  world.hub.isMute = true;
  const back = await world.comeBack(ann, 1, { silently: true });
  await world.quiet();
  world.hub.isMute = false;
  await world.until(() => ann.gone);
  await world.save(back, ['a']);
  await world.save(bob, ['b']);
  await world.quiet();
  expect([back.changes, bob.changes]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect((await world.present()).map(({ connectionId }) => connectionId)).toEqual([
    bob.member.peer.id,
    back.member.peer.id,
  ]);
  await world.close();
});

test.each([
  ['told', false],
  ['found in the log', true],
])(
  "[MN26] what a session sent before it returned is not shown to it as somebody else's: %s",
  async (_, isFound) => {
    const { world, ann, bob } = await pair();
    await world.save(ann, ['a']);
    await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 1 });
    await world.quiet();
    const { log } = world;
    const append = log.append.bind(log);
    let answer: () => void = () => undefined;
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isAsked = false;
    log.append = async (request) => {
      isAsked = true;
      await answers;
      return append(request);
    };
    const late = world.send(ann, ['b']);
    await world.until(() => isAsked);
    const back = await world.comeBackAsOthersDo(ann, 1, 1, async () => undefined);
    back.changes.push('b');
    world.hub.isMute = isFound;
    answer();
    await late;
    await world.quiet();
    world.hub.isMute = false;
    world.interrupt();
    await world.until(() => bob.changes.length === 2);
    await world.save(bob, ['c']);
    await world.quiet();
    const shown = back.received.flatMap((message) =>
      message.type === 'saveChanges' ? message.changes.map(({ change }) => JSON.parse(change) as string) : [],
    );
    expect(shown).toEqual(['c']);
    await world.say(back, { type: 'isSaveLock', syncChangesIndex: 3 });
    await world.send(back, ['b'], { reSave: 2 });
    expect(back.last('unSaveLock')).toMatchObject({ index: 1, syncChangesIndex: 2 });
    expect(await world.stored()).toEqual(['a', 'b', 'c']);
    expect(bob.changes).toEqual(['a', 'b', 'c']);
    await world.close();
  },
);

/** Somebody on another node stores this, and nobody is told. */
const storeElsewhere = (world: NodesWorld, firstIndex: number, change: string) =>
  world.log.append({
    key: 'd1',
    batch: {
      ...{ firstIndex, nextIndex: firstIndex + 1, savedAtMs: Date.now(), changes: JSON.stringify([change]) },
      author: { uniqueId: 'eve9', userId: 'eve', name: 'Eve' },
    },
  });

test('[MN28] a save on the save lock is stored whether its node learned of the one before by the lock or by its node', async () => {
  const { world, ann, bob } = await pair();
  world.hub.isMute = true;
  await world.save(ann, ['a']);
  // Bob is sent it with the lock, since no message of the other node comes.
  await world.save(bob, ['b']);
  expect(bob.changes).toEqual(['a', 'b']);
  expect(bob.gone).toBe(false);
  await world.save(ann, ['c'], { quireIndex: 2 });
  await world.save(bob, ['d'], { quireIndex: 3 });
  expect([ann.gone, bob.gone]).toEqual([false, false]);
  expect(await world.stored()).toEqual(['a', 'b', 'c', 'd']);
  await world.close();
});

test('[MN29] a batch that lost against another node’s is refused like a save lock, after the changes it did not know', async () => {
  const { world, ann, bob } = await pair();
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await world.until(() => bob.last('saveLock')?.saveLock === false);
  await storeElsewhere(world, 0, 'e');
  await world.send(bob, ['b'], { quireIndex: 0 });
  expect(bob.gone).toBe(false);
  expect(bob.changes).toEqual(['e']);
  expect(bob.received.slice(-2).map(({ type }) => type)).toEqual(['saveChanges', 'saveLock']);
  expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  // The lock is free for everybody, and the batch is stored behind what came between.
  await world.save(ann, ['a']);
  await world.until(() => bob.changes.length === 2);
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 2 });
  await world.send(bob, ['b'], { quireIndex: 2 });
  await world.until(() => ann.changes.length === 3);
  expect(await world.stored()).toEqual(['e', 'a', 'b']);
  expect(ann.changes).toEqual(['e', 'a', 'b']);
  await world.close();
});

test('[MN30] a batch that lost and is stored all the same, from another connection of its session, is acknowledged', async () => {
  const { world, bob } = await pair();
  const batch = { firstIndex: 0, nextIndex: 1, author: bob.member.author, savedAtMs: 7, changes: '["b"]' };
  await world.log.append({ key: 'd1', batch });
  await world.send(bob, ['b'], { quireIndex: 0 });
  expect(bob.last('unSaveLock')).toMatchObject({ syncChangesIndex: 1 });
  expect([bob.gone, bob.changes]).toEqual([false, ['b']]);
  await world.close();
});

test('[MN31] a client that names no place, the same wrong one twice or one beyond the log comes back for what is stored', async () => {
  const { world, ann, bob } = await pair();
  const cem = await world.join('cem', 0);
  await world.until(() => cem.isIn);
  await world.say(bob, { type: 'isSaveLock', syncChangesIndex: 0 });
  await storeElsewhere(world, 0, 'e');
  await world.send(bob, ['b']);
  expect([bob.gone, bob.last('saveLock')?.saveLock]).toEqual([true, false]);
  await world.send(ann, ['a'], { quireIndex: 0 });
  expect([ann.gone, ann.changes]).toEqual([false, ['e']]);
  await world.send(ann, ['a'], { quireIndex: 0 });
  expect(ann.gone).toBe(true);
  await world.send(cem, ['c'], { quireIndex: 7 });
  expect(cem.gone).toBe(true);
  expect(await world.stored()).toEqual(['e']);
  await world.close();
});

test('[MN32] a batch without the save lock that names its place is refused until the lock is free', async () => {
  const { world, ann, bob } = await pair();
  await world.say(ann, { type: 'isSaveLock', syncChangesIndex: 0 });
  for (let turn = 0; turn < 3; turn += 1) {
    await world.send(bob, ['b'], { quireIndex: 0 });
    expect(bob.last('saveLock')).toEqual({ type: 'saveLock', saveLock: true });
  }
  expect(bob.gone).toBe(false);
  await world.say(ann, { type: 'unSaveLock' });
  await world.send(bob, ['b'], { quireIndex: 0 });
  await world.until(() => ann.changes.length === 1);
  expect(await world.stored()).toEqual(['b']);
  await world.close();
});
