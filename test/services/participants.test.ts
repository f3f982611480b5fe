import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { websocketMaxPayloadSize } from '../../client/protocol/index.ts';
import { accepted } from '../support/integrator.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';

describe('who hears what', () => {
  let scene: SharedScene;
  beforeAll(async () => {
    scene = await Scene.openShared();
  });
  afterAll(() => scene?.close());

  it('[PR9] nothing of one document reaches another, however alike their keys are', async () => {
    const { key, ann, bob } = await scene.pair();
    const others = [`${key}0`, `x${key}`, key.toUpperCase()];
    const strangers = await Promise.all(
      others.map((other) => scene.join(other, 'ann', { documentCallbackUrl: '' })),
    );
    for (const { client } of strangers) await client.settled();
    const before = strangers.map(({ client }) => client.received.length);
    ann.client.send({ type: 'message', message: 'hello' });
    ann.client.send({ type: 'cursor', cursor: '1' });
    ann.client.send({ type: 'getLock', block: ['p1'] });
    await save(ann.client, ['1;a']);
    await scene.command({ c: 'meta', key, meta: { title: 'Other' } });
    await scene.command({ c: 'drop', key });
    await bob.client.leave();
    await ann.client.next('drop');
    for (const { client } of strangers) await client.settled();
    // Each has got the answer to what it asked itself, and nothing else.
    expect(strangers.map(({ client }) => client.received.length)).toEqual(before.map((count) => count + 1));
  });

  it('[PR10] a user without a name of the integrator’s may take another, which all are told, with a token that keeps it', async () => {
    const { ann, bob } = await scene.pair();
    ann.client.send({ type: 'openDocument', message: { c: 'changedocinfo', username: 'Anna' } });
    expect((await ann.client.next('documentOpen')).data).toEqual({ type: 'changedocinfo', status: 'ok' });
    const { messages } = await ann.client.next('refreshToken');
    for (const { client } of [ann, bob]) {
      await client.next('connectState', ({ participants }) => participants[0]!.username === 'Anna');
    }
    ann.client.cut();
    const back = await scene.connect(ann.client.key);
    back.send(scene.returningMessage(ann, { jwtSession: messages }));
    expect((await back.next('auth')).participants).toMatchObject([
      { username: 'Name of bob' },
      { username: 'Anna' },
    ]);
    back.send({ type: 'openDocument', message: { c: 'changedocinfo', username: '' } });
    expect((await back.next('documentOpen')).data).toMatchObject({ status: 'err', data: -5 });
  });

  it('[PR11] commands without a file of theirs have their numbers; paths give addresses, in order', async () => {
    const ann = await scene.join(scene.newKey(), 'ann');
    const ask = async (message: object) => {
      ann.client.send({ type: 'openDocument', message });
      return (await ann.client.next('documentOpen')).data;
    };
    expect(await ask({ c: 'setpassword', password: 'x' })).toMatchObject({ status: 'err', data: -180 });
    expect(await ask({ c: 'pathurl', data: 'media/none.png' })).toMatchObject({ status: 'err', data: -61 });
    const one = await ask({ c: 'pathurl', data: 'Editor.bin', title: 'file.docx' });
    expect(one).toMatchObject({
      status: 'ok',
      filetype: 'docx',
      data: expect.stringContaining('Editor.bin'),
    });
    expect(await ask({ c: 'pathurls', data: ['Editor.bin', 'none'] })).toMatchObject({
      status: 'ok',
      data: [expect.stringContaining('Editor.bin'), ''],
    });
    ann.client.send({
      type: 'rpc',
      responseKey: 7,
      data: { type: 'pathurls', data: ['none', 'Editor.bin'] },
    });
    expect(await ann.client.next('rpc')).toMatchObject({
      responseKey: 7,
      data: { type: 'pathurls', status: 'ok', data: ['', expect.stringContaining('Editor.bin')] },
    });
  });

  it('[PR18] who is out of co-editing still gets meta, warnings and updateVersion', async () => {
    const { key, ann, bob } = await scene.pair();
    await save(ann.client, ['1;a']);
    bob.client.send({ type: 'close' });
    await bob.client.next('refreshToken');
    await scene.command({ c: 'meta', key, meta: { title: 'Other' } });
    expect((await bob.client.next('meta')).messages).toEqual({ title: 'Other' });
    scene.integrator.answer(key, () => ({ status: 200, body: '{"error":1}' }));
    const carol = await scene.joinBeside(ann.client, key, 'carol');
    await bob.client.next('warning');
    scene.integrator.answer(key, accepted);
    carol.client.cut();
    await ann.client.leave();
    expect(await bob.client.next('updateVersion')).toMatchObject({ type: 'updateVersion' });
  });

  it('[PR12] where many come at once some of their comings are told together, in a list that has everybody', async () => {
    const key = scene.newKey();
    const first = await scene.join(key, 'first', { mode: 'view', coEditingMode: 'strict' });
    const crowd = 60;
    const clients = await Promise.all(
      Array.from({ length: crowd }, (_, at) =>
        scene.join(key, `u${at}-`, { mode: 'view', coEditingMode: 'strict' }),
      ),
    );
    for (const { client } of [first, ...clients.slice(0, 3)]) {
      const told = await client.next('connectState', ({ participants }) => participants.length === crowd + 1);
      expect(new Set(told.participants.map(({ id }) => id)).size).toBe(crowd + 1);
    }
    const lists = first.client.received.filter(({ type }) => type === 'connectState').length;
    expect(lists).toBeLessThan(crowd);
  });
});

describe('measures', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({
      environment: {
        MAX_CHANGES_BYTES: '3000',
        MAX_DOCUMENT_CONNECTIONS: '3',
        HISTORY_MEMORY_BYTES: '2000000',
      },
    });
  });
  afterAll(() => scene?.close());

  it('[SV30] a log as large as it may be takes no more: its editor is told, what is stored stays and is handed over', async () => {
    const key = scene.newKey();
    const { client, auth } = await scene.join(key, 'ann');
    expect(auth.settings?.maxChangesSize).toBe(3_000);
    await save(client, ['a'.repeat(1_400)]);
    await save(client, ['b'.repeat(1_400)], {}, 1);
    // What was taken back makes room again.
    await save(client, ['c'.repeat(1_400)], { deleteIndex: 1 }, 2);
    await takeSaveLock(client, 2);
    client.send(saveMessage(['d'.repeat(400)]));
    expect(await client.next('warning')).toMatchObject({ code: -160 });
    expect(await client.next('error')).toMatchObject({ code: 4010 });
    expect((await scene.storedChanges(key)).map((change) => change[0])).toEqual(['a', 'c']);
    client.send({ type: 'close' });
    await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
  });

  it('[AU16] beyond so many connections to a document nobody new comes in; whoever has a session comes back', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const viewers = [
      await scene.join(key, 'v1', { mode: 'view' }),
      await scene.join(key, 'v2', { mode: 'view' }),
    ];
    const late = await scene.connect(key);
    late.send(scene.authMessage(key, 'late', { mode: 'view' }));
    expect(await late.next('disconnectReason')).toMatchObject({ code: 4004 });
    const back = await scene.connect(key);
    back.send(scene.returningMessage(ann));
    await back.next('auth');
    await viewers[0]!.client.leave();
    await back.next('connectState', ({ participants }) => participants.length === 2);
    await scene.join(key, 'now', { mode: 'view' });
  });
});

describe('a session that has been open for long', () => {
  let scene: Scene;
  beforeAll(async () => {
    const most = String(2 * websocketMaxPayloadSize);
    scene = await Scene.open({ environment: { OUTBOUND_QUEUE_BYTES: most, WS_MAX_PAYLOAD_BYTES: most } });
  });
  afterAll(() => scene?.close());

  it('[WA14] is given to newcomers whole, also to those that acknowledge nothing and read as fast as they can', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const parts = 8;
    for (let part = 0; part < parts; part += 1) {
      await save(ann.client, [`${part};${'x'.repeat(websocketMaxPayloadSize)}`], {}, part);
    }
    const { client } = await scene.joinBeside(ann.client, key, 'bob');
    const given = client.received.flatMap((message) =>
      message.type === 'authChanges' ? message.changes : [],
    );
    expect(given.map(({ change }) => change.slice(1, 2))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });
});
