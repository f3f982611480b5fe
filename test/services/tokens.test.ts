import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ tokens: true });
});
afterAll(() => scene?.close());

const nowS = () => Math.floor(Date.now() / 1000);

function claimsOf(key: string, user = 'ann', { document = {}, editorConfig = {}, ...top }: Claims = {}) {
  return {
    document: {
      key,
      url: `${scene.integrator.address}/files/document.docx`,
      fileType: 'docx',
      title: 'document.docx',
      permissions: { edit: true },
      ...document,
    },
    editorConfig: {
      callbackUrl: scene.integrator.callbackUrl(key),
      mode: 'edit',
      user: { id: user, name: `Name of ${user}` },
      ...editorConfig,
    },
    ...top,
  };
}

interface Claims {
  document?: Sent;
  editorConfig?: Sent;
  [name: string]: unknown;
}

async function connectWith(key: string, jwtOpen: string | undefined, changes: Sent = {}, user = 'ann') {
  const client = scene.keep(await RawClient.open(scene.quire.address, key));
  await client.join({ token: await scene.sign(claimsOf(key, user)) });
  client.send(scene.authMessage(key, user, { jwtOpen, supportAuthChangesAck: false, ...changes }));
  return client;
}

/** A client that signs in with signed claims. */
async function signIn(key: string, claims: Claims = {}, changes: Sent = {}) {
  return connectWith(key, await scene.sign(claimsOf(key, 'ann', claims)), changes);
}

async function refusalOf(client: RawClient) {
  const { code, description } = await client.next('disconnectReason');
  return { code, description, dismissed: (await client.closed).dismissed };
}

describe('tokens', () => {
  it('[DR32] a token that was signed with another secret is in the log, with what is wrong with it', async () => {
    const client = scene.keep(await RawClient.open(scene.quire.address, 'signed-elsewhere'));
    const token = await scene.sign(
      claimsOf('signed-elsewhere', 'ann'),
      'another secret, long enough for every algorithm',
    );
    // It is refused in its own way, which takes its time.
    const joining = client.join({ token }).catch(() => undefined);
    await eventually(() =>
      expect(scene.quire.log).toContainEqual(
        expect.objectContaining({
          ...{ level: 'warn', reason: 'invalid signature' },
          msg: 'The token of an integrator was refused: nobody gets in with it',
        }),
      ),
    );
    client.cut();
    await joining;
  });

  it('[AT1] a handshake without a right token is refused by its code, and the transport stays open', async () => {
    const key = scene.newKey();
    const good = claimsOf(key);
    const cases: [Sent, number, string][] = [
      [{}, 4006, 'token:jwt must be provided'],
      [{ token: '' }, 4006, 'token:jwt must be provided'],
      [{ token: 'x' }, 4006, 'token:jwt malformed'],
      [
        { token: await scene.sign(good, 'another secret that is long enough') },
        4006,
        'token:invalid signature',
      ],
      [{ token: await scene.sign({ ...good, exp: nowS() - 100 }) }, 4005, 'token:jwt expired'],
      [{ session: await scene.sign(good) }, 4006, 'token:invalid signature'],
    ];
    const client = scene.keep(await RawClient.open(scene.quire.address, key));
    for (const [handshake, code, description] of cases) {
      client.sendFrame(`40${JSON.stringify(handshake)}`);
      const packet = await client.packet((text) => text.startsWith('44'));
      expect(JSON.parse(packet.slice(2))).toEqual({ message: 'not authorized', data: { code, description } });
    }
    await client.join({ token: await scene.sign(good) });
    await client.next('license');
  });

  it('[AT2] a session needs a token that is right and still valid', async () => {
    const key = scene.newKey();
    const good = claimsOf(key);
    const cases: [string | undefined, number, string][] = [
      [undefined, 4006, 'token:jwt must be provided'],
      ['', 4006, 'token:jwt must be provided'],
      ['a.b.c', 4006, 'token:jwt malformed'],
      [await scene.sign(good, 'another secret that is long enough'), 4006, 'token:invalid signature'],
      [await scene.sign({ ...good, exp: nowS() - 100 }), 4005, 'token:jwt expired'],
      [`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, 4006, 'token:invalid algorithm'],
    ];
    for (const [jwtOpen, code, description] of cases) {
      const client = await connectWith(key, jwtOpen);
      expect(await refusalOf(client)).toEqual({ code, description, dismissed: true });
    }
  });

  it('[AT3] a token that expired within a minute is taken: clocks differ', async () => {
    const client = await signIn(scene.newKey(), { exp: nowS() - 30 });
    await client.next('auth');
  });

  it('[AT4] what the token says wins over what the page says', async () => {
    const key = scene.newKey();
    const claims = await scene.sign(
      claimsOf(key, 'ann', { editorConfig: { user: { id: 'ann', name: 'Signed' } } }),
    );
    const client = await connectWith('another-key', claims, {
      documentCallbackUrl: 'http://203.0.113.1/',
      openCmd: { c: 'open', id: 'another-key', format: 'pdf', url: 'http://203.0.113.1/', title: 'x.pdf' },
      user: { id: 'mallory', username: 'Mallory' },
    });
    const { participants } = await client.next('auth');
    expect(participants).toMatchObject([{ id: 'ann1', idOriginal: 'ann', username: 'Signed' }]);
    expect(await client.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
    const join = await scene.integrator.waitForCallback(key);
    expect(join.body.actions).toEqual([{ type: 1, userid: 'ann' }]);
  });

  it('[AT5] permissions must equal those of the token in every depth', async () => {
    const nested = { edit: true, comment: null, groups: { allow: ['a', null], deny: {} } };
    const key = scene.newKey();
    const same = await signIn(key, { document: { permissions: nested } }, { permissions: nested });
    await same.next('auth');
    for (const permissions of [
      { ...nested, comment: undefined },
      { ...nested, comment: false },
      { ...nested, groups: { allow: ['a'], deny: {} } },
      { ...nested, review: true },
      {},
      null,
    ]) {
      const client = await signIn(key, { document: { permissions: nested } }, { permissions });
      expect(await refusalOf(client)).toEqual({
        code: 4004,
        description: 'access deny: document.permissions of the page are not those of the token',
        dismissed: true,
      });
    }
  });

  it('[AT6] a page may restrict itself to viewing and not do the opposite', async () => {
    const restrictsItself = await signIn(scene.newKey(), {}, { mode: 'view' });
    expect((await restrictsItself.next('auth')).participants![0]!.view).toBe(true);
    const isRestricted = await signIn(scene.newKey(), { editorConfig: { mode: 'view' } }, { mode: 'edit' });
    expect((await isRestricted.next('auth')).participants![0]!.view).toBe(true);
  });

  it('[AT7] a token made for something else is refused', async () => {
    const key = scene.newKey();
    for (const top of [{ url: 'http://x/' }, { payload: { a: 1 } }, { key }]) {
      expect(await refusalOf(await signIn(key, top))).toMatchObject({ code: 4004, dismissed: true });
    }
  });

  it('[AT8] a token that lacks what the page claims is refused', async () => {
    const key = scene.newKey();
    for (const [claims, member] of [
      [{ document: { key: undefined } }, 'document.key'],
      [{ document: { url: undefined } }, 'document.url'],
      [{ document: { permissions: undefined } }, 'document.permissions'],
      [{ editorConfig: { callbackUrl: undefined } }, 'editorConfig.callbackUrl'],
      [{ editorConfig: { mode: undefined } }, 'editorConfig.mode'],
      [{ editorConfig: { mode: false } }, 'editorConfig.mode'],
      [{ document: { key: '' } }, 'document.key'],
      [{ editorConfig: { callbackUrl: '' } }, 'editorConfig.callbackUrl'],
    ] as const) {
      const reason = `${member} is missing in it`;
      const refusal = await refusalOf(await signIn(key, claims));
      expect(refusal).toEqual({ code: 4006, description: `token:${reason}`, dismissed: true });
      // The page shows a number alone; its integrator looks into the log.
      await eventually(() =>
        expect(scene.quire.log).toContainEqual(expect.objectContaining({ level: 'warn', reason })),
      );
    }
  });

  it('[AT26] rights are what they say, and none where they cannot be read', async () => {
    for (const [edit, view] of [
      ['true', false],
      ['false', true],
      [0, true],
      [{}, true],
    ] as const) {
      const permissions = { edit };
      const client = await signIn(scene.newKey(), { document: { permissions } }, { permissions });
      expect((await client.next('auth')).participants![0]!.view).toBe(view);
    }
  });

  it('[AT27] a key may be a number, and a member that cannot be read is named', async () => {
    const key = String(Date.now());
    const client = await signIn(key, { document: { key: Number(key) } });
    expect((await client.next('auth')).participants).toMatchObject([{ idOriginal: 'ann' }]);
    const refused = await signIn(scene.newKey(), { editorConfig: { user: { id: ['ann'] } } });
    const reason = 'editorConfig.user.id cannot be read in it';
    expect(await refusalOf(refused)).toMatchObject({ code: 4006, description: `token:${reason}` });
    await eventually(() =>
      expect(scene.quire.log).toContainEqual(expect.objectContaining({ level: 'warn', reason })),
    );
  });

  it('[AT25] what counts of the mode in a token is whether it says view', async () => {
    const editing = await signIn(scene.newKey(), { editorConfig: { mode: true } }, { mode: 'edit' });
    expect((await editing.next('auth')).participants![0]!.view).toBe(false);
    const viewing = await signIn(scene.newKey(), { editorConfig: { mode: true } }, { mode: 'view' });
    expect((await viewing.next('auth')).participants![0]!.view).toBe(true);
  });

  it('[AT9] the session token brings a client back, and holds no session id', async () => {
    const key = scene.newKey();
    const client = await signIn(key);
    const auth = await client.next('auth');
    await client.next('documentOpen');
    const claims = decodeJwt(auth.jwt!);
    expect(claims).toMatchObject({
      document: { key, permissions: { edit: true } },
      editorConfig: { user: { id: 'ann', index: 1 }, ds_sessionTimeConnect: auth.sessionTimeConnect },
    });
    expect(JSON.stringify(claims)).not.toContain(auth.sessionId);
    await save(client, ['1;a']);
    client.cut();
    const back = scene.keep(await RawClient.open(scene.quire.address, key));
    await back.join({ session: auth.jwt });
    back.send(scene.returningMessage({ client, auth }));
    const restored = await back.next('auth');
    expect(restored).toMatchObject({ sessionId: auth.sessionId, indexUser: 1 });
    expect(restored).not.toHaveProperty('jwt');
    await save(back, ['2;b'], {}, 1);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[AT10] an integrator token is no session token and a session token no integrator token', async () => {
    const key = scene.newKey();
    const client = await signIn(key);
    const { jwt } = await client.next('auth');
    const asSession = await connectWith(key, undefined, {
      jwtSession: await scene.sign(claimsOf(key)),
      sessionId: 'any',
    });
    expect(await refusalOf(asSession)).toMatchObject({ code: 4006, description: 'token:invalid signature' });
    const asOpening = await connectWith(key, jwt);
    expect(await refusalOf(asOpening)).toMatchObject({ code: 4006, description: 'token:invalid signature' });
  });

  it('[AT11] a token of an old version opens it for viewing under the key of the token', async () => {
    const key = scene.newKey();
    const url = `${scene.integrator.address}/files/document.docx`;
    const client = await connectWith('another-key', await scene.sign({ version: 2, key, url }));
    expect((await client.next('auth')).participants).toMatchObject([{ view: true }]);
    expect(await client.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
  });

  it('[AT12] callbacks carry a signed token in the body and in the header', async () => {
    const key = scene.newKey();
    const client = await signIn(key);
    await client.next('documentOpen');
    await client.leave();
    const callback = await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
    const { token, ...body } = callback.body;
    expect(decodeJwt(String(token))).toMatchObject(body);
    const header = String(callback.headers.authorization);
    expect(header).toMatch(/^Bearer /);
    expect(decodeJwt(header.slice(7))).toMatchObject({ payload: body });
  });

  it('[AT13] with tokens on, commands are what the token says and nothing else', async () => {
    expect(await scene.command({ c: 'version' })).toEqual({ error: 6 });
    expect(await scene.command({ c: 'version', token: 'x' })).toEqual({ error: 6 });
    const expired = await scene.sign({ c: 'version', exp: nowS() - 100 });
    expect(await scene.command({ token: expired })).toEqual({ error: 7 });
    const info = await scene.sign({ c: 'info', key: 'nowhere' });
    expect(await scene.command({ c: 'version', token: info })).toEqual({ key: 'nowhere', error: 1 });
    const version = await scene.sign({ c: 'version' });
    expect(await scene.command({ token: version })).toMatchObject({ error: 0 });
    const inHeader = await fetch(`${scene.quire.address}/command`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await scene.sign({ payload: { c: 'version' } })}`,
      },
      body: '{}',
    });
    expect(await inHeader.json()).toMatchObject({ error: 0 });
  });
});
