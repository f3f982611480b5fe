import { describe, expect, it } from 'vitest';
import type { Ended } from './index.ts';
import { World } from './testing/world.ts';

describe('losing the connection', () => {
  it('[C12] a save that was stored before its acknowledgement was lost is confirmed, not doubled', async () => {
    const world = new World();
    const { client, document, link } = await world.open('ann');
    document.edit('a');
    client.queueSave();
    link.deliverToServer();
    link.deliverToClient();
    link.deliverToServer();
    expect(world.texts()).toEqual(['a@0']);
    link.cut();
    expect(client.status).toMatchObject({ connection: 'reconnecting', unacknowledgedCount: 1, saved: false });
    await world.reconnect();
    await client.saved();
    expect(world.texts()).toEqual(['a@0']);
    expect(document.confirmed).toEqual(['a@0']);
  });

  it('[C13] a save that did not arrive is sent again, the same at the same index', async () => {
    const world = new World();
    const { client, document, link } = await world.open('ann');
    document.edit('a');
    client.queueSave();
    link.deliverToServer();
    link.deliverToClient();
    link.cut();
    await world.reconnect();
    await client.saved();
    expect(world.texts()).toEqual(['a@0']);
    expect(world.sent('ann', 'saveChanges')).toMatchObject([{ reSave: 2, quireIndex: 0 }]);
  });

  it('[C14] when others saved meanwhile, their changes are delivered and the batch is taken anew', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    ann.link.deliverToServer();
    ann.link.deliverToClient();
    ann.link.cut();
    bob.document.edit('b');
    bob.client.queueSave();
    await world.network.settle();
    expect(world.texts()).toEqual(['b@0']);
    await world.reconnect();
    await ann.client.saved();
    expect(world.texts()).toEqual(['b@0', 'a@1']);
    expect(ann.document.confirmed).toEqual(world.texts());
    expect(bob.document.confirmed).toEqual(world.texts());
  });

  it('[C15] a frame that reaches the server after the session was restored has no effect', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    ann.link.deliverToServer();
    ann.link.deliverToClient();
    ann.link.cut(1);
    world.clock.advance(1_000);
    const fresh = world.network.links.at(-1)!;
    while (fresh.waitingForClient + fresh.waitingForServer > 0) {
      fresh.deliverToServer();
      fresh.deliverToClient();
    }
    await world.network.settle();
    bob.document.edit('b');
    bob.client.queueSave();
    await world.network.settle();
    expect(world.texts()).toEqual(['a@0', 'b@1']);
    expect(ann.document.confirmed).toEqual(world.texts());
  });

  it('[C54] a resend that crosses the late commit of the first attempt is stored once and acknowledged', async () => {
    const commits: (() => void)[] = [];
    const world = new World({ defer: (commit) => void commits.push(commit) });
    const { client, document, link } = await world.open('ann');
    document.edit('a');
    client.queueSave();
    await world.network.settle();
    expect(commits).toHaveLength(1);
    link.cut();
    await world.reconnect();
    expect(commits).toHaveLength(2);
    expect(world.texts()).toEqual([]);
    for (const commit of commits) commit();
    await world.network.settle();
    await client.saved();
    expect(world.texts()).toEqual(['a@0']);
    expect(document.confirmed).toEqual(['a@0']);
  });

  it('[C55] an acknowledgement that does not fit the index is not taken for one', async () => {
    const world = new World({ extensions: false });
    const { client, document, link } = await world.open('ann');
    document.edit('a');
    client.queueSave();
    link.deliverToServer();
    link.deliverToClient();
    const ended = client.once('ended');
    client.saved().catch(() => {});
    const { peer } = world.server.connections[0]!;
    peer.send({ type: 'unSaveLock', index: 0, time: 0, syncChangesIndex: 5 });
    link.deliverToClient();
    expect(await ended).toMatchObject({ error: { code: 'reload' }, unacknowledged: ['a@0'] });
    expect(document.confirmed).toEqual([]);
  });

  it('[C62] a session taken over by a late auth of a connection already given up comes back', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.link.cut();
    world.clock.advance(1_000);
    const late = world.network.links.at(-1)!;
    late.deliverToClient();
    late.cut(1);
    world.clock.advance(2_000);
    const living = world.network.links.at(-1)!;
    while (ann.client.status.connection !== 'ready') {
      living.deliverToClient();
      living.deliverToServer();
    }
    late.deliverToServer();
    await world.network.settle();
    await world.reconnect();
    bob.document.edit('b');
    bob.client.queueSave();
    await world.network.settle();
    expect(ann.client.status.connection).toBe('ready');
    expect(ann.document.confirmed).toEqual(['b@0']);
  });

  it('[C16] a server without the extensions refuses when others saved, and nothing is dropped silently', async () => {
    const world = new World({ extensions: false });
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    ann.link.deliverToServer();
    ann.link.deliverToClient();
    ann.link.cut();
    bob.document.edit('b');
    bob.client.queueSave();
    await world.network.settle();
    const ended = ann.client.once('ended');
    const saved = ann.client.saved();
    const outcome = expect(saved).rejects.toMatchObject({ code: 'reload', protocolCode: 4010 });
    await world.reconnect();
    await outcome;
    expect(await ended).toMatchObject({
      error: { code: 'reload' },
      unacknowledged: ['a@0'],
    } satisfies object);
  });

  it('[C17] attempts end after their number, with what is unacknowledged', async () => {
    const world = new World();
    const dial = world.network.dial(world.server.accept);
    const { client, document, link } = await world.open('ann', {
      transport: dial,
      reconnect: { attempts: 3 },
    });
    document.edit('a');
    client.queueSave();
    link.deliverToServer();
    link.deliverToClient();
    const ended: Ended[] = [];
    client.on('ended', (end) => ended.push(end));
    client.saved().catch(() => {});
    for (let attempt = 0; attempt < 10; attempt++) {
      world.network.links.at(-1)!.cut();
      world.clock.advance(20_000);
    }
    expect(ended).toMatchObject([{ error: { code: 'unreachable' }, unacknowledged: ['a@0'] }]);
    expect(world.network.links).toHaveLength(4);
    expect(world.clock.pending).toBe(0);
  });

  it('[C18] a hole in the broadcasts is filled by restoring the session', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    await world.network.settle();
    world.server.log.push({ ...world.server.log[0]!, change: '"hidden@1"' });
    world.server.connections[1]!.peer.send({
      type: 'saveChanges',
      changes: [{ ...world.server.log[0]!, change: '"later@2"' }],
      changesIndex: 3,
      syncChangesIndex: 3,
      endSaveChanges: true,
    });
    world.server.log.push({ ...world.server.log[0]!, change: '"later@2"' });
    await world.network.settle();
    expect(bob.client.status.connection).toBe('reconnecting');
    await world.reconnect();
    expect(bob.document.confirmed).toEqual(['a@0', 'hidden@1', 'later@2']);
  });

  it('[C56] a broadcast that overtakes the replay of a restore waits for it', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.link.cut();
    bob.document.edit('b');
    bob.document.edit('c');
    bob.client.queueSave();
    await world.network.settle();
    world.clock.advance(1_000);
    const restored = world.network.links.at(-1)!;
    const ends = { changesIndex: 2, syncChangesIndex: 2, endSaveChanges: true };
    restored.send({ type: 'saveChanges', changes: world.server.log.slice(1), ...ends });
    await world.network.settle();
    expect(ann.document.confirmed).toEqual(['b@0', 'c@1']);
    expect(world.network.links.at(-1)).toBe(restored);
    expect(ann.client.status.connection).toBe('ready');
  });

  it('[C19] a duplicate is not delivered twice', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    await world.network.settle();
    const again = { type: 'saveChanges', changes: world.server.log, changesIndex: 1, syncChangesIndex: 1 };
    world.server.connections[1]!.peer.send({ ...again, endSaveChanges: true });
    await world.network.settle();
    expect(bob.document.confirmed).toEqual(['a@0']);
    expect(bob.client.status.connection).toBe('ready');
  });
});
