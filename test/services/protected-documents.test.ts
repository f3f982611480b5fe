import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { fetchFile } from '../support/word-editor.ts';
import { installFakeX2t } from '../support/x2t.ts';

/**
 * A file of this stand-in that begins with `locked` wants the password `right`, a csv an encoding. What it writes tells
 * all that it was told.
 */
const standIn = `
  value() { sed -n "s/.*<$1>\\(.*\\)<\\/$1>.*/\\1/p" "$params"; }
  params=$1
  to=$(value m_sFileTo)
  from=$(value m_sFileFrom)
  if [ "$(head -c 6 "$from")" = locked ]; then
    case "$(value m_sPassword)" in
      "") exit 90 ;;
      right|hunter2) ;;
      *) exit 91 ;;
    esac
  fi
  case "$from" in
    *.csv) [ -n "$(value m_nCsvTxtEncoding)" ] || exit 89 ;;
  esac
  (printf 'DOCY;v10;'; echo "from $(basename "$from") to $(value m_nFormatTo)"
   echo "encoding $(value m_nCsvTxtEncoding) delimiter $(value m_nCsvDelimiter)"
   echo "save password $(value m_sSavePassword)"
   [ ! -d in/changes ] || cat in/changes/*.json
   [ ! -d in/media ] || ls in/media
   head -c 400 "$from") > "$to"`;

let directory: string;
let scene: Scene;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-protected-'));
  const { directory: x2tDir } = await installFakeX2t(path.join(directory, 'x2t'), standIn);
  scene = await Scene.open({
    environment: { CONVERTER_PROCESSES: '1', X2T_DIR: x2tDir, X2T_UNCONFINED: 'true', LOG_LEVEL: 'info' },
  });
  scene.integrator.serve('locked.odt', { bytes: Buffer.from('locked text') });
  scene.integrator.serve('table.csv', { bytes: Buffer.from('a;b\n') });
  // The first document waits for the converter process to start, which takes its time on a busy machine.
  const key = scene.newKey();
  const first = await scene.connect(key);
  first.send(scene.authMessage(key, 'first', { openCmd: openCmd(key, 'document.docx') }));
  await eventually(
    async () => first.received.some(({ type }) => type === 'documentOpen'),
    (opened) => opened,
  );
});
afterAll(async () => {
  await scene?.close();
  await rm(directory, { recursive: true, force: true });
});

const openCmd = (key: string, name: string, more: Sent = {}): Sent => ({
  c: 'open',
  id: key,
  format: path.extname(name).slice(1),
  url: `${scene.integrator.address}/files/${name}`,
  title: name,
  ...more,
});
const text = async (url: unknown) => Buffer.from(await fetchFile(url)).toString();

/** Somebody who opens a file, and the answer. */
async function visit(key: string, name: string, more: Sent = {}) {
  const client = await scene.connect(key);
  client.send(
    scene.authMessage(key, 'ann', { supportAuthChangesAck: false, openCmd: openCmd(key, name), ...more }),
  );
  const auth = await client.next('auth');
  return { client, auth, answer: (await client.next('documentOpen')).data as Record<string, unknown> };
}

async function reopen(client: RawClient, more: Sent): Promise<Record<string, unknown>> {
  client.send({ type: 'openDocument', message: { c: 'reopen', id: client.key, ...more } });
  return (await client.next('documentOpen')).data as Record<string, unknown>;
}

/** All rows of all tables, those of the job queue too, as text. */
async function everythingStored(): Promise<string> {
  const { pool } = scene.database;
  const tables = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'bullmq') AND table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await pool.query<{ text: string }>(
        `SELECT row_to_json(one)::text AS text FROM ${name} one`,
      );
      return rows.map(({ text: row }) => row).join('\n');
    }),
  );
  return texts.join('\n');
}

/** A link to the document as somebody downloads it. */
async function download(key: string, token: unknown, cmd: object, body?: string) {
  const address = `${scene.quire.address}/downloadas/${key}?cmd=${encodeURIComponent(JSON.stringify(cmd))}`;
  const headers = { authorization: `Bearer ${String(token)}` };
  const response = await fetch(address, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
  return (await response.json()) as Record<string, unknown>;
}

describe('a protected document', () => {
  it('[XT22] asks for its password, opens with the right one only, and is saved with it again', async () => {
    const key = scene.newKey();
    const { client, answer } = await visit(key, 'locked.odt');
    expect(answer).toMatchObject({ type: 'open', status: 'needpassword', data: -90 });
    expect(await reopen(client, { password: 'wrong' })).toMatchObject({ status: 'needpassword', data: -91 });
    const opened = await reopen(client, { password: 'right' });
    expect(opened).toMatchObject({ type: 'reopen', status: 'ok' });
    expect(client.received.some((message) => message.type === 'refreshToken')).toBe(true);
    const { 'Editor.bin': document } = opened.data as Record<string, string>;
    expect(await text(document)).toContain('from source.odt to 8192');
    await save(client, ['change']);
    await client.leave();
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    expect(body.filetype).toBe('odt');
    expect(await text(body.url)).toMatch(/save password right\n\["change"\]/);
  });

  it('[XT22] is for nobody who comes later without the password', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'locked.odt');
    await reopen(ann.client, { password: 'right' });
    const bob = await visit(key, 'locked.odt', { mode: 'view' });
    expect(bob.answer).toMatchObject({ status: 'needpassword', data: -90 });
    bob.client.send({ type: 'openDocument', message: { c: 'pathurls', id: key, data: ['Editor.bin'] } });
    expect((await bob.client.next('documentOpen')).data).toMatchObject({ data: [''] });
    expect(await reopen(bob.client, { password: 'no' })).toMatchObject({ status: 'needpassword', data: -91 });
    expect(await reopen(bob.client, { password: 'right' })).toMatchObject({ status: 'ok' });
    bob.client.send({ type: 'openDocument', message: { c: 'pathurls', id: key, data: ['Editor.bin'] } });
    expect((await bob.client.next('documentOpen')).data).toMatchObject({
      data: [expect.stringMatching(/^http/)],
    });
  });

  it('[XT26] gives nothing of what it holds, and takes no change, before the password is known', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'locked.odt');
    await reopen(ann.client, { password: 'right' });
    const annsToken = (await ann.client.next('refreshToken')).messages;
    await save(ann.client, ['written behind the password']);
    ann.client.send({ type: 'message', message: 'said behind the password' });
    ann.client.send({ type: 'getLock', block: ['locked behind the password'] });
    await ann.client.next('getLock');
    const vic = await visit(key, 'locked.odt', { mode: 'view', user: { id: 'vic', username: 'Vic' } });
    const bob = await scene.connect(key);
    bob.send(
      scene.authMessage(key, 'bob', { supportAuthChangesAck: false, openCmd: openCmd(key, 'locked.odt') }),
    );
    await ann.client.next('connectState', ({ waitAuth }) => waitAuth === true);
    ann.client.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    const auth = await bob.next('auth');
    await bob.next('documentOpen');
    await save(ann.client, ['and more'], { releaseLocks: false }, 1);
    ann.client.send({ type: 'cursor', cursor: 'pointing behind the password' });
    ann.client.send({ type: 'message', message: 'said later behind the password' });
    ann.client.send({ type: 'getLock', block: ['locked later behind the password'] });
    await ann.client.settled();
    const commands = [
      { c: 'save' },
      { c: 'save', outputformat: 'pdf', withoutPassword: true },
      { c: 'savefromorigin', outputformat: 'txt', withoutPassword: true },
    ];
    for (const cmd of commands) {
      for (const token of [vic.auth.jwt, auth.jwt])
        expect([cmd, await download(key, token, cmd)]).toMatchObject([cmd, { status: 'err', data: -90 }]);
      expect(await download(key, annsToken, cmd)).not.toMatchObject({ data: -90 });
    }
    const call = { type: 'saveRelativeFromChanges', docId: key };
    for (const client of [vic.client, bob]) {
      client.send({ type: 'rpc', responseKey: 1, data: call });
      expect((await client.next('rpc')).data).toMatchObject({ code: 6 });
      for (const type of ['getMessages', 'cursor', 'message'])
        client.send({ type, cursor: 'from outside', message: 'from outside' });
      expect(await client.next('message')).toEqual({ type: 'message' });
      expect(client.frames.filter((frame) => frame.includes('behind the password'))).toEqual([]);
    }
    expect(await reopen(bob, { password: 'right' })).toMatchObject({ status: 'ok' });
    const missed = await bob.next('saveChanges', ({ changesIndex }) => changesIndex === 2);
    expect(missed.changes.map(({ change }) => JSON.parse(change))).toEqual(['and more']);
    const got = bob.frames.join('');
    for (const what of ['written', 'said', 'said later', 'locked', 'locked later'])
      expect(got).toContain(`${what} behind the password`);
    expect(ann.client.frames.join('')).not.toContain('from outside');
    await save(bob, ['by bob'], {}, 2);
    vic.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    await vic.client.closed;
    const eve = await visit(key, 'locked.odt', { user: { id: 'eve', username: 'Eve' } });
    eve.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
    expect(await eve.client.next('disconnectReason')).toMatchObject({ code: 4004 });
    expect(eve.client.frames.join('')).not.toContain('behind the password');
  });

  it('[XT23] leaves its password nowhere in the clear', async () => {
    const key = scene.newKey();
    scene.integrator.serve('other.odt', { bytes: Buffer.from('locked otherwise') });
    const { client } = await visit(key, 'other.odt');
    expect(await reopen(client, { password: 'hunter2' })).toMatchObject({ status: 'ok' });
    const stored = await everythingStored();
    expect(stored).toContain('opening_options');
    for (const place of [stored, scene.quire.logText()]) expect(place).not.toMatch(/hunter2/);
  });
});

describe('plain text', () => {
  it('[XT24] asks for its encoding and delimiter, and is saved with them', async () => {
    const key = scene.newKey();
    const { client, answer } = await visit(key, 'table.csv');
    expect(answer).toMatchObject({ status: 'needparams' });
    expect(await text(answer.data)).toBe('a;b\n');
    const waiting = await visit(key, 'table.csv', { mode: 'view' });
    expect(waiting.answer).toMatchObject({ status: 'needparams' });
    const opened = await reopen(client, { codepage: '44', delimiter: [2] });
    expect(opened).toMatchObject({ type: 'reopen', status: 'ok' });
    expect(await text((opened.data as Record<string, string>)['Editor.bin'])).toContain(
      'encoding 44 delimiter 2',
    );
    const { data: told } = await waiting.client.next('documentOpen');
    expect(told).toMatchObject({ type: 'reopen', status: 'ok' });
    expect(await text((told.data as Record<string, string>)['Editor.bin'])).toContain(
      'encoding 44 delimiter 2',
    );
    await waiting.client.leave();
    const bob = await visit(key, 'table.csv', { mode: 'view' });
    expect(bob.answer).toMatchObject({ status: 'ok' });
    await save(client, ['change']);
    await client.leave();
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    expect(body.filetype).toBe('csv');
    expect(await text(body.url)).toMatch(/encoding 44 delimiter 2\n/);
  });
});

describe('a download', () => {
  it('[DN10] is in every format that an engine makes of the document’s', async () => {
    const key = scene.newKey();
    const { auth, client } = await visit(key, 'document.docx');
    await save(client, ['change']);
    const pdf = await download(key, auth.jwt, { c: 'save', outputformat: 513 });
    expect(pdf).toMatchObject({ status: 'ok', filetype: 'pdf' });
    expect(new URL(String(pdf.url)).searchParams.get('filename')).toBe('document.pdf');
    expect(await text(pdf.url)).toMatch(/from source.\w+ to 513[\s\S]*DOCY;v10;from Editor.bin to 65/);
    const odt = await download(key, auth.jwt, { c: 'savefromorigin', outputformat: 67 });
    expect(await text(odt.url)).toMatch(/from source.docx to 67\n[\s\S]*PK/);
    expect(await download(key, auth.jwt, { c: 'save', outputformat: 257 })).toMatchObject({
      status: 'err',
      data: -82,
    });
    expect(await download(key, auth.jwt, { c: 'sendmm' })).toMatchObject({ status: 'err', data: -1 });
  });

  it('[DN11] of what an editor sends is made of that, in as many parts as there are, and told over its connection', async () => {
    const key = scene.newKey();
    const { auth, client } = await visit(key, 'document.docx');
    const cmd = { c: 'save', id: key, outputformat: 67, title: 'Mine.odt' };
    const first = await download(key, auth.jwt, { ...cmd, savetype: 0 }, 'DOCY;v10;0;one ');
    expect(first).toEqual({ type: 'save', status: 'ok', data: expect.any(String) });
    const rest = { ...cmd, savekey: first.data };
    await download(key, auth.jwt, { ...rest, savetype: 1 }, 'two ');
    expect(await download(key, auth.jwt, { ...rest, savetype: 2 }, 'three')).toMatchObject({
      data: first.data,
    });
    const { data } = (await client.next('documentOpen')).data as { data: string };
    expect(await text(data)).toMatch(/from source.bin to 67\n[\s\S]*DOCY;v10;0;one two three$/);
    expect(new URL(data).searchParams.get('filename')).toBe('Mine.odt');
    const drawn = await download(key, auth.jwt, { ...cmd, outputformat: 513, savetype: 3 }, '\u0001pages');
    expect(drawn).toMatchObject({ status: 'ok' });
    expect((await client.next('documentOpen')).data).toMatchObject({
      type: 'save',
      status: 'ok',
      filetype: 'pdf',
    });
    await download(key, auth.jwt, { ...cmd, outputformat: 257, savetype: 3 }, 'DOCY;v10;0;one');
    expect((await client.next('documentOpen')).data).toMatchObject({
      type: 'save',
      status: 'err',
      data: -82,
    });
  });

  it('[DN11] of parts that somebody else sent, or that never came, is refused', async () => {
    const key = scene.newKey();
    const ann = await visit(key, 'document.docx');
    const bob = await visit(key, 'document.docx', { mode: 'view' });
    const cmd = { c: 'save', outputformat: 67 };
    const { data: savekey } = await download(key, ann.auth.jwt, { ...cmd, savetype: 0 }, 'DOCY;v10;0;');
    for (const given of [savekey, 'no such key', undefined]) {
      const answer = await download(key, bob.auth.jwt, { ...cmd, savetype: 2, savekey: given }, 'x');
      expect(answer).toMatchObject({ type: 'save', status: 'err', data: -1 });
    }
  });

  it('[DN12] to be printed is a PDF to be shown, also for those who may print and not download', async () => {
    const key = scene.newKey();
    const permissions = { edit: true, download: false, print: true };
    const { auth } = await visit(key, 'document.docx', { permissions });
    const cmd = { c: 'save', outputformat: 513 };
    const { url } = await download(key, auth.jwt, { ...cmd, inline: 1 });
    expect(String(url)).toContain('/printfile/');
    const shown = await fetch(String(url));
    expect(shown.headers.get('content-disposition')).toBe('inline');
    await shown.body?.cancel();
    expect(await download(key, auth.jwt, cmd)).toEqual({ error: 'not allowed' });
  });
});
