import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { save } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';

let scene: Scene;
const sessionSecret = 'a secret of sessions that is long enough for every algorithm';

const comeBack = async (before: SignedIn, changes = {}) => {
  const client = await scene.connect(before.client.key);
  client.send(scene.returningMessage(before, changes));
  return client;
};

describe.concurrent('an idle session', () => {
  let idle: Scene;
  beforeAll(async () => {
    idle = await Scene.open({ environment: { SESSION_IDLE_MS: '3000' } });
  });
  afterAll(() => idle?.close());

  it('[RS17] is warned with 4002, and ended when the warning is not answered; its changes are handed over', async () => {
    const key = idle.newKey();
    const ann = await idle.join(key, 'ann');
    await save(ann.client, ['1;a']);
    expect((await ann.client.next('session')).messages).toEqual({
      code: 4002,
      reason: 'idle session expires',
      interval: 3_000,
    });
    expect(await ann.client.next('disconnectReason')).toMatchObject({ code: 4002 });
    expect((await ann.client.closed).dismissed).toBe(true);
    await idle.integrator.waitForCallback(key, ({ status }) => status === 3);
  });

  it('[RS17] goes on when its client says that somebody is there, and ends when it says that nobody was', async () => {
    const ann = await idle.join(idle.newKey(), 'ann');
    for (let warning = 0; warning < 3; warning += 1) {
      await ann.client.next('session');
      ann.client.send({ type: 'extendSession', idletime: 10 });
    }
    await ann.client.settled();
    ann.client.send({ type: 'extendSession', idletime: 3_000 });
    expect(await ann.client.next('disconnectReason')).toMatchObject({ code: 4002 });
  });

  it('[RS18] counts from what was done last: saving, locking, chatting; not from what clients do by themselves', async () => {
    const { ann, bob } = await idle.pair();
    const ended = bob.client.next('session');
    let index = 0;
    const busy = setInterval(() => {
      index += 1;
      ann.client.send({ type: 'getLock', block: [`p${index}`] });
      bob.client.send({ type: 'cursor', cursor: String(index) });
      bob.client.send({ type: 'unLockDocument', isSave: false, unlock: false, releaseLocks: true });
    }, 100);
    await ended;
    await bob.client.next('disconnectReason');
    clearInterval(busy);
    expect(ann.client.unreadOf('session')).toEqual([]);
  });

  it('[RS18] is none for those who only look', async () => {
    const key = idle.newKey();
    const ann = await idle.join(key, 'ann');
    const viewer = await idle.join(key, 'viewer', { mode: 'view' });
    await ann.client.next('disconnectReason');
    expect(viewer.client.unreadOf('session')).toEqual([]);
    await viewer.client.settled();
  });
});

describe.concurrent('a session’s life', () => {
  beforeAll(async () => {
    scene = await Scene.open({
      environment: {
        SESSION_ABSOLUTE_MS: '4000',
        SESSION_TOKEN_LIFE_S: '2',
        JWT_SESSION_SECRET: sessionSecret,
      },
    });
  });
  afterAll(() => scene?.close());

  it('[RS19] ends at its absolute limit with 4003 after a warning, however busy it is, and is not gone on with', async () => {
    const ann = await scene.join(scene.newKey(), 'ann');
    expect((await ann.client.next('session')).messages).toMatchObject({ code: 4003, interval: 4_000 });
    await save(ann.client, ['1;a']);
    expect(await ann.client.next('disconnectReason')).toMatchObject({
      code: 4003,
      description: 'absolute session expires',
    });
    const back = await comeBack(ann);
    expect(await back.next('disconnectReason')).toMatchObject({ code: 4003 });
  });

  it('[RS18] has the time before a lost connection counted, as its client says it', async () => {
    const ann = await scene.join(scene.newKey(), 'ann');
    ann.client.cut();
    const back = await comeBack(ann, { sessionTimeIdle: 3_599_000 });
    await back.next('auth');
    await back.next('session', ({ messages }) => messages.code === 4002);
  });

  it('[RS20] gets a new token when half of the old one’s time has passed', async () => {
    const ann = await scene.join(scene.newKey(), 'ann');
    const { messages } = await ann.client.next('refreshToken');
    expect(messages).not.toBe(ann.auth.jwt);
    ann.client.cut();
    const back = await comeBack(ann, { jwtSession: messages });
    expect(await back.next('auth')).toMatchObject({ sessionId: ann.auth.sessionId });
  });

  it('[RS21] with a token that has expired is refused with 4005, with one of another secret 4006', async () => {
    const ann = await scene.join(scene.newKey(), 'ann');
    ann.client.cut();
    const claims = JSON.parse(Buffer.from(ann.auth.jwt!.split('.')[1]!, 'base64url').toString());
    const sign = (secret: string, exp: number) =>
      new SignJWT({ ...claims, exp }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    const hourAgoS = Math.floor(Date.now() / 1_000) - 3_600;
    for (const [jwtSession, code] of [
      [await sign(sessionSecret, hourAgoS), 4005],
      [await sign('another secret that is long enough for every algorithm', hourAgoS + 7_200), 4006],
    ] as const) {
      const back = await comeBack(ann, { jwtSession });
      expect(await back.next('disconnectReason')).toMatchObject({ code });
    }
  });
});
