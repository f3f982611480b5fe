import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { eventually } from '../support/eventually.ts';
import { FormatsStandIn, standInResult } from '../support/formats-stand-in.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { buildOdt } from '../support/odt-fixture.ts';
import { buildPdf } from '../support/pdf-fixture.ts';
import { buildPptx } from '../support/pptx-fixture.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { append, fetchFile, paragraphsOf } from '../support/word-editor.ts';

let directory: string;
let scene: Scene;
let engine: FormatsStandIn;

beforeEach(() => engine.reset());
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-formats-'));
  engine = await FormatsStandIn.install(path.join(directory, 'x2t'));
  scene = await Scene.open({
    environment: { CONVERTER_PROCESSES: '1', ...engine.environment },
  });
});
afterAll(async () => {
  await scene?.close();
  await rm(directory, { recursive: true, force: true });
});

const openCmd = (key: string, name: string, bytes: Uint8Array, more: Sent = {}): Sent => ({
  openCmd: {
    ...{ c: 'open', id: key, format: path.extname(name).slice(1), title: name, model: 'word' },
    url: scene.integrator.serve(name, { bytes }),
    ...more,
  },
});
const odt = (text: string) => buildOdt({ paragraphs: [text] });

/** Somebody who opens a file in the word processor; the document is null if it asks for something. */
async function visit(key: string, user: string, name: string, bytes: Uint8Array, beside?: RawClient) {
  const asked = openCmd(key, name, bytes);
  const { client, auth } = beside
    ? await scene.joinBeside(beside, key, user, asked)
    : await scene.join(key, user, asked);
  const answer = client.received.find((message) => message.type === 'documentOpen')!.data as Record<
    string,
    unknown
  >;
  return { client, auth, answer, doc: answer.status === 'ok' ? await documentIn(answer) : null! };
}
async function reopen(client: RawClient, more: Sent): Promise<Record<string, unknown>> {
  client.send({ type: 'openDocument', message: { c: 'reopen', id: client.key, model: 'word', ...more } });
  return (await client.next('documentOpen')).data as Record<string, unknown>;
}

/** The document that an opening was answered with. */
async function documentIn({ data }: Sent): Promise<Node> {
  const files = data as Record<string, string>;
  return parseWordDocument(await (await fetch(files['Editor.bin']!)).json()).doc;
}
const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;
const rowOf = async (key: string) =>
  (await scene.database.pool.query('SELECT * FROM documents WHERE key = $1', [key])).rows[0];

describe('a document of another format', () => {
  it('[BO1] is edited by several as a docx that is made of it once, and handed over in its own format', async () => {
    const key = scene.newKey();
    const source = odt('together');
    const ann = await visit(key, 'ann', 'together.odt', source);
    const bob = await visit(key, 'bob', 'together.odt', source, ann.client);
    const first = append('a', ann.doc, 0, ' by Ann');
    await save(ann.client, [first.change]);
    await bob.client.next('saveChanges');
    await save(bob.client, [append('b', first.doc, 1, ' by Bob').change], {}, 1);
    ann.client.send({ type: 'forceSaveStart' });
    const forced = await scene.integrator.waitForCallback(key, is(6));
    expect(forced.body.filetype).toBe('odt');
    expect(standInResult(await fetchFile(forced.body.url))).toMatchObject({
      paragraphs: ['First by Ann', 'Second by Bob'],
    });
    await bob.client.leave();
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('odt');
    expect(standInResult(await fetchFile(body.url))).toEqual({
      told: 'encoding  save password  to 67',
      paragraphs: ['First by Ann', 'Second by Bob'],
    });
  });

  it.for([
    ['htm', 'html'],
    ['XHTML', 'html'],
    ['mhtml', 'mht'],
    ['markdown', 'md'],
    ['text', 'txt'],
  ] as const)('[BO20] called .%s is one of type %s', async ([extension, type]) => {
    const key = scene.newKey();
    const { answer } = await visit(key, 'ann', `called.${extension}`, Buffer.from('Only letters'));
    expect((await rowOf(key)).file_type).toBe(type);
    expect(answer.status).toBe('ok');
  });

  it('[BO2] that nobody changed, or whose changes do nothing, comes back byte for byte', async () => {
    const key = scene.newKey();
    const source = odt('untouched');
    const ann = await visit(key, 'ann', 'untouched.odt', source);
    await save(ann.client, ['{"c":"a","s":{"stepType":"replace","from":900,"to":901}}']);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('odt');
    expect(Buffer.compare(await fetchFile(body.url), source)).toBe(0);
  });

  it('[BO3] goes on with its docx when another conversion would give another, after a restart, and without what was kept of the opening', async () => {
    const key = scene.newKey();
    const source = odt('lasting');
    const ann = await visit(key, 'ann', 'lasting.odt', source);
    const { base_hash: base } = await rowOf(key);
    await save(ann.client, [append('a', ann.doc, 1, ' by Ann').change]);
    ann.client.cut();
    await engine.makes('Another conversion');
    await scene.quire.kill();
    // As a day later: what was opened or converted then is forgotten.
    for (const table of ['opened_sources', 'conversions', 'bullmq.job']) {
      await scene.database.pool.query(`DELETE FROM ${table}`);
    }
    await scene.quire.restart({ RECONNECT_GRACE_MS: '30000' });
    const bob = await visit(key, 'bob', 'lasting.odt', source);
    expect(bob.doc.textContent).toBe('FirstSecond');
    expect((await rowOf(key)).base_hash).toBe(base);
    await save(bob.client, [append('b', append('a', bob.doc, 1, ' by Ann').doc, 0, ' by Bob').change], {}, 1);
    await bob.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(standInResult(await fetchFile(body.url))).toMatchObject({
      paragraphs: ['First by Bob', 'Second by Ann'],
    });
  });

  it('[BO4] is a docx where its format cannot be written at that moment, and the log says why', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'ann', 'unwritable.odt', odt('unwritable'));
    await save(ann.client, [append('a', ann.doc, 0, ' kept').change]);
    await engine.cannotWrite('odt');
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('docx');
    expect(String(body.url)).toContain('output.docx');
    expect(paragraphsOf(await fetchFile(body.url))).toEqual(['First kept', 'Second']);
    const line = await scene.quire.logged(
      ({ msg, documentKey }) => msg === 'A job ended' && documentKey === key,
    );
    expect(line).toMatchObject({ kind: 'assembled', fallback: expect.stringMatching(/^odt: /) });
  });

  it('[BO5] of a format that is only read is handed over as docx', async () => {
    const key = scene.newKey();
    const bytes = Buffer.from('{\\rtf1 text}');
    // Called a fodt, which is wrong: the content is right, and rtf can be written.
    const ann = await visit(key, 'ann', 'wrong.fodt', bytes);
    await save(ann.client, [append('a', ann.doc, 0, '!').change]);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('rtf');
    const flat = scene.newKey();
    const text = Buffer.from(
      '<office:document office:mimetype="application/vnd.oasis.opendocument.text"></office:document>',
    );
    const bob = await visit(flat, 'bob', 'flat.fodt', text);
    await save(bob.client, [append('b', bob.doc, 0, '!').change]);
    await bob.client.leave();
    const { body: told } = await scene.integrator.waitForCallback(flat, is(2));
    expect(told.filetype).toBe('docx');
    expect(paragraphsOf(await fetchFile(told.url))).toEqual(['First!', 'Second']);
  });

  it('[BO6] that is protected asks for its password, opens with the right one only, and is saved with it', async () => {
    const key = scene.newKey();
    const source = odt('LOCKED');
    const ann = await visit(key, 'ann', 'locked.odt', source);
    expect(ann.answer).toMatchObject({ status: 'needpassword', data: -90 });
    expect(await reopen(ann.client, { password: 'wrong' })).toMatchObject({
      status: 'needpassword',
      data: -91,
    });
    const opened = await reopen(ann.client, { password: 'right' });
    expect(opened).toMatchObject({ status: 'ok' });
    const bob = await visit(key, 'bob', 'locked.odt', source, ann.client);
    expect(bob.answer).toMatchObject({ status: 'needpassword', data: -90 });
    await bob.client.leave();
    const doc = await documentIn(opened);
    await save(ann.client, [append('a', doc, 0, ' kept').change]);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(standInResult(await fetchFile(body.url))).toMatchObject({
      told: expect.stringContaining('save password right'),
    });
  });

  it('[BO7] never is handed over unprotected: what cannot be protected is kept as base and changes', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'ann', 'kept.odt', odt('LOCKED and kept'));
    const opened = await reopen(ann.client, { password: 'right' });
    const doc = await documentIn(opened);
    await save(ann.client, [append('a', doc, 0, ' kept').change]);
    await engine.cannotWrite('odt', 'docx');
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, is(3));
    const { url } = await scene.command({ c: 'getForgotten', key });
    const kept = unzipSync(await fetchFile(url));
    expect(Object.keys(kept).sort()).toEqual(['base.docx', 'changes0.json', 'source.odt', 'stamps.json']);
    expect(paragraphsOf(kept['base.docx']!)).toEqual(['First', 'Second']);
  });

  it('[BO8] that is plain text keeps its encoding and line ends: UTF-8 is seen, another one is asked for', async () => {
    const key = scene.newKey();
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0d, 0x0a]);
    const ann = await visit(key, 'ann', 'text.txt', cyrillic);
    expect(ann.answer).toMatchObject({ status: 'needparams' });
    expect(Buffer.compare(await fetchFile(ann.answer.data), cyrillic)).toBe(0);
    const opened = await reopen(ann.client, { codepage: 14 });
    expect(opened).toMatchObject({ status: 'ok' });
    const doc = await documentIn(opened);
    await save(ann.client, [append('a', doc, 0, '!').change]);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('txt');
    const text = Buffer.from(await fetchFile(body.url)).toString('latin1');
    expect(text).toMatch(/^encoding 14 /);
    const plain = await visit(scene.newKey(), 'bob', 'utf8.txt', Buffer.from('Grüße\n'));
    expect(plain.answer).toMatchObject({ status: 'ok' });
  });

  it('[BO9] is downloaded in its own format, and in others from the docx that is edited', async () => {
    const key = scene.newKey();
    const { client, auth, doc } = await visit(key, 'ann', 'downloaded.odt', odt('downloaded'));
    await save(client, [append('a', doc, 0, '!').change]);
    const download = async (outputformat: number) => {
      const cmd = encodeURIComponent(JSON.stringify({ c: 'save', outputformat }));
      const address = `${scene.quire.address}/downloadas/${key}?cmd=${cmd}`;
      const headers = { authorization: `Bearer ${String(auth.jwt)}` };
      return (await (await fetch(address, { method: 'POST', headers })).json()) as Record<string, unknown>;
    };
    const own = await download(67);
    expect(own).toMatchObject({ status: 'ok', filetype: 'odt' });
    expect(standInResult(await fetchFile(own.url))).toMatchObject({ paragraphs: ['First!', 'Second'] });
    const pdf = await download(513);
    expect(standInResult(await fetchFile(pdf.url))).toMatchObject({
      told: expect.stringContaining('to 513'),
      paragraphs: ['First!', 'Second'],
    });
    const docx = await download(65);
    expect(paragraphsOf(await fetchFile(docx.url))).toEqual(['First!', 'Second']);
  });

  it('[BO10] arrives with all changes when the converter is killed while it writes', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'ann', 'killed.odt', odt('killed'));
    await save(ann.client, [append('a', ann.doc, 0, ' kept').change]);
    await engine.slow(true);
    await ann.client.leave();
    await eventually(
      async () => (await rowOf(key)).state,
      (state) => state === 'assembling',
    );
    const ready = scene.quire.log.findLast(({ msg }) => msg === 'A converter is ready')!;
    process.kill(Number(ready.pid), 'SIGKILL');
    await engine.slow(false);
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(standInResult(await fetchFile(body.url))).toMatchObject({ paragraphs: ['First kept', 'Second'] });
  });

  it('[BO11] that is damaged, or of a kind that no engine reads, is refused with its number', async () => {
    for (const [name, bytes, code] of [
      ['garbage.odt', Buffer.from('garbage'), -86],
      ['garbage.bin', Buffer.from('garbage'), -82],
      ['table.ods', Buffer.from('garbage'), -82],
    ] as const) {
      const { answer } = await visit(scene.newKey(), 'ann', name, bytes);
      expect([name, answer]).toMatchObject([name, { status: 'err', data: code }]);
    }
  });
});

it('[BO12] what can be opened is announced as it is now', async () => {
  const formats = (await (await fetch(`${scene.quire.address}/meta/formats`)).json()) as {
    name: string;
    actions: string[];
  }[];
  const actionsOf = (wanted: string) => formats.find(({ name }) => name === wanted)?.actions;
  expect(actionsOf('odt')).toEqual(['view', 'lossy-edit']);
  expect(actionsOf('doc')).toEqual(['view', 'auto-convert']);
  expect(actionsOf('ods')).toEqual(['view', 'lossy-edit']);
  expect(actionsOf('xls')).toEqual(['view', 'auto-convert']);
  expect(actionsOf('pptx')).toEqual(['view']);
});

describe('a document that is looked at', () => {
  const pdf = buildPdf([{ lines: ['One page'] }]);

  /** Somebody who opens a file as pages, with every right that there is. */
  async function look(key: string, user: string, name: string, bytes: Uint8Array, more: Sent = {}) {
    const asked = openCmd(key, name, bytes, { model: 'pages' });
    const { client, auth } = await scene.join(key, user, { ...asked, ...more });
    const answer = client.received.find((message) => message.type === 'documentOpen')!.data as Sent;
    return { client, auth, answer };
  }
  const shownIn = async ({ data }: Sent): Promise<Uint8Array> =>
    fetchFile((data as Record<string, string>)['Editor.bin']!);

  it('[PV1] is its own file where that is a PDF, in parts as well, and else what an engine makes of it, once', async () => {
    const ann = await look(scene.newKey(), 'ann', 'one.pdf', pdf);
    expect(Buffer.compare(await shownIn(ann.answer), pdf)).toBe(0);
    const address = (ann.answer.data as Record<string, string>)['Editor.bin']!;
    const part = await fetch(address, { headers: { range: 'bytes=0-4' } });
    expect([part.status, await part.text()]).toEqual([206, '%PDF-']);
    const source = buildPptx(['Shown once']);
    const [first, second] = [scene.newKey(), scene.newKey()];
    const bob = await look(first, 'bob', 'slides.pptx', source);
    const carla = await look(second, 'carla', 'slides.pptx', source);
    // The stand-in gives this for everything.
    expect(paragraphsOf(await shownIn(bob.answer))).toEqual(['First', 'Second']);
    expect(await shownIn(carla.answer)).toEqual(await shownIn(bob.answer));
    const { hash } = /data\/[^/]+\/(?<hash>\w+)\//.exec(
      String(Object.values(carla.answer.data as object)[0]),
    )!.groups!;
    const { rows } = await scene.database.pool.query(
      `SELECT count(*)::int AS made FROM conversions WHERE from_type = 'pptx' AND result_hash = $1`,
      [hash],
    );
    expect(rows).toEqual([{ made: 1 }]);
  });

  it('[PV3] has viewers only, whatever they may do: no change is taken and nobody is told of an editor', async () => {
    const key = scene.newKey();
    const callbackUrl = scene.integrator.callbackUrl(key);
    const edit = { permissions: { edit: true }, mode: 'edit', documentCallbackUrl: callbackUrl };
    const ann = await look(key, 'ann', 'one.pdf', pdf, edit);
    const bob = await look(key, 'bob', 'one.pdf', pdf, edit);
    expect(bob.auth.participants!.map(({ view }) => view)).toEqual([true, true]);
    expect(await rowOf(key)).toMatchObject({ state: 'idle', model: 'pages' });
    ann.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    ann.client.send({
      ...{ type: 'saveChanges', changes: '["x"]', startSaveChanges: true, endSaveChanges: true },
      ...{ isCoAuthoring: true, deleteIndex: null, excelAdditionalInfo: null, releaseLocks: false },
    });
    // What is answered after it was sent after it.
    await look(key, 'carla', 'one.pdf', pdf);
    expect(await rowOf(key)).toMatchObject({ state: 'idle', next_index: 0 });
    await Promise.all([ann.client.leave(), bob.client.leave()]);
    expect(scene.integrator.callbacks.filter(({ body }) => body.key === key)).toEqual([]);
  });

  it('[PV4] is opened by an editor in its form, and is shown with what was changed', async () => {
    const key = scene.newKey();
    const source = odt('looked at');
    await look(key, 'ann', 'looked-at.odt', source);
    const bob = await visit(key, 'bob', 'looked-at.odt', source);
    expect(bob.doc.textContent).toBe('FirstSecond');
    expect(await rowOf(key)).toMatchObject({ state: 'open', model: 'word' });
    await save(bob.client, [append('b', bob.doc, 0, ' by Bob').change]);
    const carla = await look(key, 'carla', 'looked-at.odt', source);
    expect(standInResult(await shownIn(carla.answer))).toMatchObject({
      told: expect.stringMatching(/to 513$/),
      paragraphs: ['First by Bob', 'Second'],
    });
    await bob.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.filetype).toBe('odt');
  });

  it('[PV5] asks for its password', async () => {
    const key = scene.newKey();
    const source = Buffer.from('LOCKED');
    const ann = await look(key, 'ann', 'locked.odp', source);
    expect(ann.answer).toMatchObject({ status: 'needpassword', data: -90 });
    const wrong = await reopen(ann.client, { model: 'pages', password: 'wrong' });
    expect(wrong).toMatchObject({ status: 'needpassword', data: -91 });
    expect(await reopen(ann.client, { model: 'pages', password: 'right' })).toMatchObject({ status: 'ok' });
    const bob = await look(key, 'bob', 'locked.odp', source);
    expect(bob.answer).toMatchObject({ status: 'needpassword', data: -90 });
  });

  it('[PV6] gives neither file nor copy to who may not download, and a PDF to print only where that is granted', async () => {
    const ask = async (permissions: Sent, cmd: Sent) => {
      const key = scene.newKey();
      const { auth } = await look(key, 'ann', 'one.pdf', pdf, { permissions });
      const query = new URLSearchParams({ cmd: JSON.stringify(cmd), token: auth.jwt! });
      const answer = await fetch(`${scene.quire.address}/downloadas/${key}?${query}`);
      return answer.status === 200 ? ((await answer.json()) as Sent) : answer.status;
    };
    const print = { c: 'save', outputformat: 'pdf', inline: true, withoutPassword: true };
    const file = { c: 'save' };
    expect(await ask({ edit: true }, file)).toMatchObject({ status: 'ok', filetype: 'pdf' });
    expect(await ask({ edit: true }, print)).toMatchObject({ url: expect.stringContaining('/printfile/') });
    for (const cmd of [file, { c: 'savefromorigin' }, { c: 'save', outputformat: 'pdf' }, print]) {
      expect(await ask({ edit: true, download: false }, cmd)).toBe(403);
    }
    expect(await ask({ edit: true, download: false, print: true }, file)).toBe(403);
    expect(await ask({ edit: true, download: false, print: true }, print)).toMatchObject({
      url: expect.stringContaining('/printfile/'),
    });
  });
});
