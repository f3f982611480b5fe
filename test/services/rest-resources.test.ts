import { createHash } from 'node:crypto';
import path from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import { PrintFiles } from '../../services/integration/print-files.ts';
import { eventually } from '../support/eventually.ts';
import { RawClient } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

const sessionSecret = 'the secret of sessions in these tests, long enough';
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { JWT_SESSION_SECRET: sessionSecret } });
});
afterAll(() => scene?.close());

const answer = async (at: string, init?: RequestInit) => {
  const response = await fetch(scene.quire.address + at, init);
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
};

/** What nobody means, what is too much, and what only looks like a range. */
const oddRanges = [
  'bytes=5-2',
  'bytes=-',
  'bytes=a-b',
  'bytes=-5--2',
  'bytes=0x10-0x20',
  'bytes=1e3-',
  'bytes=99999999999999999999999-',
  'bytes=0-99999999999999999999999',
  'bytes=999999999-',
  'bytes=-0',
  'bytes=-99999999999999999999999',
  'bytes=0-0,2-3',
  `bytes=${'0-1,'.repeat(1_500)}`,
  'bytes = 0 - 1',
  'items=0-1',
  'x',
  '-',
  '=',
  ',',
];

describe('ranges', () => {
  async function checkRanges(addresses: readonly string[]) {
    for (const address of addresses) {
      const whole = await (await fetch(address)).text();
      for (const range of [...oddRanges, 'bytes=0-0', 'bytes=2-4', 'bytes=-3']) {
        const response = await fetch(address, { headers: { range } });
        const text = await response.text();
        const said = [address, range.slice(0, 40), response.status].join(' ');
        expect([200, 206, 416], said).toContain(response.status);
        if (response.status === 200) expect(text.length, said).toBe(whole.length);
        if (response.status !== 206) continue;
        const [, from, to] = /^bytes (\d+)-(\d+)\/\d+$/.exec(response.headers.get('content-range')!)!;
        expect(text.length, said).toBe(Number(to) - Number(from) + 1);
      }
    }
  }
  const anyScript = async () => {
    const address = `${scene.quire.address}/web-apps/apps/quire/word/`;
    const page = await (await fetch(`${address}index.html`)).text();
    return new URL(/src="([^"]+\.js)"/.exec(page)![1]!, address);
  };

  it('[RA23] whatever a range says, files are served: all, a part, or 416', async () => {
    const client = await scene.connect(scene.newKey());
    client.send(scene.authMessage(client.key, 'ann', { supportAuthChangesAck: false }));
    const { data } = await client.next('documentOpen');
    const [file] = Object.values(data.data as Record<string, string>);
    const script = await anyScript();
    const ofOperators = `${scene.quire.adminAddress}assets/${path.basename(script.pathname)}`;
    const api = `${scene.quire.address}/web-apps/apps/api/documents/api.js`;
    await checkRanges([file!, script.href, api, ofOperators]);
    expect(scene.quire.errorText()).toBe('');
  });

  it('[RA23] the same goes for the example', async () => {
    const script = path.basename((await anyScript()).pathname);
    const world = await Scene.open({ tokens: true, environment: { EXAMPLE_ENABLED: 'true' } });
    try {
      const example = `${world.quire.address}/example`;
      await checkRanges([`${example}/assets/${script}`, `${example}/integration.md`]);
      expect(world.quire.errorText()).toBe('');
    } finally {
      await world.close();
    }
  });
});

describe('what the server says of itself', () => {
  it('[RA10] /meta/formats tells of each format its editor, what can be done with it and what it becomes', async () => {
    const formats = JSON.parse((await answer('/meta/formats')).text) as Record<string, unknown>[];
    expect(formats.find(({ name }) => name === 'docx')).toEqual({
      name: 'docx',
      type: 'word',
      actions: ['view', 'edit', 'review', 'comment'],
      convert: expect.arrayContaining(['docx']),
      engines: { copy: ['docx'] },
      mime: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    });
    const names = formats.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it('[RA10] /meta/config tells header, addresses and limits as they are set', async () => {
    const base = scene.quire.address;
    expect(JSON.parse((await answer('/meta/config')).text)).toEqual({
      authorization: { header: 'Authorization', prefix: 'Bearer ' },
      urls: {
        api: `${base}/web-apps/apps/api/documents/api.js`,
        command: `${base}/command`,
        converter: `${base}/converter`,
        docbuilder: `${base}/docbuilder`,
      },
      limits: { maxFileSize: 104_857_600 },
      langs: ['en', 'de', 'ar'],
      forwarding: { headers: [], believed: true },
    });
  });

  it('[RA10] /meta/config tells what a proxy in front sends', async () => {
    const headers = { 'x-forwarded-proto': 'https', forwarded: 'for=192.0.2.1', 'front-end-https': 'on' };
    const response = await fetch(`${scene.quire.address}/meta/config`, { headers });
    expect(await response.json()).toMatchObject({
      urls: { api: expect.stringMatching(/^https:/) },
      forwarding: { headers: ['forwarded', 'x-forwarded-proto', 'front-end-https'], believed: true },
    });
  });

  it('[RA11] small addresses answer as documented, and unknown ones with 404', async () => {
    expect(await answer('/themes.json')).toMatchObject({ status: 200, text: '{"themes":[]}' });
    expect(await answer('/plugins.json')).toMatchObject({
      status: 200,
      text: '{"url":"","pluginsData":[],"autostart":[]}',
    });
    expect(await answer('/robots.txt')).toMatchObject({
      status: 200,
      type: expect.stringContaining('text/plain'),
    });
    expect(await answer('/baseurl')).toMatchObject({ text: scene.quire.address });
    expect((await answer('/index.html')).text).toMatch(
      /^Server is functioning normally\. Version: 9\.3\.0\./,
    );
    expect(await answer('/welcome/')).toMatchObject({
      status: 200,
      type: expect.stringContaining('text/html'),
    });
    for (const at of ['/nowhere', '/command/more', '/cache', '/meta', '/internal', '/printfile/k']) {
      expect([at, (await answer(at)).status]).toEqual([at, 404]);
    }
  });
});

describe('addresses for editors', () => {
  const session = (claims: object, secret = sessionSecret) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));

  it('[RA12] a PDF to print is shown by whoever has the link, and by nobody else', async () => {
    const blobs = new FileBlobStore(path.join(scene.quire.dataDir, 'blobs'));
    const pdf = Buffer.from('%PDF-1.7\nnot much of one\n');
    const { hash } = await blobs.put(pdf);
    const secrets = {
      inbox: sceneSecret,
      previousInbox: undefined,
      outbox: sceneSecret,
      session: sessionSecret,
    };
    const files = new PrintFiles(new Tokens(secrets, loadConfig({})), blobs);
    const link = await files.linkTo(
      { docKey: 'k1', hash, fileName: 'Bericht & Plan/ü.pdf' },
      { baseUrl: scene.quire.address, routing: { shardkey: 'k1' } },
    );
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('inline');
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true);
    expect(new URL(link).searchParams.get('shardkey')).toBe('k1');

    const token = (claims: object, secret?: string) => session(claims, secret);
    const good = { document: { key: 'k1' }, printed: hash };
    const gone = createHash('sha256').update('nothing').digest('hex');
    const cases = [
      ['/printfile/k2/a.pdf', await token(good), 403],
      ['/printfile/k1/a.pdf', await token(good, sceneSecret), 403],
      ['/printfile/k1/a.pdf', await token({ document: { key: 'k1' } }), 403],
      ['/printfile/k1/a.pdf', await token({ ...good, printed: '../../secrets.json' }), 403],
      ['/printfile/k1/a.pdf', '', 403],
      ['/printfile/k1/a.pdf', await token({ ...good, printed: gone }), 404],
      ['/printfile/k1/a.pdf', await token(good), 200],
    ] as const;
    for (const [at, given, status] of cases) {
      expect([at, (await answer(`${at}?token=${given}`)).status]).toEqual([at, status]);
    }
    const upload = await answer('/upload/k1', {
      method: 'POST',
      headers: { authorization: `Bearer ${await token(good)}` },
      body: 'x',
    });
    expect(upload.status).toBe(403);
  });

  it('[RA13] a file of an encrypted document is not taken, which an editor is told and nobody else', async () => {
    const key = scene.newKey();
    const { client, auth } = await scene.join(key, 'ann');
    const cmd = encodeURIComponent(JSON.stringify({ c: 'save', tokenSession: auth.jwt }));
    const byCommand = await answer(`/savefile/${key}?cmd=${cmd}`, { method: 'POST', body: 'PK' });
    expect(byCommand).toMatchObject({ status: 200, text: '{"type":"save","status":"err","data":-85}' });
    const headers = { authorization: `Bearer ${auth.jwt}` };
    expect(await answer(`/savefile/${key}`, { method: 'POST', headers })).toMatchObject({ status: 200 });
    expect(await answer(`/savefile/other`, { method: 'POST', headers })).toMatchObject({ status: 403 });
    expect(await answer(`/savefile/${key}`, { method: 'POST' })).toMatchObject({ status: 403 });
    expect(await answer(`/savefile/${key}?cmd=[]`, { method: 'POST', headers })).toMatchObject({
      status: 400,
    });
    await client.leave();
  });

  it('[RA14] an uploaded picture is linked as the browser reaches the server, whatever follows the key', async () => {
    const key = scene.newKey();
    const { client, auth } = await scene.join(key, 'ann', {}, { query: '&shardkey=mine' });
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const response = await fetch(
      `${scene.quire.address}/9.3.0-ab12/upload/${key}/ann1/1/jpg?token=${auth.jwt}`,
      {
        method: 'POST',
        body: png,
        headers: { 'x-forwarded-host': 'docs.example', 'x-forwarded-proto': 'https' },
      },
    );
    const [[name, link]] = Object.entries((await response.json()) as Record<string, string>) as [
      [string, string],
    ];
    expect(name).toMatch(/^media\/[0-9a-f]+\.png$/);
    expect(link).toMatch(/^https:\/\/docs\.example\/cache\/files\//);
    expect(new URL(link).searchParams.get('shardkey')).toBe('mine');
    await client.leave();
  });
});

describe('taking a server out of service', () => {
  it('[RA15] before that, health checks say no and nothing else changes', async () => {
    const { client } = await scene.join(scene.newKey(), 'ann');
    expect(await answer('/internal/cluster/pre-stop', { method: 'PUT' })).toMatchObject({ text: 'true' });
    expect((await answer('/healthcheck')).text).toBe('false');
    const other = await scene.join(scene.newKey(), 'bob');
    await save(client, ['1;a']);
    expect((await answer('/internal/connections/edit')).text).toMatch(/^[2-9]\d*$/);
    expect(await answer('/internal/cluster/pre-stop', { method: 'DELETE' })).toMatchObject({ text: 'true' });
    expect((await answer('/healthcheck')).text).toBe('true');
    await Promise.all([client.leave(), other.client.leave()]);
  });

  it('[RA15] then everybody is sent away with 4001, what they did is handed over, and nobody is let in', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    const retired = answer('/internal/cluster/inactive', { method: 'PUT' });
    expect(await client.next('disconnectReason')).toMatchObject({ code: 4001 });
    expect((await client.closed).dismissed).toBe(true);
    expect(await retired).toMatchObject({ status: 200, text: 'true' });
    await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
    expect((await answer('/internal/cluster/inactive')).text).toBe('true');
    expect((await answer('/internal/connections/edit')).text).toBe('0');
    expect((await answer('/healthcheck')).text).toBe('false');
    const late = scene.keep(await RawClient.open(scene.quire.address, scene.newKey()));
    await late.join();
    expect(await late.next('disconnectReason')).toMatchObject({ code: 4001 });
    expect(await answer('/internal/cluster/inactive', { method: 'DELETE' })).toMatchObject({ text: 'true' });
    expect((await answer('/internal/cluster/inactive')).text).toBe('false');
    await eventually(
      () => answer('/healthcheck'),
      ({ text }) => text === 'true',
    );
    const back = await scene.join(scene.newKey(), 'ann');
    await back.client.leave();
  });

  it('[RA15] only somebody on the machine itself may do that', async () => {
    for (const [at, method] of [
      ['/internal/cluster/inactive', 'PUT'],
      ['/internal/cluster/inactive', 'GET'],
      ['/internal/cluster/pre-stop', 'PUT'],
      ['/internal/cluster/drain', 'PUT'],
      ['/internal/cluster/ready', 'GET'],
      ['/internal/connections/edit', 'GET'],
    ] as const) {
      const refused = await answer(at, { method, headers: { 'x-forwarded-for': '198.51.100.7' } });
      expect([at, refused.status]).toEqual([at, 403]);
    }
    expect((await answer('/healthcheck')).text).toBe('true');
  });
});
