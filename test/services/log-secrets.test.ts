import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, TestIntegrator } from '../support/integrator.ts';
import { RawClient } from '../support/raw-client.ts';
import { sceneSecret } from '../support/scene.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

const secrets = {
  JWT_SECRET: sceneSecret,
  JWT_SESSION_SECRET: 'the secret of session tokens in this test',
  SECURE_LINK_SECRET: 'the secret of file links in this test',
  S3_ACCESS_KEY_ID: 'AKIAOFTHISTEST',
  S3_SECRET_ACCESS_KEY: 's3-secret-of-this-test',
};
const password = 'pass-word-of-this-test';
const typed = 'written-by-ann-in-this-test';

let scene: WopiScene;
let integrator: TestIntegrator;

beforeAll(async () => {
  [integrator, scene] = await Promise.all([
    TestIntegrator.start(),
    WopiScene.open({ ...secrets, LOG_LEVEL: 'trace', CALLBACK_RETRY_FOR_MS: '3000' }),
  ]);
});
afterAll(async () => {
  await scene?.close();
  await integrator?.close();
});

const sign = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(sceneSecret));

async function post(path: string, body: object): Promise<Response> {
  const token = await sign(body);
  return fetch(`${scene.quire.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...body, token }),
  });
}

/** Somebody signs in with tokens to a document whose storage does not answer, changes it and leaves. */
async function aRefusedDocument(key: string): Promise<void> {
  const url = integrator.serve('secret.docx', { bytes: Buffer.from('no document at all') });
  const callbackUrl = `${integrator.callbackUrl(key)}?signature=in-the-query`;
  const document = { key, url: `${url}?token=in-the-query`, fileType: 'docx', title: 'secret.docx' };
  const editorConfig = { callbackUrl, mode: 'edit', user: { id: 'ann', name: 'Ann' } };
  const token = await sign({ document: { ...document, permissions: { edit: true } }, editorConfig });
  integrator.answer(key, ({ status }) => (status === 1 ? { status: 500, body: 'oh' } : accepted));
  const client = await RawClient.open(scene.quire.address, key);
  await client.join({ token });
  client.send({
    type: 'auth',
    docid: key,
    documentCallbackUrl: callbackUrl,
    token: 'fghhfgsjdgfjs',
    jwtOpen: token,
    user: { id: 'ann', username: 'Ann', indexUser: -1 },
    editorType: 0,
    openCmd: { c: 'open', id: key, format: 'docx', url: document.url, title: 'secret.docx', password },
    permissions: { edit: true },
    mode: 'edit',
  });
  await client.next('documentOpen');
  client.send({ type: 'clientLog', level: 'warn', msg: 'a line of a client' });
  await client.leave();
}

it('[LG9] whatever happens at whichever level, tokens, passwords, keys and contents are in no line', async () => {
  const file = scene.newFile();
  const accessToken = scene.host.person('ann');
  const ann = await scene.edit(file, accessToken);
  await typeAfter(ann, 'First', typed);
  await ann.close();
  await eventually(
    async () => textOfDocx(file.bytes),
    (text) => text.includes(typed),
  );
  // The same by GET, where the token is in the address; and one that the host does not know.
  await scene.page(file, accessToken, { method: 'GET' });
  await scene.page(file, 'a-token-of-nobody', { method: 'GET' });
  await aRefusedDocument('refused');
  const url = integrator.serve('source.docx', { bytes: file.bytes });
  const conversion = { key: 'c1', filetype: 'docx', outputtype: 'pdf', title: 'a', password };
  await post('/converter', { ...conversion, url: `${url}?token=in-the-query` });
  await post('/command', { c: 'info', key: 'refused' });
  await fetch(`${scene.quire.address}/command`, {
    method: 'POST',
    body: '{"c":"version","token":"eyJ.bad.one"}',
  });
  await eventually(
    async () => scene.quire.log.filter(({ msg }) => msg === 'A request ended').length,
    (count) => count >= 5,
  );
  await scene.quire.stop();

  const log = scene.quire.logText();
  expect(log).toContain('A source could not be opened');
  expect(log).toContain('A callback of joining or leaving was not accepted');
  expect(log).toContain('a line of a client');
  const never = [
    accessToken,
    'a-token-of-nobody',
    'in-the-query',
    password,
    typed,
    ...Object.values(secrets),
  ];
  for (const secret of never) expect(log.includes(secret), secret).toBe(false);
  expect(log).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
  expect(log).not.toMatch(/postgres(ql)?:\/\/[^/\s"]*@/);
});
