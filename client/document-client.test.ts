import { describe, expect, it } from 'vitest';
import { ModelDocument } from './testing/model-document.ts';
import { World } from './testing/world.ts';

describe('opening and saving', () => {
  it('[C1] a client alone opens, saves in one part and learns the index', async () => {
    const world = new World();
    const { client, document } = await world.open('ann');
    expect(client.userId).toBe('ann1');
    expect(client.status).toMatchObject({ connection: 'ready', saved: true, acknowledgedIndex: 0 });
    document.edit('a');
    document.edit('b');
    client.queueSave();
    await world.network.settle();
    await client.saved();
    expect(world.texts()).toEqual(['a@0', 'b@1']);
    expect(document.confirmed).toEqual(['a@0', 'b@1']);
    expect(client.status).toMatchObject({ saved: true, unacknowledgedCount: 0, acknowledgedIndex: 2 });
  });

  it('[IE14] names no mode to the server where the application names none', async () => {
    const world = new World();
    await world.open('ann');
    expect(world.sent('ann', 'auth')).toEqual([expect.not.objectContaining({ mode: expect.anything() })]);
  });

  it('[C2] changes wait until the application has loaded the document', async () => {
    const world = new World();
    const first = await world.open('ann');
    first.document.edit('a');
    first.client.queueSave();
    await world.network.settle();
    let finishLoading = () => {};
    const document = new ModelDocument();
    const load = () => new Promise<void>((resolve) => (finishLoading = resolve));
    const { client } = world.client('bob', {
      hooks: { ...document, load, applyRemote: (changes, from) => document.applyRemote(changes, from) },
    });
    const opening = client.open();
    await world.network.settle();
    expect(document.confirmed).toEqual([]);
    finishLoading();
    expect(await opening).toMatchObject({ status: 'ok', urls: { 'Editor.bin': expect.any(String) } });
    expect(document.confirmed).toEqual(['a@0']);
  });

  it('[C3] a second editor is let in by the first, and both see each change once', async () => {
    const world = new World();
    const ann = await world.open('ann');
    ann.document.edit('a');
    ann.client.queueSave();
    await world.network.settle();
    const bob = await world.open('bob');
    expect(world.sent('ann', 'unLockDocument')).toMatchObject([{ unlock: true, isSave: false }]);
    expect(ann.client.participants.map(({ id }) => id)).toEqual(['ann1', 'bob2']);
    ann.document.edit('b');
    bob.document.edit('c');
    ann.client.queueSave();
    bob.client.queueSave();
    await world.network.settle();
    expect(world.texts()).toEqual(['a@0', 'b@1', 'c@2']);
    expect(ann.document.confirmed).toEqual(world.texts());
    expect(bob.document.confirmed).toEqual(world.texts());
  });

  it('[C4] an editor that is saving when a newcomer waits unlocks when the save is stored', async () => {
    const world = new World();
    const ann = await world.open('ann');
    ann.document.edit('a');
    ann.client.queueSave();
    const bob = world.client('bob');
    const opening = bob.client.open();
    for (let step = 0; step < 60; step++) world.network.deliverOne(step);
    await world.network.settle();
    await opening;
    expect(bob.document.confirmed).toEqual(['a@0']);
    expect(bob.client.status.connection).toBe('ready');
  });

  it('[C5] a batch larger than a part is sent in parts, each acknowledged before the next', async () => {
    const world = new World({ maxPartChars: 40 });
    const { client, document } = await world.open('ann');
    for (let edit = 0; edit < 12; edit++) document.edit(`edit ${edit}`);
    client.queueSave();
    await world.network.settle();
    await client.saved();
    expect(document.confirmed).toEqual(world.texts());
    expect(world.texts()).toHaveLength(12);
    const parts = world.sent('ann', 'saveChanges');
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.at(0)).toMatchObject({ startSaveChanges: true, endSaveChanges: false });
    expect(parts.at(-1)).toMatchObject({ startSaveChanges: false, endSaveChanges: true });
  });

  it('[C57] what a spreadsheet save inserted and removed goes with the last part', async () => {
    const world = new World({ maxPartChars: 20 });
    const excelAdditionalInfo = '{"indexCols":null}';
    let batch: string[] = ['insert a column', 'fill it in'];
    const { client } = await world.open('ann', {
      auth: { user: { id: 'ann' }, editorType: 1 },
      hooks: {
        takeBatch: () => ({ changes: batch, excelAdditionalInfo }),
        confirm: (_index, count) => {
          batch = batch.slice(count);
        },
      },
    });
    client.queueSave();
    await world.network.settle();
    await client.saved();
    expect(world.sent('ann', 'saveChanges')).toMatchObject([
      { isExcel: true, excelAdditionalInfo: null },
      { isExcel: true, excelAdditionalInfo },
    ]);
  });

  it('[C6] a refused save lock is asked for again after a delay', async () => {
    const world = new World({ refuseSaveLock: true });
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    ann.document.edit('a');
    ann.client.queueSave();
    bob.document.edit('b');
    bob.client.queueSave();
    ann.link.deliverToServer();
    bob.link.deliverToServer();
    bob.link.deliverToClient();
    await world.network.settle();
    expect(bob.client.status.saving).toBe('backing-off');
    world.clock.advance(1_000);
    await world.network.settle();
    expect(world.texts()).toEqual(['a@0', 'b@1']);
  });

  it('[C7] without anything to save the save lock is given back, with the element locks if asked', async () => {
    const world = new World();
    const { client } = await world.open('ann');
    client.queueSave();
    await world.network.settle();
    await client.saved();
    expect(world.sent('ann', 'unSaveLock')).toHaveLength(1);
    const locking = client.acquire(['p1']);
    await world.network.settle();
    expect(await locking).toEqual({ granted: true });
    client.queueSave({ releaseLocks: true });
    await world.network.settle();
    await client.saved();
    expect(world.server.locks.size).toBe(0);
  });
});

describe('locks, chat and cursor', () => {
  it('[C8] a lock is granted to one and refused to the other, who is told the holder', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    const first = ann.client.acquire(['p1', 'p2']);
    await world.network.settle();
    const second = bob.client.acquire(['p3', 'p1']);
    await world.network.settle();
    expect(await first).toEqual({ granted: true });
    expect(await second).toMatchObject({ granted: false, holder: { user: 'ann1', block: 'p1' } });
    ann.client.releaseLocks();
    await world.network.settle();
    expect(bob.client.locks.size).toBe(0);
  });

  it('[C61] the answer to somebody else’s lock request is not taken for the own', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    const answers: unknown[] = [];
    const pending = bob.client.acquire(['b']).then((result) => answers.push(result));
    void ann.client.acquire(['a']);
    ann.link.deliverToServer();
    bob.link.deliverToClient();
    await Promise.resolve();
    expect([...bob.client.locks.keys()]).toEqual(['a']);
    expect(answers).toEqual([]);
    await world.network.settle();
    await pending;
    expect(answers).toEqual([{ granted: true }]);
  });

  it('[C66] an older list neither brings back what was given back nor grants what is asked for anew', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    const first = ann.client.acquire(['p1']);
    await world.network.settle();
    await first;
    ann.client.releaseLocks();
    const again = ann.client.acquire(['p1']);
    const answers: unknown[] = [];
    void again.then((result) => answers.push(result));
    // The server answers bob before it comes to what ann has sent, so the list says that p1 is hers.
    void bob.client.acquire(['p2']);
    bob.link.deliverToServer();
    ann.link.deliverToClient();
    await Promise.resolve();
    expect([...ann.client.locks.keys()]).toEqual(['p2']);
    expect(answers).toEqual([]);
    ann.link.deliverToServer();
    bob.link.deliverToClient();
    const taken = bob.client.acquire(['p1']);
    bob.link.deliverToServer();
    await world.network.settle();
    expect(await taken).toEqual({ granted: true });
    expect(await again).toMatchObject({ granted: false, holder: { user: bob.client.userId, block: 'p1' } });
  });

  it('[C66] a request under way while locks are given back is made again', async () => {
    const world = new World();
    const { client } = await world.open('ann');
    const first = client.acquire(['p1']);
    await world.network.settle();
    await first;
    const second = client.acquire(['p2']);
    client.releaseLocks();
    await world.network.settle();
    expect(await second).toEqual({ granted: true });
    expect([...client.locks.keys()]).toEqual(['p2']);
    expect([...world.server.locks.keys()]).toEqual(['p2']);
    expect(world.sent('ann', 'getLock')).toHaveLength(3);
  });

  it('[C9] locks are held again after a reconnect, and a request without an answer is repeated', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const granted = ann.client.acquire(['p1']);
    await world.network.settle();
    await granted;
    const pending = ann.client.acquire(['p2']);
    ann.link.cut();
    await world.reconnect();
    expect(await pending).toEqual({ granted: true });
    expect([...world.server.locks.keys()].sort()).toEqual(['p1', 'p2']);
  });

  it('[C10] a lock request that nobody answers ends with a timeout', async () => {
    const world = new World();
    const { client } = await world.open('ann');
    const pending = client.acquire(['p1']);
    world.clock.advance(10_000);
    await expect(pending).rejects.toMatchObject({ code: 'timeout' });
  });

  it('[C11] chat comes back to its sender and a cursor does not', async () => {
    const world = new World();
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    const seen: string[] = [];
    for (const { client } of [ann, bob]) {
      client.on('chat', (messages) =>
        seen.push(...messages.map(({ message }) => `${client.userId} ${message}`)),
      );
      client.on('cursor', ({ cursor }) => seen.push(`${client.userId} ${cursor}`));
    }
    ann.client.chat('hi');
    ann.client.cursor('10;x');
    await world.network.settle();
    expect(seen.sort()).toEqual(['ann1 hi', 'bob2 10;x', 'bob2 hi']);
  });
});

describe('presence and endings', () => {
  it('[C20] a participant list older than the newest is dropped', async () => {
    const world = new World();
    const { client } = await world.open('ann');
    const { peer } = world.server.connections[0]!;
    peer.send({ type: 'connectState', participantsTimestamp: 50, participants: [], waitAuth: false });
    await world.network.settle();
    const stale = world.server.connections.map(({ participant }) => participant);
    peer.send({ type: 'connectState', participantsTimestamp: 40, participants: stale, waitAuth: false });
    await world.network.settle();
    expect(client.participants).toEqual([]);
  });

  it('[C21] disconnectReason, drop and dismissal end the client and say why', async () => {
    for (const [message, expected] of [
      [
        { type: 'disconnectReason', code: 4004, description: 'access deny' },
        { code: 'refused', protocolCode: 4004 },
      ],
      [
        { type: 'drop', code: '', description: '' },
        { code: 'dropped', protocolCode: 4007 },
      ],
      [null, { code: 'refused' }],
    ] as const) {
      const world = new World();
      const { client } = await world.open('ann');
      const ended = client.once('ended');
      const { peer } = world.server.connections[0]!;
      if (message) peer.send(message);
      peer.end('dismissed');
      await world.network.settle();
      expect((await ended).error).toMatchObject(expected);
      await world.reconnect();
      expect(world.network.links).toHaveLength(1);
      expect(world.clock.pending).toBe(0);
    }
  });

  it('[C22] close saves first, leaves with a word and stops every timer', async () => {
    const world = new World();
    const { client, document } = await world.open('ann');
    document.edit('a');
    client.queueSave();
    const closing = client.close();
    await world.network.settle();
    await closing;
    await world.network.settle();
    expect(world.texts()).toEqual(['a@0']);
    expect(world.server.connections).toHaveLength(0);
    expect(client.status.connection).toBe('ended');
    expect(world.clock.pending).toBe(0);
  });

  it('[C23] a viewer cannot save', async () => {
    const world = new World();
    const { client } = await world.open('ann', { auth: { user: { id: 'ann' }, mode: 'view' } });
    expect(client.status.readOnly).toBe(true);
    expect(() => client.queueSave()).toThrow(expect.objectContaining({ code: 'read-only' }));
  });

  it('[C24] a hook that throws ends the client with its error', async () => {
    const world = new World();
    const cause = new Error('broken application');
    const { client } = await world.open('ann', {
      hooks: {
        takeBatch: () => {
          throw cause;
        },
      },
    });
    const ended = client.once('ended');
    client.queueSave();
    await world.network.settle();
    expect((await ended).error).toMatchObject({ code: 'hook', cause });
  });

  it('[ST4] what the integrator has is known from the session’s beginning, kept up to date, and told anew after a reconnect', async () => {
    const world = new World();
    const { client: fresh, document } = world.client('ann');
    expect(fresh.stored).toBeNull();
    const told: unknown[] = [];
    fresh.on('stored', (stored) => told.push(stored));
    const opening = fresh.open();
    await world.network.settle();
    await opening;
    document.edit('a');
    fresh.queueSave();
    await world.network.settle();
    expect(fresh.stored).toEqual({ index: 0, timeMs: world.server.stored.time, refusedSinceMs: null });
    world.server.confirmStored();
    await world.network.settle();
    expect(fresh.stored).toEqual({ index: 1, timeMs: world.server.stored.time, refusedSinceMs: null });
    expect(told).toHaveLength(2);
    world.network.links.at(-1)!.cut();
    world.server.stored = { index: 0, time: 7 };
    await world.reconnect();
    expect(fresh.stored).toEqual({ index: 0, timeMs: 7, refusedSinceMs: null });
    expect(told).toHaveLength(3);
  });

  it('[ST5] with a server that does not tell nothing is claimed', async () => {
    const world = new World({ extensions: false });
    const { client } = await world.open('ann');
    expect(client.stored).toBeNull();
  });
});
