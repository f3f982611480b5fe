import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { Scene, type SharedScene, sceneSecret } from '../support/scene.ts';
import { wordEditor } from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

async function refusalOf(client: RawClient) {
  const { code, description } = await client.next('disconnectReason');
  return { code, description, dismissed: (await client.closed).dismissed };
}

describe('signing in without tokens', () => {
  it('[AU1] a connection is told the license first, in the form browsers wait for', async () => {
    const client = await scene.connect(scene.newKey());
    const [license] = client.received;
    expect(license).toMatchObject({ type: 'license', license: { type: 3, light: false, rights: 1 } });
    expect(license).toHaveProperty('license.buildVersion', expect.stringMatching(/^\d+\.\d+\.\d+$/));
    expect(client.frames[0]).toMatch(/^0\{"sid":".+"upgrades":\[\],"pingInterval":25000,"pingTimeout":20000/);
  });

  it('[AU2] the reply tells the session, the index, who is there, and nothing that does not apply', async () => {
    const key = scene.newKey();
    const { client, auth } = await scene.join(key, 'ann');
    expect(auth).toMatchObject({
      type: 'auth',
      result: 1,
      indexUser: 1,
      locks: {},
      licenseType: 3,
      g_cAscSpellCheckUrl: '',
      settings: {
        reconnection: { attempts: 50, delay: 2_000 },
        binaryChanges: false,
        websocketMaxPayloadSize: 1_572_864,
        maxChangesSize: 157_286_400,
      },
      participants: [
        {
          id: 'ann1',
          idOriginal: 'ann',
          username: 'Name of ann',
          indexUser: 1,
          view: false,
          connectionId: client.connectionId,
          isCloseCoAuthoring: false,
          isLiveViewer: false,
        },
      ],
    });
    expect(auth.jwt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const absent of ['messages', 'hasForgotten', 'openedAt']) expect(auth).not.toHaveProperty(absent);
  });

  it('[AU3] a message without token or user gets no answer and does no harm', async () => {
    const key = scene.newKey();
    const client = await scene.connect(key);
    client.send(scene.authMessage(key, 'ann', { token: '' }));
    client.send(scene.authMessage(key, 'ann', { token: undefined }));
    client.send(scene.authMessage(key, 'ann', { user: null }));
    client.send({ type: 'forceSaveStart' });
    expect(await client.next('forceSaveStart')).toMatchObject({ messages: { code: 3 } });
    expect(client.unread).toEqual([]);
    client.send(scene.authMessage(key, 'ann', { supportAuthChangesAck: false }));
    await client.next('auth');
  });

  it('[AU4] what needs a session is refused to strangers', async () => {
    const requests: Sent[] = [
      { type: 'getLock', block: ['p1'] },
      { type: 'isSaveLock', syncChangesIndex: 0 },
      { type: 'saveChanges', changes: '[]', startSaveChanges: true, endSaveChanges: true },
    ];
    for (const request of requests) {
      const client = await scene.connect(scene.newKey());
      client.send(request);
      expect(await refusalOf(client)).toEqual({ code: 4004, description: 'access deny', dismissed: true });
    }
  });

  it('[AU5] the document is the one of the message, not the one of the address', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const elsewhere = await scene.connect('another-key');
    elsewhere.send(scene.authMessage(key, 'bob', { mode: 'view' }));
    const { participants } = await ann.client.next('connectState', (list) => list.participants.length === 2);
    expect(participants.map(({ id }) => id)).toEqual(['ann1', 'bob2']);
  });

  it('[GW23] a document whose key has to be encoded in addresses opens by both transports, and so do its files', async () => {
    for (const key of ['a=b', '=', '-._=', `${scene.newKey()}==`, '...', `${'x'.repeat(239)}=`]) {
      for (const transport of ['socket.io', 'plain'] as const) {
        const client = await scene.connect(encodeURIComponent(key), { transport });
        client.send(scene.authMessage(key, 'ann', { mode: 'view', supportAuthChangesAck: false }));
        const { jwt } = await client.next('auth');
        const { data } = await client.next('documentOpen');
        const files = Object.values(data.data as Record<string, string>);
        for (const link of files) expect((await fetch(link)).status).toBe(200);
        for (const [method, path] of [
          ['POST', 'upload'],
          ['GET', 'downloadfile'],
          ['POST', 'savefile'],
        ] as const) {
          const address = `${scene.quire.address}/${path}/${encodeURIComponent(key)}`;
          const answer = await fetch(address, { method, headers: { authorization: `Bearer ${jwt}` } });
          expect([400, 403]).toContain(answer.status);
        }
      }
    }
  });

  it('[AU6] an address that names no document is refused', async () => {
    const client = scene.keep(await RawClient.open(scene.quire.address, 'a b'));
    client.sendFrame('40{}');
    expect(await refusalOf(client)).toMatchObject({ code: 4004, dismissed: true });
  });

  it('[AU7] a document key of a wrong form is refused', async () => {
    for (const docid of ['', 'a/b', '../x', 'x'.repeat(300), null]) {
      const client = await scene.connect(scene.newKey());
      client.send(scene.authMessage('k', 'ann', { docid }));
      expect(await refusalOf(client)).toMatchObject({ code: 4004, dismissed: true });
    }
  });

  it('[AU8] signing in again on a connection is answered again and registers nothing twice', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    client.send(scene.authMessage(key, 'ann'));
    const again = await client.next('auth');
    expect(again.indexUser).toBe(1);
    expect(again.participants).toHaveLength(1);
  });

  it('[AU9] people are shown by first and last name, else user name, else as anonymous', async () => {
    const names = [
      [{ firstname: 'Ann', lastname: 'Lee', username: 'al' }, 'en', 'Ann Lee'],
      [{ firstname: 'Ann', lastname: 'Lee', username: 'al' }, 'ru-RU', 'Lee Ann'],
      [{ firstname: 'Ann', lastname: null, username: 'al' }, 'en', 'al'],
      [{ username: null }, 'en', 'Anonymous'],
      [{ username: 'x'.repeat(300) }, 'en', 'x'.repeat(255)],
    ] as const;
    for (const [user, lang, shown] of names) {
      const { auth } = await scene.join(scene.newKey(), 'ann', { user: { id: 'ann', ...user }, lang });
      expect(auth.participants![0]!.username).toBe(shown);
    }
  });

  it('[AU10] an identifier longer than 240 characters gets a soft error and the connection stays', async () => {
    const key = scene.newKey();
    const client = await scene.connect(key);
    client.send(scene.authMessage(key, 'x'.repeat(241)));
    expect(await client.next('error')).toEqual({ type: 'error', description: 'User id too long' });
    await client.settled();
    expect(client.unreadOf('documentOpen')).toEqual([]);
    client.send({ type: 'openDocument', message: { c: 'nonsense' } });
    await client.next('documentOpen');
    const { auth } = await scene.join(key, 'x'.repeat(240));
    expect(auth.participants).toHaveLength(1);
  });

  it('[AU11] unique ids are the identifier and the index, and no two are the same', async () => {
    const key = scene.newKey();
    const users = ['a', '11', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', '1'];
    const ids: string[] = [];
    for (const user of users) {
      const { auth } = await scene.join(key, user, { mode: 'view', coEditingMode: 'strict' });
      ids.push(auth.participants!.at(-1)!.id);
    }
    expect(ids.slice(0, 2)).toEqual(['a1', '112']);
    expect(ids.at(-1)).toBe('113');
    expect(new Set(ids).size).toBe(users.length);
  });

  it('[AU12] an index is not given twice, also after everybody left', async () => {
    const key = scene.newKey();
    const first = await scene.join(key, 'ann');
    await first.client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
    const second = await scene.join(key, 'ann');
    expect(second.auth.indexUser).toBe(2);
  });

  it('[AU13] rights to review, comment or fill in make an editor, none of them a viewer', async () => {
    const cases: [Sent | undefined, boolean][] = [
      [undefined, false],
      [{}, false],
      [{ edit: false }, true],
      [{ edit: false, review: true }, false],
      [{ edit: false, comment: true }, false],
      [{ edit: false, fillForms: true }, false],
      [{ edit: false, review: false, comment: false }, true],
    ];
    for (const [permissions, view] of cases) {
      const key = scene.newKey();
      const client = await scene.connect(key);
      client.send(scene.authMessage(key, 'ann', { ...wordEditor(scene, key), permissions }));
      const auth = await client.next('auth');
      expect([permissions, auth.participants![0]!.view]).toEqual([permissions, view]);
    }
  });

  it('[AU14] viewers are refused what changes a document', async () => {
    const key = scene.newKey();
    await scene.join(key, 'ann');
    for (const request of [
      { type: 'getLock', block: ['p1'] },
      { type: 'isSaveLock', syncChangesIndex: 0 },
      { type: 'saveChanges', changes: '["1;a"]', startSaveChanges: true, endSaveChanges: true },
    ]) {
      const { client } = await scene.join(key, 'viewer', { mode: 'view' });
      client.send(request);
      expect(await refusalOf(client)).toMatchObject({ code: 4004, dismissed: true });
    }
    const { client } = await scene.join(key, 'viewer', { mode: 'view' });
    client.send({ type: 'unLockDocument', deleteIndex: 0, isSave: true, unlock: true, releaseLocks: true });
    await client.settled();
    expect(await scene.storedChanges(key)).toEqual([]);
  });

  it('[AU15] a token that is shown must be right, also where none is demanded', async () => {
    const key = scene.newKey();
    const withBadSession = await scene.connect(key);
    withBadSession.send(scene.authMessage(key, 'ann', { jwtSession: await scene.sign({ a: 1 }) }));
    expect(await refusalOf(withBadSession)).toMatchObject({ code: 4006, dismissed: true });
    const withBadToken = await scene.connect(key);
    withBadToken.send(scene.authMessage(key, 'ann', { jwtOpen: await scene.sign({}, `not ${sceneSecret}`) }));
    expect(await refusalOf(withBadToken)).toEqual({
      code: 4006,
      description: 'token:invalid signature',
      dismissed: true,
    });
  });
});
