import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { signJwt } from '../support/bad-requests.ts';
import { RawClient } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene, sceneSecret } from '../support/scene.ts';
import { append, fetchFile, paragraphsOf, wordEditor } from '../support/word-editor.ts';

/** What Nextcloud's connector sends, field by field; nothing of it is written for Quire. */
let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared({ tokens: true });
});
afterAll(() => scene?.close());

type Claims = Record<string, unknown>;

/** Five minutes of validity from now, as the connector's default is. */
function lifetime() {
  const iat = Math.floor(Date.now() / 1000);
  return { iat, exp: iat + 300 };
}

/** A call of the connector: signed in the header under `payload`, and once more in the body, with what is sent in plain. */
async function call(path: string, parameters: Claims): Promise<Claims> {
  const life = lifetime();
  const flat = { ...parameters, ...life };
  const response = await fetch(`${scene.quire.address}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${signJwt({ payload: parameters, ...life }, sceneSecret)}`,
    },
    body: JSON.stringify({ ...flat, token: signJwt(flat, sceneSecret) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Claims;
}

const convert = (parameters: Claims) =>
  call(`converter?shardKey=${String(parameters.key)}`, {
    async: false,
    url: `${scene.integrator.address}/files/document.docx`,
    outputtype: 'docx',
    filetype: 'docx',
    title: `${String(parameters.key)}.docx`,
    ...parameters,
  });

describe('the calls of the connector of Nextcloud', () => {
  it('[IE12] the check of its settings finds a healthy server of a version above 6 that converts', async () => {
    const health = await fetch(`${scene.quire.address}/healthcheck`);
    expect(await health.text()).toBe('true');
    const told = await call('coauthoring/CommandService.ashx', { c: 'version' });
    expect(told.error).toBe(0);
    expect(Number.parseFloat(String(told.version))).toBeGreaterThan(6);
    const reply = await convert({ key: 'check_1804289383', region: 'de-DE' });
    expect(reply).toMatchObject({ endConvert: true, fileType: 'docx', percent: 100 });
    expect(reply).not.toHaveProperty('error');
    expect(paragraphsOf(await fetchFile(reply.fileUrl))).toEqual(['First', 'Second']);
    // Its address for downloads refuses whoever shows no token.
    const { authorization } = scene.integrator.headersOf('document.docx')!;
    expect(authorization).toMatch(/^Bearer \S+\.\S+\.\S+$/);
  });

  it('[IE12] a conversion that fails is told by a number that it knows', async () => {
    const reply = await convert({
      key: 'check_2',
      url: `${scene.integrator.address}/files/none.docx`,
      thumbnail: { first: false },
    });
    expect(reply.error).toBe(-4);
  });

  it('[IE13] its configuration opens, and its callback finds key, url, author, format and history', async () => {
    const key = '2716057841';
    const callbackUrl = `${scene.integrator.callbackUrl(key)}?doc=eyJ0eXAiOiJKV1Qi.e30`;
    const editor = wordEditor(scene, key) as { openCmd: { url: string } };
    const claims = {
      document: {
        fileType: 'docx',
        key,
        permissions: { edit: true, protect: true, changeHistory: true, fillForms: true },
        title: 'base.docx',
        url: editor.openCmd.url,
        referenceData: { fileKey: '216', instanceId: 'oc4jwjdwnzdz' },
        info: { favorite: false },
      },
      documentType: 'word',
      canEdit: true,
      editorConfig: {
        lang: 'de',
        region: 'de-DE',
        callbackUrl,
        user: { id: 'oc4jwjdwnzdz_ann', name: 'Ann' },
        templates: null,
        customization: { goback: { url: 'http://cloud.test/f/216' }, uiTheme: 'default-light', macros: true },
      },
      type: 'desktop',
      width: '100%',
      height: '100%',
      ...lifetime(),
    };
    const token = signJwt(claims, sceneSecret);
    const client = scene.keep(await RawClient.open(scene.quire.address, key));
    await client.join({ token });
    client.send(
      scene.authMessage(key, 'oc4jwjdwnzdz_ann', {
        documentCallbackUrl: callbackUrl,
        openCmd: editor.openCmd,
        jwtOpen: token,
        // It names no mode for who may write, and pages send what the configuration says.
        mode: undefined,
        permissions: claims.document.permissions,
        supportAuthChangesAck: false,
      }),
    );
    await client.next('auth');
    const { data } = await client.next('documentOpen');
    const { doc } = parseWordDocument(
      await (await fetch((data.data as Record<string, string>)['Editor.bin']!)).json(),
    );
    const entered = await scene.integrator.waitForCallback(key);
    expect(entered.url.searchParams.get('doc')).toBe('eyJ0eXAiOiJKV1Qi.e30');
    expect(entered.body).toMatchObject({ status: 1, users: ['oc4jwjdwnzdz_ann'] });
    await save(client, [append('a', doc, 0, '!').change]);
    await client.leave();
    const { body, headers } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    // It trusts the token of the body, else the one of the header with everything under `payload`.
    const claimsOf = (jwt: string) =>
      JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as Claims;
    const told = { key, status: 2, url: body.url, users: ['oc4jwjdwnzdz_ann'] };
    expect(claimsOf(String(body.token))).toMatchObject(told);
    expect(claimsOf(headers.authorization!.slice('Bearer '.length)).payload).toMatchObject(told);
    expect(body).toMatchObject({
      filetype: 'docx',
      history: { serverVersion: expect.stringMatching(/^\d/), changes: expect.any(Array) },
    });
    expect((await fetchFile(body.changesurl)).length).toBeGreaterThan(0);
    expect(paragraphsOf(await fetchFile(body.url))[0]).toMatch(/!$/);
  });
});
