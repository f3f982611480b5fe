import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { Scene, type SharedScene } from '../support/scene.ts';

let scene: SharedScene;
/** Without tokens there is nothing but the word of the request. */
let open: SharedScene;
beforeAll(async () => {
  [scene, open] = await Promise.all([Scene.openShared({ tokens: true }), Scene.openShared()]);
});
afterAll(() => Promise.all([scene?.close(), open?.close()]));

const noDownload = { edit: true, download: false };

const claimsOf = (key: string, permissions: Sent, document: Sent = {}) => ({
  document: {
    key,
    url: `${scene.integrator.address}/files/document.docx`,
    fileType: 'docx',
    title: 'document.docx',
    permissions,
    ...document,
  },
  editorConfig: {
    callbackUrl: scene.integrator.callbackUrl(key),
    mode: 'edit',
    user: { id: 'ann', name: 'Ann' },
  },
});

async function person(key: string, permissions: Sent) {
  const token = await scene.sign(claimsOf(key, permissions));
  const client = scene.keep(await RawClient.connect(scene.quire.address, key, { handshake: { token } }));
  client.send(scene.authMessage(key, 'ann', { jwtOpen: token, permissions, supportAuthChangesAck: false }));
  const auth = await client.next('auth');
  const opened = await client.next('documentOpen');
  return { client, auth, token, files: opened.data.data as Record<string, string> };
}

async function copy(client: RawClient, call: Sent) {
  client.send({ type: 'rpc', responseKey: 'k', data: { type: 'saveRelativeFromChanges', ...call } });
  return (await client.next('rpc')).data as { code: number; url?: string };
}

it('[DN13] whoever may not download gets no copy by a call, neither of the own document nor by a token that forbids it', async () => {
  const [key, other] = [scene.newKey(), scene.newKey()];
  const ann = await person(key, noDownload);
  const bob = await person(other, { edit: true });
  const tokens = [
    ann.token,
    await scene.sign(claimsOf(key, { edit: true })),
    await scene.sign({ key }),
    await scene.sign(claimsOf(other, noDownload)),
  ];
  for (const token of tokens) {
    const answer = await copy(ann.client, { docId: key, token });
    expect(answer).toEqual({ code: 6, inProgress: false });
  }
  expect(await copy(bob.client, { token: ann.token })).toEqual({ code: 6, inProgress: false });
  const version = await scene.sign({
    version: 1,
    key,
    url: `${scene.integrator.address}/files/document.docx`,
  });
  expect(await copy(bob.client, { token: version })).toEqual({ code: 6, inProgress: false });
  // Of another document with a token that grants it.
  expect(await copy(ann.client, { token: bob.token })).toMatchObject({ code: 0, url: expect.any(String) });
});

it('[DN13] the same without tokens', async () => {
  const key = open.newKey();
  const { client } = await open.join(key, 'ann', { permissions: noDownload });
  expect(await copy(client, { docId: key })).toEqual({ code: 6, inProgress: false });
  const { client: other } = await open.join(open.newKey(), 'bob');
  expect(await copy(other, { docId: key })).toMatchObject({ code: 0 });
});

it('[DN13] nor the source, nor a link by a forced save; what the editor needs is there', async () => {
  const key = scene.newKey();
  const { client, auth, files, token } = await person(key, noDownload);
  const pdf = await scene.sign(claimsOf(key, noDownload, { fileType: 'pdf' }));
  for (const one of [pdf, token]) {
    const address = `${scene.quire.address}/downloadfile/${key}`;
    const headers = { 'content-type': 'application/json' };
    const asked = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ token: one }) });
    expect(asked.status).toBe(403);
  }
  for (const command of ['save', 'savefromorigin']) {
    const cmd = encodeURIComponent(JSON.stringify({ c: command, outputformat: 65 }));
    const address = `${scene.quire.address}/downloadas/${key}?cmd=${cmd}&token=${auth.jwt}`;
    expect((await fetch(address)).status).toBe(403);
  }
  client.send({ type: 'forceSaveStart' });
  expect(JSON.stringify(await client.next('forceSaveStart'))).not.toContain('cache/files');
  const paths = ['origin.docx', 'output.docx', 'document.docx', '../document.docx', 'Editor.bin'];
  client.send({ type: 'openDocument', message: { c: 'pathurls', id: key, data: paths } });
  const { data } = await client.next('documentOpen', () => true);
  expect(data.data).toEqual(['', '', '', '', files['Editor.bin']]);
  expect((await fetch(files['Editor.bin']!)).status).toBe(200);
});
