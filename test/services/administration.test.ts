import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobKinds } from '../../jobs/job.ts';
import { loadConfig } from '../../platform/config.ts';
import type {
  ConfigurationAnswer,
  DocumentAnswer,
  DocumentsAnswer,
  ErrorAnswer,
  NodesAnswer,
  OverviewAnswer,
  QueueAnswer,
  SaveAnswer,
  SavesAnswer,
} from '../../services/admin/api.ts';
import { AdminConnection } from '../../services/commands/admin-command/admin-connection.ts';
import { AdminClient } from '../support/admin-client.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { append, joinWord, paragraphsOf, type WordEditor } from '../support/word-editor.ts';

const readToken = 'a token with which to look';
let scene: Scene;
let admin: AdminClient;

beforeAll(async () => {
  scene = await Scene.open({
    environment: {
      CONVERTER_PROCESSES: '1',
      CALLBACK_RETRY_FOR_MS: '3600000',
      ADMIN_READ_TOKEN: readToken,
      DRAIN_SPREAD_MS: '100',
      TRUST_PROXY: 'loopback',
    },
  });
  admin = await AdminClient.of(scene.quire);
});
afterAll(() => scene?.close());

const refused = { status: 500, body: '{"error":1}' };
const shown = (key: string) => admin.get<DocumentAnswer>(`documents/${key}`);
const savesOf = async (key: string) => (await admin.get<SavesAnswer>(`saves?search=${key}`)).saves;
const codeOf = async (method: string, where: string, body?: unknown, who = admin) => {
  const reply = await who.ask<ErrorAnswer>(method, where, body);
  return `${reply.status} ${reply.body.error?.code}`;
};

async function write(editor: WordEditor, key: string, text: string): Promise<void> {
  await save(editor.client, [append(key, editor.doc, 0, text).change]);
}

/** A document with a change whose editor has left. */
async function left(text: string, changes = {}): Promise<string> {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann', undefined, changes);
  await write(ann, key, text);
  ann.client.cut();
  return key;
}

describe('who may administrate', () => {
  it('[AD1] a token is generated where none is set, readable by its owner alone and never in the log', async () => {
    const file = path.join(scene.quire.dataDir, 'admin-token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await scene.quire.logged((line) => line.file === file);
    expect((await admin.ask('GET', 'session')).body).toMatchObject({ role: 'full' });
    const log = scene.quire.logText();
    expect(log).not.toContain(readToken);
    expect((await fetch(`${scene.quire.address}/admin/`)).status).toBe(404);
  });

  it('[AD2] nothing is answered without a password or token, and guessing has to wait longer each time', async () => {
    const nobody = new AdminClient(scene.quire.adminAddress, '');
    for (const where of ['session', 'overview', 'documents', 'saves', 'queue', 'nodes', 'configuration']) {
      expect(await codeOf('GET', where, undefined, nobody)).toBe('401 not-signed-in');
    }
    const from = { 'x-forwarded-for': '203.0.113.9', 'x-quire-admin': '1' };
    const guess = (password: string) => nobody.ask<ErrorAnswer>('POST', 'session', { password }, from);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await guess('wrong')).body.error.code).toBe('wrong-password');
    }
    const isLimited = ({ body }: { body: ErrorAnswer }) => body.error.code === 'too-many-attempts';
    // On a busy machine a pause is over before the next guess comes; each is twice as long.
    const limited = await eventually(() => guess('wrong'), isLimited);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    // Nor does another caller in each request help: it is the connection's own address that counts as well.
    let caller = 0;
    await eventually(() => {
      caller += 1;
      const headers = { 'x-forwarded-for': `198.51.${caller >> 8}.${caller & 255}`, 'x-quire-admin': '1' };
      return nobody.ask<ErrorAnswer>('POST', 'session', { password: 'wrong' }, headers);
    }, isLimited);
    // Others are not held up by it.
    expect((await admin.ask('GET', 'session')).status).toBe(200);
  });

  it('[AD2] behind a proxy that says Forwarded, guesses count for the caller whom it names', async () => {
    const { hostname, port } = new URL(scene.quire.adminAddress);
    const guess = async (proxy: string, caller: string) => {
      const asked = request({
        ...{ hostname, port, method: 'POST', path: '/admin/api/session', localAddress: proxy },
        headers: {
          ...{ 'content-type': 'application/json', 'x-quire-admin': '1' },
          forwarded: `for=${caller};proto=https`,
        },
      });
      asked.end(JSON.stringify({ password: 'wrong' }));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return (JSON.parse(await text(answer)) as ErrorAnswer).error.code;
    };
    // Each guess comes through another proxy: only what counts for the caller adds up.
    let proxies = 0;
    const next = () => `127.1.${++proxies >> 8}.${proxies & 255}`;
    await eventually(
      () => guess(next(), '198.51.100.77'),
      (code) => code === 'too-many-attempts',
    );
    expect(await guess(next(), '198.51.100.78')).toBe('wrong-password');
  });

  it('[AD3] a session is a cookie that scripts cannot read, and changes come from own pages only', async () => {
    const nobody = new AdminClient(scene.quire.adminAddress, '');
    const own = { 'x-quire-admin': '1' };
    const login = { password: readToken, name: 'Olga\n' };
    expect((await nobody.ask<ErrorAnswer>('POST', 'session', login)).body.error.code).toBe('other-site');
    const signedIn = await nobody.ask('POST', 'session', login, own);
    expect(signedIn.body).toMatchObject({ role: 'read', name: 'Olga' });
    const cookie = signedIn.headers.get('set-cookie')!;
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const session = { cookie: cookie.split(';')[0]! };
    expect((await nobody.ask('GET', 'overview', undefined, session)).status).toBe(200);
    const foreign = { ...session, ...own, 'sec-fetch-site': 'cross-site' };
    const stolen = await nobody.ask<ErrorAnswer>('POST', 'queue/pause', {}, foreign);
    expect(stolen.body.error.code).toBe('other-site');
    const forged = { cookie: `${session.cookie.slice(0, -2)}xx` };
    expect((await nobody.ask('GET', 'overview', undefined, forged)).status).toBe(401);
    const tls = { ...own, 'x-forwarded-proto': 'https' };
    const secure = await nobody.ask('POST', 'session', login, tls);
    expect(secure.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('[AD25] a session that was ended by signing out opens nothing any more', async () => {
    const nobody = new AdminClient(scene.quire.adminAddress, '');
    const own = { 'x-quire-admin': '1' };
    const signIn = async () => {
      const { headers } = await nobody.ask('POST', 'session', { password: readToken }, own);
      return { cookie: headers.get('set-cookie')!.split(';')[0]! };
    };
    const [ended, other] = [await signIn(), await signIn()];
    const signedOut = await nobody.ask('DELETE', 'session', undefined, { ...ended, ...own });
    expect(signedOut.status).toBe(204);
    expect(signedOut.headers.get('set-cookie')).toMatch(/^quire-admin=; Max-Age=0;/);
    expect((await nobody.ask('GET', 'overview', undefined, ended)).status).toBe(401);
    expect((await nobody.ask('GET', 'overview', undefined, other)).status).toBe(200);
    // Signing out a second time, or without a session, is none the worse.
    expect((await nobody.ask('DELETE', 'session', undefined, { ...ended, ...own })).status).toBe(204);
    expect((await nobody.ask('DELETE', 'session', undefined, own)).status).toBe(204);
  });

  it('[AD4] who may only look changes nothing and reads no documents', async () => {
    const reader = new AdminClient(scene.quire.adminAddress, readToken);
    expect((await reader.ask('GET', 'overview')).status).toBe(200);
    const { nodeId } = await admin.get<NodesAnswer>('nodes');
    for (const [method, where] of [
      ['POST', 'documents/x/force-save'],
      ['POST', 'documents/x/close'],
      ['POST', 'documents/x/disconnect'],
      ['POST', 'documents/x/hand-back'],
      ['PUT', `nodes/${nodeId}/drain`],
      ['POST', 'queue/pause'],
    ] as const) {
      expect(await codeOf(method, where, {}, reader)).toBe('403 read-only');
    }
  });
});

describe('what is shown', () => {
  it('[AD5] a document is shown with the people in it, their locks and the save-lock queue, and what its storage lacks', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' and more');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    await takeSaveLock(bob.client);
    const { nodeId } = await admin.get<NodesAnswer>('nodes');
    const { document, people, saveTurns, silent } = await shown(key);
    expect(document).toMatchObject({
      key,
      title: 'base.docx',
      fileType: 'docx',
      model: 'word',
      state: 'open',
    });
    expect(document).toMatchObject({ changes: 1, storedChanges: 0, storedAt: null });
    expect(document.logBytes).toBeGreaterThan(10);
    expect(Date.parse(document.unsavedSince!)).toBeLessThanOrEqual(Date.now());
    expect(document.callbackHost).toBe(new URL(scene.integrator.address).host);
    expect(people.map(({ userId, role, nodeId }) => [userId, role, nodeId]).sort()).toEqual([
      ['ann', 'editor', nodeId],
      ['bob', 'editor', nodeId],
    ]);
    expect(saveTurns).toMatchObject([{ connectionId: bob.client.connectionId }]);
    expect(silent).toEqual([]);
    const listed = await admin.get<DocumentsAnswer>(`documents?search=${key}`);
    expect(listed.total).toBe(1);
    expect(listed.documents[0]!.people.map(({ name }) => name).sort()).toEqual([
      'Name of ann',
      'Name of bob',
    ]);
    ann.client.cut();
    bob.client.cut();
  });

  it('[AD6] ten thousand documents are searched by key and title, and paged', async () => {
    await scene.database.pool.query(
      `INSERT INTO documents (key, state, file_type, title, base_url)
       SELECT 'many-' || n, 'forgotten', 'docx', 'Plan 100%_' || n, '' FROM generate_series(1, 10000) AS n`,
    );
    const page = await admin.get<DocumentsAnswer>('documents?search=many-&order=key&limit=200&offset=9900');
    expect(page.total).toBe(10_000);
    expect(page.documents).toHaveLength(100);
    expect((await admin.get<DocumentsAnswer>('documents?search=100%25_9999')).total).toBe(1);
    expect((await admin.get<DocumentsAnswer>('documents?search=many-&state=open')).total).toBe(0);
    expect(await codeOf('GET', 'documents?limit=1000')).toBe('400 bad-request');
    expect(await codeOf('GET', 'documents?state=strange')).toBe('400 bad-request');
    await scene.database.pool.query(`DELETE FROM documents WHERE key LIKE 'many-%'`);
  });

  it('[AD7] nodes tell of their health, and a document somebody only looks at is listed', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'eve', { mode: 'view', permissions: { edit: false } });
    const listed = await admin.get<DocumentsAnswer>(`documents?search=${key}`);
    expect(listed.documents).toMatchObject([
      { key, state: 'idle', people: [{ userId: 'eve', role: 'live-viewer' }] },
    ]);
    const healthy = await eventually(
      () => admin.get<OverviewAnswer>('overview'),
      ({ nodes }) => nodes[0]!.samples.length > 0,
    );
    const [node] = healthy.nodes;
    expect(node).toMatchObject({ nodeId: healthy.nodeId, drain: { isDraining: false } });
    expect(node!.documents).toBeGreaterThanOrEqual(1);
    expect(node!.samples[0]!.rssBytes).toBeGreaterThan(1e6);
    expect(node!.caches.map(({ name }) => name)).toContain('history');
    client.cut();
  });

  it('[NC9] the overview says of each node how many come in and are turned away', async () => {
    const { nodes } = await admin.get<OverviewAnswer>('overview');
    for (const { newcomers } of nodes) {
      expect(newcomers).toEqual({ waiting: 0, enteredPerS: expect.any(Number), refusedPerS: 0 });
    }
  });

  it('[AD8] of settings that are secret it is told whether they are set, and nothing of passwords in addresses', async () => {
    const { settings } = await admin.get<ConfigurationAnswer>('configuration');
    const settingOf = (variable: string) => settings.find((one) => one.variable === variable)!;
    expect(settingOf('ADMIN_READ_TOKEN')).toMatchObject({ value: 'set', isSecret: true, isDefault: false });
    expect(settingOf('JWT_SECRET')).toMatchObject({ value: 'not set', isSecret: true });
    expect(settingOf('CALLBACK_RETRY_FOR_MS')).toMatchObject({ value: '3600000', isDefault: false });
    expect(settingOf('DATABASE_URL').value).not.toMatch(/:\/\/[^…]+@/);
    expect(JSON.stringify(settings)).not.toContain(readToken);
  });
});

describe('what operators do', { concurrent: true }, () => {
  it('[AD9] a document is saved while people edit it', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    expect(await codeOf('POST', `documents/${key}/force-save`)).toBe('409 nothing-to-save');
    await write(ann, key, ' forced');
    expect((await admin.ask('POST', `documents/${key}/force-save`)).body).toEqual({ state: 'started' });
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 6);
    expect(body.forcesavetype).toBe(0);
    await eventually(
      () => shown(key),
      ({ document }) => document.storedChanges === 1,
    );
    expect(await codeOf('POST', `documents/nothing/force-save`)).toBe('404 unknown-document');
    ann.client.cut();
  });

  it('[AD10] one person is disconnected and sees why, the others go on', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    expect(await codeOf('POST', `documents/${key}/disconnect`, {})).toBe('400 bad-request');
    const reply = await admin.ask('POST', `documents/${key}/disconnect`, {
      userId: 'bob',
      reason: 'Please call us.',
    });
    expect(reply.body).toEqual({ disconnected: 1, silent: [], missing: [] });
    expect((await bob.client.next('warning')).message).toBe('Please call us.');
    expect((await bob.client.next('disconnectReason')).description).toBe('Please call us.');
    expect((await bob.client.closed).dismissed).toBe(true);
    await write(ann, key, ' still here');
    expect((await shown(key)).people.map(({ userId }) => userId)).toEqual(['ann']);
    ann.client.cut();
  });

  it('[AD11] a document is closed: everybody is disconnected, and their work is delivered', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' closed');
    expect((await admin.ask('POST', `documents/${key}/close`, {})).body).toEqual({
      disconnected: 1,
      silent: [],
      missing: [],
    });
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    const file = new Uint8Array(await (await fetch(String(body.url))).arrayBuffer());
    expect(paragraphsOf(file)[0]).toBe('First closed');
    const [kept] = await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'delivered',
    );
    expect(kept).toMatchObject({ attempts: 1, callbackHost: new URL(scene.integrator.address).host });
  });

  it('[AD12] a save that was refused says why, is downloaded, and is retried with success', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, refused);
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' kept');
    ann.client.cut();
    const [waiting] = await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'waiting' && one.attempts >= 1,
    );
    expect(waiting!.lastError).toContain('500');
    expect(Date.parse(waiting!.nextAttemptAt!)).toBeGreaterThan(0);
    expect(waiting!.copies.map(({ part, where }) => `${part} ${where}`).sort()).toEqual([
      'base files',
      'changes files',
      'file files',
    ]);
    expect(paragraphsOf(await admin.download(`saves/${waiting!.id}/file`))[0]).toBe('First kept');
    expect(paragraphsOf(await admin.download(`saves/${waiting!.id}/base`))[0]).toBe('First');
    scene.integrator.answer(key, accepted);
    const retried = await admin.ask<ErrorAnswer & { state: string }>('POST', `saves/${waiting!.id}/retry`);
    expect(retried.body.state ?? retried.body.error.code).toMatch(/^(due|under-way)$/);
    await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'delivered',
    );
    expect(await codeOf('POST', `saves/${waiting!.id}/retry`)).toBe('409 not-waiting');
  });

  it('[AD13] a forgotten document is delivered after all, with all the time for it', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, refused);
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' remembered');
    ann.client.cut();
    await endRetries(scene.database.pool, key);
    const isForgotten = ([one]: SaveAnswer[]) => one?.phase === 'forgotten';
    await eventually(() => savesOf(key), isForgotten);
    expect((await shown(key)).document.state).toBe('forgotten');
    // Refused again: it is forgotten again, and nothing is lost.
    const attempts = scene.integrator.callbacksOf(key).length;
    expect((await admin.ask('POST', `documents/${key}/hand-back`)).body).toEqual({ state: 'delivering' });
    await eventually(
      async () => scene.integrator.callbacksOf(key).length,
      (count) => count > attempts + 1,
    );
    scene.integrator.answer(key, accepted);
    const [last] = await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'delivered',
    );
    expect(last!.lastError).toContain('500');
    expect(await codeOf('POST', `documents/${key}/hand-back`)).toBe('409 not-forgotten');
    expect((await shown(key)).document.state).toBe('closed');
  });

  it('[AD14] forgotten work is discarded only by an operator who repeats its key', async () => {
    const key = await left(' nobody wants', { documentCallbackUrl: null });
    const [forgotten] = await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'forgotten',
    );
    expect(await codeOf('POST', `documents/${key}/hand-back`)).toBe('409 no-address');
    expect(await codeOf('DELETE', `saves/${forgotten!.id}`)).toBe('409 not-confirmed');
    expect(await codeOf('DELETE', `saves/${forgotten!.id}?confirm=other`)).toBe('409 not-confirmed');
    expect(paragraphsOf(await admin.download(`saves/${forgotten!.id}/file`))[0]).toBe('First nobody wants');
    expect((await admin.ask('DELETE', `saves/${forgotten!.id}?confirm=${key}`)).body).toEqual({
      discarded: key,
    });
    expect((await shown(key)).document.state).toBe('closed');
    expect(await codeOf('DELETE', `saves/${forgotten!.id}?confirm=${key}`)).toBe('409 not-forgotten');
    expect(await codeOf('GET', 'saves/99999999')).toBe('404 unknown-save');
    expect(await codeOf('GET', 'saves/none')).toBe('404 unknown-save');
  });
});

describe('what stops others', () => {
  it('[AD15] the queue is paused and goes on, and nothing that waits is lost', async () => {
    await admin.ask('POST', 'queue/pause');
    const key = await left(' late');
    const paused = await eventually(
      () => admin.get<QueueAnswer>('queue'),
      ({ kinds }) => kinds.some(({ kind, waiting }) => kind === 'assemble' && waiting === 1),
    );
    expect(paused.isPaused).toBe(true);
    expect(paused.workers).toHaveLength(1);
    expect(paused.workers[0]!.name).toMatch(/-\d+$/);
    expect(paused.jobs.find(({ kind }) => kind === 'assemble')).toMatchObject({
      state: 'waiting',
      attempts: 0,
    });
    expect((await admin.get<SavesAnswer>('saves')).assembling).toBe(1);
    await admin.ask('POST', 'queue/resume');
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  });

  it('[AD24] one kind of jobs is paused, which is shown, and goes on; there are no others', async () => {
    expect(await codeOf('POST', 'queue/other/pause')).toBe('400 bad-request');
    const pause = await admin.ask('POST', 'queue/checkpoint/pause');
    expect(pause.body).toEqual({ kind: 'checkpoint', isPaused: true });
    const { kinds, isPaused } = await admin.get<QueueAnswer>('queue');
    expect(kinds.filter((one) => one.isPaused).map(({ kind }) => kind)).toEqual(['checkpoint']);
    expect(kinds.map(({ kind }) => kind).sort()).toEqual([...jobKinds].sort());
    expect(isPaused).toBe(false);
    expect((await admin.ask('POST', 'queue/checkpoint/resume')).body).toMatchObject({ isPaused: false });
    expect((await admin.get<QueueAnswer>('queue')).kinds.some((one) => one.isPaused)).toBe(false);
  });

  it('[AD16] a drained node is taken out of service, sends its clients elsewhere, and takes them again', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' drained');
    const { nodeId } = await admin.get<NodesAnswer>('nodes');
    expect(await codeOf('PUT', 'nodes/nobody/drain')).toBe('404 unknown-node');
    expect((await admin.ask('PUT', `nodes/${nodeId}/drain`)).body).toMatchObject({ isDraining: true });
    // Not dismissed: clients come back by themselves.
    expect((await ann.client.closed).dismissed).toBe(false);
    const healthy = async () => (await fetch(`${scene.quire.address}/healthcheck`)).text();
    expect(await healthy()).toBe('false');
    // Proxies ask another node then, and clients come again.
    const polling = `${scene.quire.address}/doc/${key}/c/?EIO=4&transport=polling`;
    expect((await fetch(polling)).status).toBe(503);
    await expect(scene.connect(key)).rejects.toThrow('503');
    await expect(scene.connect(key, { transport: 'plain' })).rejects.toThrow('503');
    await eventually(
      () => admin.get<NodesAnswer>('nodes'),
      ({ nodes }) => nodes[0]!.drain.connectionsLeft === 0,
    );
    expect((await admin.ask('DELETE', `nodes/${nodeId}/drain`)).body).toMatchObject({ isDraining: false });
    expect(await healthy()).toBe('true');
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  });

  it('[AD17] each action is in the log with who did it and from where', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7', 'x-quire-operator': 'nightly job' };
    await admin.ask('POST', 'queue/resume', {}, from);
    const line = await eventually(
      async () => scene.quire.log.find((one) => one.from === '192.0.2.7'),
      (one) => one !== undefined,
    );
    expect(line).toMatchObject({
      operator: { role: 'full', name: 'nightly job' },
      action: { method: 'POST', path: '/queue/resume' },
      status: 200,
    });
  });
});

describe('the command line', () => {
  const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));
  /** Runs `quire admin …` as somebody on the machine of the server. */
  const quire = async (parameters: readonly string[], environment: Record<string, string> = {}) => {
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: scene.quire.dataDir,
      ADMIN_ADDRESS: scene.quire.adminAddress,
      ...environment,
    };
    const child = spawn(process.execPath, [program, 'admin', ...parameters], { env });
    const [output, problem, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { output, problem, code };
  };

  it('[AD21] quire admin shows and does the same, as tables or as JSON, and its exit code says how it went', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' by hand');
    const [listed, details, saved] = await Promise.all([
      quire(['documents', '--search', key]),
      quire(['--json', 'document', key]),
      quire(['force-save', 'no-such-key']),
    ]);
    expect(listed).toMatchObject({ code: 0, problem: '' });
    expect(listed.output).toMatch(/^KEY +TITLE +TYPE +STATE/);
    expect(listed.output).toMatch(new RegExp(`^${key} +base.docx +docx +open +1 .*Name of ann$`, 'm'));
    const { document } = JSON.parse(details.output) as DocumentAnswer;
    expect(document).toMatchObject({ key, state: 'open' });
    expect(saved).toMatchObject({ code: 1, output: '', problem: 'There is no document no-such-key.\n' });

    const closed = await quire(['close', key, '--reason', 'Good night.']);
    expect(closed).toMatchObject({ code: 0, output: '1 connections were ended.\n' });
    expect((await ann.client.next('warning')).message).toBe('Good night.');
    await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'delivered',
    );
  });

  it('[OB21] quire admin tries all saves again that wait, and ends well when there is none', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, { status: 507, body: '{"error":1}' });
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, key, ' refused');
    ann.client.cut();
    await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'waiting' && one.attempts > 0,
    );
    // Its own next attempt is put off: only the command tries it.
    await scene.database.pool.query(
      `UPDATE saves SET next_attempt_at = now() + interval '1 hour' WHERE key = $1`,
      [key],
    );
    scene.integrator.answer(key, accepted);
    expect(await quire(['save', 'retry-all', '--search', key])).toMatchObject({
      ...{ code: 0, output: '1 of 1 are tried again.\n', problem: '' },
    });
    await eventually(
      () => savesOf(key),
      ([one]) => one?.phase === 'delivered',
    );
    expect((await quire(['save', 'retry-all', '--search', key])).output).toBe('0 of 0 are tried again.\n');
  });

  it('[AD21] who cannot be reached, or refuses the token, is told apart, and downloads are written to files', async () => {
    const config = loadConfig({ DATA_DIR: scene.quire.dataDir });
    const address = scene.quire.adminAddress;
    const [save] = (await admin.get<SavesAnswer>('saves?phase=delivered')).saves;
    const file = path.join(scene.quire.dataDir, 'downloaded');
    const connection = await AdminConnection.open({ address }, config);
    await connection.download(`saves/${save!.id}/file`, file);
    expect((await stat(file)).size).toBe(save!.copies.find(({ part }) => part === 'file')!.sizeBytes);
    const stranger = await AdminConnection.open({ address, token: 'wrong' }, config);
    await expect(stranger.ask('GET', 'nodes')).rejects.toMatchObject({ exitCode: 3 });
    const nowhere = await AdminConnection.open({ address: 'http://127.0.0.1:9/admin' }, config);
    await expect(nowhere.ask('GET', 'nodes')).rejects.toMatchObject({ exitCode: 2 });
    await expect(AdminConnection.open({}, { ...config, dataDir: file })).rejects.toMatchObject({
      exitCode: 3,
    });
  });
});
