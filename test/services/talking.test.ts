import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scene, type SharedScene } from '../support/scene.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

describe('chat', () => {
  it('[CH1] a message goes to everybody who is in, the sender included', async () => {
    const { key, ann, bob } = await scene.pair();
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    bob.client.send({ type: 'message', message: 'hi' });
    for (const { client } of [ann, bob, viewer]) {
      expect(await client.next('message')).toEqual({
        type: 'message',
        messages: [
          {
            docid: key,
            message: 'hi',
            time: expect.any(Number),
            user: 'bob2',
            useridoriginal: 'bob',
            username: 'Name of bob',
          },
        ],
      });
    }
  });

  it('[CH2] who may not chat is neither heard nor told', async () => {
    const { key, ann } = await scene.pair();
    const mute = await scene.join(key, 'mute', { permissions: { edit: true, chat: false } });
    mute.client.send({ type: 'message', message: 'not heard' });
    await mute.client.settled();
    ann.client.send({ type: 'message', message: 'not told' });
    await ann.client.next('message', ({ messages }) => messages?.[0]?.message === 'not told');
    mute.client.send({ type: 'isSaveLock' });
    await mute.client.next('saveLock');
    expect(mute.client.unreadOf('message')).toEqual([]);
    mute.client.send({ type: 'getMessages' });
    expect(await mute.client.next('message')).toEqual({ type: 'message' });
    const again = await scene.join(key, 'mute', { permissions: { edit: true, chat: false } });
    expect(again.auth).not.toHaveProperty('messages');
  });

  it('[CH3] newcomers and those who ask get the whole chat, and no list when there is none', async () => {
    const { key, ann } = await scene.pair();
    ann.client.send({ type: 'getMessages' });
    expect(await ann.client.next('message')).toEqual({ type: 'message' });
    for (const message of ['one', 'two']) ann.client.send({ type: 'message', message });
    await ann.client.next('message', ({ messages }) => messages?.[0]?.message === 'two');
    const carol = await scene.join(key, 'carol');
    expect(carol.auth.messages?.map(({ message }) => message)).toEqual(['one', 'two']);
    carol.client.send({ type: 'getMessages' });
    expect((await carol.client.next('message')).messages).toEqual(carol.auth.messages);
  });

  it('[CH5] a message beyond all measure ends the connection with a reason', async () => {
    const { ann } = await scene.pair();
    ann.client.send({ type: 'message', message: 'x'.repeat(70_000) });
    expect(await ann.client.next('disconnectReason')).toMatchObject({ code: 4004 });
    expect((await ann.client.closed).dismissed).toBe(true);
  });
});

describe('cursors', () => {
  it('[CU1] a cursor is shown to all others, viewers included, in the order in which it moved', async () => {
    const { key, ann, bob } = await scene.pair();
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    for (let step = 0; step < 20; step += 1) bob.client.send({ type: 'cursor', cursor: `${step};AgAA` });
    for (const { client } of [ann, viewer]) {
      await client.next('cursor', ({ messages }) => messages[0]!.cursor === '19;AgAA');
      const shown = client.received.flatMap((message) => (message.type === 'cursor' ? message.messages : []));
      expect(shown.map(({ cursor }) => cursor)).toEqual(
        Array.from({ length: 20 }, (_, step) => `${step};AgAA`),
      );
      expect(shown[0]).toEqual({
        cursor: '0;AgAA',
        time: expect.any(Number),
        user: 'bob2',
        useridoriginal: 'bob',
      });
    }
    await bob.client.settled();
    expect(bob.client.unreadOf('cursor')).toEqual([]);
  });
});
