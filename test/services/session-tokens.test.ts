import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DroppedUsers } from '../../db/dropped-users.ts';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { wordEditor } from '../support/word-editor.ts';

let scene: SharedScene;
/** A host that no token names; whatever asks it for something does so for a stranger. */
const asked: string[] = [];
const trap = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end('secret');
});
let trapAddress = '';

beforeAll(async () => {
  scene = await Scene.openShared({ tokens: true });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapAddress = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await scene?.close();
  trap.close();
});

const nowS = () => Math.floor(Date.now() / 1_000);
const fileUrl = () => `${scene.integrator.address}/files/document.docx`;

/** The configuration of somebody, as an integrator signs it. */
const configOf = (key: string, user: string, mode: 'edit' | 'view', permissions: Sent = { edit: true }) => ({
  document: { key, url: fileUrl(), fileType: 'docx', title: 'document.docx', permissions },
  editorConfig: {
    ...(mode === 'edit' ? { callbackUrl: scene.integrator.callbackUrl(key) } : {}),
    mode,
    user: { id: user, name: `Name of ${user}` },
  },
});

async function arrive(key: string, handshake: Sent, message: Sent): Promise<RawClient> {
  const client = scene.keep(await RawClient.open(scene.quire.address, key));
  await client.join(handshake);
  client.send({ ...message, supportAuthChangesAck: false });
  return client;
}

async function enter(
  key: string,
  user: string,
  mode: 'edit' | 'view',
  claims: Sent = {},
  changes: Sent = {},
) {
  const jwtOpen = await scene.sign({ iat: nowS(), ...configOf(key, user, mode), ...claims });
  const callback = mode === 'edit' ? {} : { documentCallbackUrl: '', coEditingMode: 'strict' };
  const message = scene.authMessage(key, user, { jwtOpen, mode, ...callback, ...changes });
  const client = await arrive(key, { token: jwtOpen }, message);
  const auth = await client.next('auth');
  await client.next('documentOpen');
  return { client, auth, jwtOpen };
}

const refusalOf = async (client: RawClient) => (await client.next('disconnectReason')).code;

const documentRow = async (key: string) =>
  (
    await scene.database.pool.query(
      `SELECT source_url, source_vouched, source_hash, file_type, base_url,
         (SELECT array_agg(DISTINCT callback_url) FROM openings o WHERE o.key = d.key) AS callbacks
       FROM documents d WHERE key = $1`,
      [key],
    )
  ).rows[0];

describe('a session token', () => {
  it('[AT14] begins no session, whatever is asked with it', async () => {
    const key = scene.newKey();
    const { client, auth } = await enter(key, 'reader', 'view');
    const before = await documentRow(key);
    client.cut();
    const wanted = {
      sessionId: null,
      jwtSession: auth.jwt,
      documentCallbackUrl: `${trapAddress}/callback`,
      openCmd: {
        c: 'open',
        id: key,
        userid: 'reader',
        format: 'txt',
        url: `${trapAddress}/inner`,
        title: 'x',
      },
    };
    for (const more of [{}, { permissions: undefined }, { docid: scene.newKey() }, { mode: 'view' }]) {
      const back = await arrive(
        key,
        { session: auth.jwt },
        scene.authMessage(key, 'reader', { jwtOpen: '', ...wanted, ...more }),
      );
      expect(await refusalOf(back)).toBe(4006);
    }
    expect(await documentRow(key)).toEqual(before);
    expect(asked).toEqual([]);
  });

  it('[AT15] brings back what it was given for: a reader stays a reader and names no address', async () => {
    const key = scene.newKey();
    const { client, auth } = await enter(key, 'reader', 'view');
    const before = await documentRow(key);
    client.cut();
    const back = await arrive(
      key,
      { session: auth.jwt },
      scene.returningMessage(
        { client, auth },
        {
          mode: 'edit',
          permissions: undefined,
          isCloseCoAuthoring: false,
          documentCallbackUrl: `${trapAddress}/callback`,
          openCmd: { c: 'open', id: key, format: 'txt', url: `${trapAddress}/inner`, title: 'x' },
        },
      ),
    );
    const { participants } = await back.next('auth');
    expect(participants).toMatchObject([{ idOriginal: 'reader', view: true }]);
    back.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    expect(await refusalOf(back)).toBe(4004);
    expect(await documentRow(key)).toEqual(before);
    expect(asked).toEqual([]);
  });

  it('[AT15] keeps the permissions that the integrator signed', async () => {
    const key = scene.newKey();
    const permissions = { edit: false, comment: true, download: false };
    const claims = configOf(key, 'critic', 'edit', permissions);
    const asked = { permissions, ...wordEditor(scene, key) };
    const { client, auth } = await enter(key, 'critic', 'edit', claims, asked);
    client.cut();
    const back = await arrive(
      key,
      { session: auth.jwt },
      scene.returningMessage({ client, auth }, { permissions: { edit: true, download: true } }),
    );
    await back.next('auth');
    back.send({ type: 'openDocument', message: { c: 'changedocinfo', username: 'Boss' } });
    expect((await back.next('documentOpen')).data).toMatchObject({ status: 'err' });
    const cmd = JSON.stringify({ c: 'save', outputformat: 65, title: 'copy.docx' });
    const answer = await fetch(`${scene.quire.address}/downloadas/${key}?cmd=${encodeURIComponent(cmd)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${auth.jwt}` },
    });
    expect(answer.status).toBe(403);
  });
});

describe('a configuration', () => {
  it('[AT18] that says what its user is called leaves nothing of a name to the page', async () => {
    const key = scene.newKey();
    const user = { id: 'ann', username: 'Boss', firstname: 'Big', lastname: 'Boss', indexUser: -1 };
    const { auth } = await enter(key, 'ann', 'edit', {}, { user });
    expect(auth.participants).toMatchObject([{ username: 'Name of ann' }]);
  });
});

describe('a user whom no token names', () => {
  it('[PR10] takes another name, and leaves those of the same id the names that their tokens say', async () => {
    const key = scene.newKey();
    const ann = await enter(key, 'ann', 'edit');
    const { editorConfig, ...others } = configOf(key, 'ann', 'view');
    const nameless = { ...others, editorConfig: { ...editorConfig, user: { id: 'ann' } } };
    const { client } = await enter(key, 'ann', 'view', nameless, { coEditingMode: 'fast' });
    client.send({ type: 'openDocument', message: { c: 'changedocinfo', username: 'Boss' } });
    expect((await client.next('documentOpen')).data).toMatchObject({ status: 'ok' });
    for (const one of [ann.client, client]) {
      const { participants } = await one.next('connectState', ({ participants }) =>
        participants.some(({ username }) => username === 'Boss'),
      );
      expect(participants.map(({ username }) => username).sort()).toEqual(['Boss', 'Name of ann']);
    }
  });
});

describe('a token of a version', () => {
  it('[AT16] is for reading a document that is edited, under no name, and leads nothing astray', async () => {
    const key = scene.newKey();
    const ann = await enter(key, 'ann', 'edit');
    ann.client.send({ type: 'message', message: 'not for readers of versions' });
    await ann.client.next('message');
    const before = await documentRow(key);
    for (const version of [2, '2', 0]) {
      const token = await scene.sign({ version, key, url: fileUrl() });
      const reader = await arrive(
        key,
        { token },
        scene.authMessage(key, 'ann', {
          jwtOpen: token,
          mode: 'edit',
          documentCallbackUrl: `${trapAddress}/callback`,
          openCmd: { c: 'open', id: key, format: 'txt', url: `${trapAddress}/inner`, title: 'x' },
        }),
      );
      const auth = await reader.next('auth');
      const me = auth.participants!.find(({ connectionId }) => connectionId === reader.connectionId);
      expect(me).toMatchObject({ view: true, username: 'Anonymous' });
      reader.send({ type: 'message', message: 'I am Ann' });
      reader.send({ type: 'getMessages' });
      expect(await reader.next('message')).toEqual({ type: 'message' });
      reader.send({ type: 'openDocument', message: { c: 'changedocinfo', username: 'Ann' } });
      expect((await reader.next('documentOpen', ({ data }) => data.type !== 'open')).data).toMatchObject({
        status: 'err',
      });
      const again = await arrive(
        key,
        { session: auth.jwt },
        scene.authMessage(key, 'boss', { jwtSession: auth.jwt, jwtOpen: '', permissions: { edit: true } }),
      );
      expect(await refusalOf(again)).toBe(4006);
      reader.send({ type: 'isSaveLock', syncChangesIndex: 0 });
      expect(await refusalOf(reader)).toBe(4004);
    }
    await ann.client.settled();
    expect(ann.client.unreadOf('message')).toEqual([]);
    const after = await documentRow(key);
    expect({ ...after, callbacks: after.callbacks.filter(Boolean) }).toEqual({
      ...before,
      callbacks: before.callbacks.filter(Boolean),
    });
    expect(asked).toEqual([]);
  });

  it('[AT16] that names no address opens nothing', async () => {
    const key = scene.newKey();
    const token = await scene.sign({ version: 1, key });
    const message = scene.authMessage(key, 'ann', {
      jwtOpen: token,
      openCmd: { c: 'open', id: key, format: 'txt', url: `${trapAddress}/inner`, title: 'x' },
    });
    expect(await refusalOf(await arrive(key, { token }, message))).toBe(4006);
    expect(asked).toEqual([]);
  });
});

describe('those whom the integrator sends away', () => {
  const drop = async (key: string, users?: string[]) =>
    expect(
      await scene.command({ token: await scene.sign({ c: 'drop', key, ...(users && { users }) }) }),
    ).toMatchObject({ error: 0 });

  it('[AT17] stay out with all they hold, until the integrator signs anew', async () => {
    const key = scene.newKey();
    const ann = await enter(key, 'ann', 'edit');
    const earlier = { iat: nowS() - 60 };
    const unused = await scene.sign({ ...configOf(key, 'bob', 'edit'), ...earlier });
    const bob = await enter(key, 'bob', 'view', earlier);
    await drop(key, ['bob']);
    await bob.client.next('drop');
    expect((await bob.client.closed).dismissed).toBe(true);

    const returning = scene.returningMessage(bob, { mode: 'view' });
    expect(await refusalOf(await arrive(key, { session: bob.auth.jwt }, returning))).toBe(4007);
    for (const jwtOpen of [bob.jwtOpen, unused]) {
      const message = scene.authMessage(key, 'bob', { jwtOpen, mode: 'view', documentCallbackUrl: '' });
      expect(await refusalOf(await arrive(key, { token: jwtOpen }, message))).toBe(4007);
    }
    await save(ann.client, ['1;a']);
    const again = await enter(key, 'bob', 'view', { iat: nowS() + 1 });
    expect(again.auth.participants).toHaveLength(2);
    again.client.cut();
    const back = scene.returningMessage(again, { mode: 'view' });
    await (await arrive(key, { session: again.auth.jwt }, back)).next('auth');
  });

  it('[AT24] come in by what was signed after they were sent away, by the clock of the integrator', async () => {
    const behindS = 3_000;
    for (const isNested of [false, true]) {
      const key = scene.newKey();
      await enter(key, 'ann', 'edit');
      const earlier = await scene.sign({ ...configOf(key, 'bob', 'edit'), iat: nowS() - behindS - 60 });
      const bob = await enter(key, 'bob', 'view', { iat: nowS() - behindS - 90 });
      const command = { c: 'drop', key, users: ['bob'] };
      const token = await scene.sign({
        ...(isNested ? { payload: command } : command),
        iat: nowS() - behindS,
      });
      expect(await scene.command({ token })).toMatchObject({ error: 0 });
      await bob.client.next('drop');
      const message = scene.authMessage(key, 'bob', {
        jwtOpen: earlier,
        mode: 'view',
        documentCallbackUrl: '',
      });
      expect(await refusalOf(await arrive(key, { token: earlier }, message))).toBe(4007);
      await enter(key, 'bob', 'view', { iat: nowS() - behindS + 1 });
    }
  });

  it('[AT17] stay out with a token that says no time, also under another name, and put no picture in', async () => {
    const key = scene.newKey();
    const nameless = { ...configOf(key, '', 'edit'), iat: undefined };
    nameless.editorConfig = { ...nameless.editorConfig, user: undefined as never };
    const bob = await enter(key, 'bob', 'edit', nameless);
    await drop(key);
    await bob.client.next('drop');
    for (const user of ['bob', 'eve']) {
      const message = scene.authMessage(key, user, { jwtOpen: bob.jwtOpen });
      expect(await refusalOf(await arrive(key, { token: bob.jwtOpen }, message))).toBe(4007);
    }
    const upload = await fetch(`${scene.quire.address}/upload/${key}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bob.auth.jwt}` },
      body: 'x',
    });
    expect(upload.status).toBe(403);
  });

  it('[AT19] have no download of the document from a node that has not heard of it and is still connected with them', async () => {
    const key = scene.newKey();
    const [ann, bob] = [await enter(key, 'ann', 'view'), await enter(key, 'bob', 'view')];
    // What the command writes before it tells all nodes.
    await new DroppedUsers(scene.database.pool).add(key, ['ann']);
    const download = async (token: unknown) =>
      (
        await fetch(`${scene.quire.address}/downloadas/${key}?cmd={"c":"save"}`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await download(ann.auth.jwt)).toBe(403);
    expect(await download(bob.auth.jwt)).toBe(200);
    await ann.client.settled();
  });

  it('[AT19] read nothing more of the document: no copy by a call from another one, and no file of the storage', async () => {
    const [key, other] = [scene.newKey(), scene.newKey()];
    await enter(key, 'ann', 'edit');
    const earlier = { iat: nowS() - 60 };
    const bobs = configOf(key, 'bob', 'edit');
    const unused = await scene.sign({ ...bobs, ...earlier });
    const file = { ...bobs, document: { ...bobs.document, fileType: 'pdf' }, ...earlier };
    const ofFile = await scene.sign(file);
    const reference = await scene.sign({ key, url: fileUrl(), fileType: 'docx', ...earlier });
    const bob = await enter(key, 'bob', 'view', earlier);
    const elsewhere = await enter(other, 'bob', 'view');
    const copy = async (token: string) => {
      elsewhere.client.send({
        type: 'rpc',
        responseKey: 1,
        data: { type: 'saveRelativeFromChanges', token },
      });
      return ((await elsewhere.client.next('rpc')).data as { code: number }).code;
    };
    const storage = async (token: string, asked = key) => {
      const body = JSON.stringify({ url: fileUrl(), token });
      const headers = { 'content-type': 'application/json' };
      const at = `${scene.quire.address}/downloadfile/${asked}`;
      return (await fetch(at, { method: 'POST', headers, body })).status;
    };
    expect([await copy(reference), await storage(ofFile), await storage(ofFile, other)]).toEqual([
      0, 200, 200,
    ]);
    await drop(key, ['bob']);
    await bob.client.next('drop');
    for (const token of [bob.jwtOpen, unused, reference]) expect(await copy(token)).toBe(6);
    for (const asked of [key, other]) expect(await storage(ofFile, asked)).toBe(403);
    const anew = { iat: nowS() + 1 };
    expect(await copy(await scene.sign({ ...bobs, ...anew }))).toBe(0);
    expect(await storage(await scene.sign({ ...file, ...anew }))).toBe(200);
  });
});

it('[AT20] a copy by a call is for the token of a document; one that was made for something else gives none', async () => {
  const key = scene.newKey();
  await enter(key, 'ann', 'edit');
  const { client } = await enter(scene.newKey(), 'bob', 'edit');
  const url = fileUrl();
  for (const claims of [
    { key },
    { c: 'info', key },
    { key, url, filetype: 'docx', outputtype: 'pdf' },
    { key, url, fileType: 'docx', outputtype: 'pdf' },
    { version: 1, key, url, fileType: 'docx' },
    { url, fileType: 'docx' },
    { payload: { key, url, fileType: 'docx' } },
  ]) {
    const token = await scene.sign(claims);
    client.send({
      type: 'rpc',
      responseKey: 1,
      data: { type: 'saveRelativeFromChanges', docId: key, token },
    });
    expect([claims, (await client.next('rpc')).data]).not.toEqual([
      claims,
      expect.objectContaining({ code: 0 }),
    ]);
  }
});
