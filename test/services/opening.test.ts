import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import type { Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let guarded: Scene;

beforeAll(async () => {
  [scene, guarded] = await Promise.all([
    Scene.open({ environment: { MAX_DOWNLOAD_SIZE_BYTES: '200000', CONVERTER_PROCESSES: '1' } }),
    Scene.open({ environment: { ALLOW_PRIVATE_IP_ADDRESS: 'false' } }),
  ]);
});
afterAll(() => Promise.all([scene?.close(), guarded?.close()]));

/** The message of an editor that opens a source. */
async function open(key: string, user: string, command: Sent, where = scene) {
  const client = await where.connect(key);
  const message = where.authMessage(key, user, { supportAuthChangesAck: false });
  client.send({ ...message, openCmd: { ...(message.openCmd as Sent), ...command } });
  return client;
}

/** What an opening answers. */
async function answerTo(command: Sent, where = scene) {
  const client = await open(where.newKey(), 'ann', command, where);
  return (await client.next('documentOpen')).data;
}

/** The first bytes of an OLE file with the streams of an encrypted package, as far as they are looked at. */
function encryptedPackage(): Uint8Array {
  const bytes = Buffer.alloc(1_536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(4_096, 56);
  bytes.writeUInt32LE(0xfffffffe, 60);
  bytes.writeUInt32LE(0xfffffffe, 68);
  bytes.writeUInt32LE(0, 76);
  for (let entry = 80; entry < 512; entry += 4) bytes.writeUInt32LE(0xffffffff, entry);
  const fat = 512;
  for (let entry = fat; entry < fat + 512; entry += 4) bytes.writeUInt32LE(0xffffffff, entry);
  bytes.writeUInt32LE(0xfffffffd, fat);
  bytes.writeUInt32LE(0xfffffffe, fat + 4);
  ['Root Entry', 'EncryptionInfo', 'EncryptedPackage'].forEach((name, index) => {
    const at = 1_024 + index * 128;
    bytes.write(name, at, 'utf16le');
    bytes.writeUInt16LE((name.length + 1) * 2, at + 64);
    bytes[at + 66] = index === 0 ? 5 : 2;
    bytes[at + 67] = 1;
    for (const link of [68, 72, 76]) bytes.writeUInt32LE(0xffffffff, at + link);
  });
  bytes.writeUInt32LE(1, 1_024 + 76);
  bytes.writeUInt32LE(2, 1_024 + 128 + 72);
  return bytes;
}

describe('opening', () => {
  it('[OP1] an editor of another make gets the file itself as Editor.bin, behind a signed link', async () => {
    const bytes = buildDocx({ paragraphs: ['As it is'] });
    const url = scene.integrator.serve('as-it-is.docx', { bytes });
    const key = scene.newKey();
    const client = await open(key, 'ann', { url });
    const { data } = await client.next('documentOpen');
    expect(data).toMatchObject({ type: 'open', status: 'ok' });
    const link = (data.data as Record<string, string>)['Editor.bin']!;
    expect(link).toContain(`${scene.quire.address}/cache/files/`);
    const response = await fetch(link);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes));
    expect((await fetch(link.replace(/md5=[^&]*/, 'md5=AAAAAAAAAAAAAAAAAAAAAA'))).status).toBe(403);
    expect((await fetch(link.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(403);
  });

  it('[OP15] who takes a small model with the answer gets the text that its link has; others, and larger ones, get the link alone', async () => {
    const paragraphs = Array.from({ length: 2_000 }, (_, at) => `Paragraph ${at} of a long document`);
    const sources = [
      {
        name: 'small.docx',
        bytes: buildDocx({ paragraphs: ['Grüße "to" all'] }),
        takesText: true,
        isText: true,
      },
      {
        name: 'asked-not.docx',
        bytes: buildDocx({ paragraphs: ['Grüße'] }),
        takesText: false,
        isText: false,
      },
      { name: 'large.docx', bytes: buildDocx({ paragraphs }), takesText: true, isText: false },
    ];
    for (const { name, bytes, takesText, isText } of sources) {
      const url = scene.integrator.serve(name, { bytes });
      const { data, text } = await answerTo({ url, model: 'word', takesText });
      const link = (data as Record<string, string>)['Editor.bin']!;
      const fetched = await (await fetch(link)).text();
      expect(text, name).toBe(isText ? fetched : undefined);
    }
    const url = scene.integrator.serve('other.docx', { bytes: buildDocx({ paragraphs: ['As it is'] }) });
    expect(await answerTo({ url, takesText: true })).not.toHaveProperty('text');
  });

  it('[OP2] links begin with the address under which the client reached the server', async () => {
    const key = scene.newKey();
    const client = await scene.connect(key, {
      headers: {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'docs.example',
        'x-forwarded-prefix': '/office',
      },
    });
    client.send(scene.authMessage(key, 'ann'));
    const { data } = await client.next('documentOpen');
    expect((data.data as Record<string, string>)['Editor.bin']).toMatch(
      /^https:\/\/docs\.example\/office\/cache\/files\//,
    );
  });

  it('[OP3] what cannot be opened is answered with the number of the reason', async () => {
    const { integrator } = scene;
    const docx = buildDocx({ paragraphs: ['x'] });
    const cases: [string, Parameters<typeof integrator.serve>[1] | null, string, number][] = [
      ['nowhere.docx', null, 'err', -81],
      ['forbidden.docx', { status: 403 }, 'err', -81],
      [
        'page.docx',
        { bytes: Buffer.from('<html><body>Log in</body></html>'), contentType: 'text/html' },
        'err',
        -86,
      ],
      ['cut.docx', { bytes: docx.subarray(0, docx.length / 2) }, 'err', -86],
      ['other.zip', { bytes: zipSync({ 'a.txt': Buffer.from('a') }) }, 'err', -82],
      ['empty.docx', { bytes: new Uint8Array() }, 'err', -86],
      ['large.docx', { bytes: new Uint8Array(200_001) }, 'err', -93],
      ['locked.docx', { bytes: encryptedPackage() }, 'needpassword', -90],
    ];
    for (const [name, file, status, data] of cases) {
      const url = file ? integrator.serve(name, file) : `${integrator.address}/files/${name}`;
      const answer = await answerTo({ url, format: name.split('.').at(-1) });
      expect([name, answer.status, answer.data]).toEqual([name, status, data]);
    }
    expect(await answerTo({ url: 'http://127.0.0.1:1/x.docx' })).toMatchObject({ status: 'err', data: -81 });
    expect(await answerTo({ url: 'ftp://example.org/x.docx' })).toMatchObject({ status: 'err', data: -81 });
    expect(await answerTo({ url: undefined })).toMatchObject({ status: 'err', data: -81 });
  });

  it('[OP4] a private address that no token vouches for is not contacted', async () => {
    const url = guarded.integrator.serve('private.docx', { bytes: buildDocx({ paragraphs: ['private'] }) });
    for (const address of [
      url,
      url.replace('127.0.0.1', 'localhost'),
      url.replace('127.0.0.1', '[::ffff:7f00:1]'),
    ]) {
      expect(await answerTo({ url: address }, guarded)).toMatchObject({ status: 'err', data: -81 });
    }
    expect(guarded.integrator.downloadsOf('private.docx')).toBe(0);
  });

  it('[OP5] content decides where name and content disagree', async () => {
    const url = scene.integrator.serve('wrong-name', { bytes: buildDocx({ paragraphs: ['x'] }) });
    const key = scene.newKey();
    const client = await open(key, 'ann', { url, format: 'xlsx' });
    expect(await client.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
    const { rows } = await scene.database.pool.query('SELECT file_type FROM documents WHERE key = $1', [key]);
    expect(rows).toEqual([{ file_type: 'docx' }]);
  });

  it('[OP6] all who open while the source comes wait for one download, and hear nothing before', async () => {
    let release: (() => void) | undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = scene.integrator.serve('slow.docx', { bytes: buildDocx({ paragraphs: ['slow'] }), until });
    const key = scene.newKey();
    const ann = await open(key, 'ann', { url });
    await ann.next('auth');
    const viewer = await open(key, 'viewer', { url });
    await viewer.next('waitAuth');
    await ann.settled();
    for (const client of [ann, viewer]) expect(client.unreadOf('documentOpen')).toEqual([]);
    release?.();
    for (const client of [ann, viewer]) {
      expect(await client.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
    }
    expect(scene.integrator.downloadsOf('slow.docx')).toBe(1);
  });

  it('[OP7] the next opening tries again what failed', async () => {
    const name = 'later.docx';
    const key = scene.newKey();
    const url = scene.integrator.serve(name, { status: 404 });
    const first = await open(key, 'ann', { url });
    expect(await first.next('documentOpen')).toMatchObject({ data: { status: 'err', data: -81 } });
    await first.leave();
    scene.integrator.serve(name, { bytes: buildDocx({ paragraphs: ['later'] }) });
    const second = await open(key, 'ann', { url });
    expect(await second.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
    await save(second, ['1;a']);
  });

  it('[OP8] a document that is open is not fetched again', async () => {
    const url = scene.integrator.serve('once.docx', { bytes: buildDocx({ paragraphs: ['once'] }) });
    const key = scene.newKey();
    const ann = await open(key, 'ann', { url });
    await ann.next('documentOpen');
    const viewer = await open(key, 'viewer', { url });
    await viewer.next('documentOpen');
    expect(scene.integrator.downloadsOf('once.docx')).toBe(1);
  });

  it('[OP9] commands that are not known here are answered with an error', async () => {
    const { client } = await scene.join(scene.newKey(), 'ann');
    client.send({ type: 'openDocument', message: { c: 'nonsense' } });
    expect(await client.next('documentOpen')).toEqual({
      type: 'documentOpen',
      data: { type: 'nonsense', status: 'err', data: -1 },
    });
    client.send({ type: 'rpc', responseKey: 1, data: { type: 'nonsense' } });
    client.send({ type: 'clientLog', level: 'debug', msg: 'onOpenDocument time:110' });
    client.send({ type: 'extendSession', idletime: 0 });
    await client.settled();
  });

  it('[OP10] an editor of another make does not enter a document whose changes it cannot read', async () => {
    const { key, ann } = await scene.pair();
    await save(ann.client, ['1;a']);
    const other = await open(key, 'other', { model: 'word' });
    expect(await other.next('disconnectReason')).toMatchObject({ code: 4004 });
    await save(ann.client, ['2;b'], {}, 1);
  });
});
