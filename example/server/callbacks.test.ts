import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { eventually } from '../../test/support/eventually.ts';
import { claimsOf, ExampleWorld, sign } from '../../test/support/example-world.ts';
import { patienceMs } from '../../test/support/patience.ts';

let world: ExampleWorld;
let id: string;
let key: string;
async function begin(closingTimeoutMs: number): Promise<void> {
  world = await ExampleWorld.open({ maxVersions: 4, closingTimeoutMs });
  id = (await world.create()).id;
  key = (await world.config(id)).document.key;
}
beforeEach(() => begin(patienceMs));
afterEach(() => world.close());

const docx = (text: string) => buildDocx({ paragraphs: [text] });
const history = (...who: string[]) => ({
  serverVersion: '9.3.0',
  changes: who.map((name) => ({
    created: '2026-01-05 10:11:12',
    user: { id: name, name: `Name of ${name}` },
  })),
});
/** A report that the document is saved with this text. */
const saved = (text: string, more: Record<string, unknown> = {}) => ({
  key,
  status: 2,
  filetype: 'docx',
  url: world.hold(`${text}.docx`, docx(text)),
  changesurl: world.hold(`${text}.zip`, docx(`changes of ${text}`)),
  history: history('bob', 'ann'),
  users: ['ann'],
  lastsave: '2026-01-05T10:11:12.000Z',
  ...more,
});
const versionNumbers = async () => (await world.details(id)).versions.map(({ number }) => number);
const versionBytes = async (number: number) =>
  Buffer.from(await (await world.ask('GET', `api/documents/${id}/versions/${number}/file`)).arrayBuffer());
const currentKey = async () => (await world.config(id)).document.key;

describe('opening', () => {
  it.each([
    ['ann', 'edit', { edit: true, review: true, comment: true }],
    ['carla', 'edit', { edit: false, review: true, comment: true }],
    ['deniz', 'edit', { edit: false, review: false, comment: true }],
    ['yara', 'view', { edit: false, review: false, comment: false }],
  ])('[EX6] %s opens it with mode %s and %o, all signed', async (as, mode, permissions) => {
    const { token, ...config } = await world.config(id, as, '&mode=edit&lang=de-AT');
    expect(await claimsOf(token)).toMatchObject(config);
    expect(config.document.permissions).toMatchObject(permissions);
    expect(config.editorConfig).toMatchObject({ mode, lang: 'de-AT', user: { id: as } });
    expect(config.editorConfig.callbackUrl).toBe(`${world.address}/callback/${id}`);
  });

  it('[EX6] nobody opens it as somebody who does not exist, and odd wishes are passed over', async () => {
    expect((await world.ask('GET', `api/documents/${id}/config?as=mallory`)).status).toBe(400);
    const config = await world.config(id, 'ann', '&lang=%3Cscript%3E&theme=..%2f');
    expect(config.editorConfig).toMatchObject({ lang: 'en', customization: { uiTheme: 'theme-system' } });
  });

  it('[EX7] its file is given to the document server only, for the address it asks for', async () => {
    const { url } = (await world.config(id)).document;
    const source = await world.fetchSource(url);
    expect(Buffer.compare(Buffer.from(await source.arrayBuffer()), await versionBytes(1))).toBe(0);
    expect((await fetch(url)).status).toBe(403);
    const other = (await world.config((await world.create()).id)).document.url;
    expect((await world.fetchSource(url, { payload: { url: other } })).status).toBe(403);
    expect((await world.fetchSource(url, { payload: {} })).status).toBe(403);
    // A token that a page was given is none of the document server.
    const { token } = await world.config(id);
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
    const record = url.replace(/[^/]+$/, 'document.json');
    expect((await world.fetchSource(record)).status).toBe(404);
  });
});

describe('reports', () => {
  it('[EX8] a forged, expired or foreign one is refused and stores nothing', async () => {
    const body = saved('forged');
    const { token: config } = await world.config(id);
    const forged = [
      body,
      { ...body, token: 'nonsense' },
      { ...body, token: await sign(body, '-10m') },
      { ...body, token: config },
      { ...body, token: `${(await sign(body)).slice(0, -6)}AAAAAA` },
    ];
    for (const one of forged) {
      const answer = await world.post(id, one);
      expect(answer.ok).toBe(false);
      expect(await answer.json()).toMatchObject({ error: 1 });
    }
    expect((await world.callback(id, { ...body, key: 'another-key' })).status).toBe(400);
    expect((await world.callback('another', body)).status).toBe(404);
    expect((await world.post(id, 'no object')).ok).toBe(false);
    expect(await versionNumbers()).toEqual([1]);
    expect(await currentKey()).toBe(key);
  });

  it('[EX8] what counts is the token, not what stands beside it', async () => {
    const body = saved('signed');
    const token = await sign(body);
    await world.post(id, { key, status: 2, url: 'http://evil.test/', users: ['eve'], token });
    expect(Buffer.compare(await versionBytes(2), docx('signed'))).toBe(0);
  });

  it('[EX9] a saved document becomes a version with its people and changes, and the next opening is new', async () => {
    const answer = await world.callback(id, saved('second'));
    expect([answer.status, await answer.json()]).toEqual([200, { error: 0 }]);
    const { versions, document } = await world.details(id);
    expect(versions[0]).toMatchObject({
      number: 2,
      origin: 'saved',
      people: [
        { id: 'bob', name: 'Name of bob' },
        { id: 'ann', name: 'Name of ann' },
      ],
      hasChanges: true,
    });
    expect(document.versionCount).toBe(2);
    expect(Buffer.compare(await versionBytes(2), docx('second'))).toBe(0);
    const { document: opened } = await world.config(id);
    expect(opened.key).not.toBe(key);
    const source = await world.fetchSource(opened.url);
    expect(Buffer.compare(Buffer.from(await source.arrayBuffer()), docx('second'))).toBe(0);
  });

  it('[EX10] one that is repeated is accepted and stored once', async () => {
    await Promise.all([world.callback(id, saved('twice')), world.callback(id, saved('twice'))]);
    const next = await currentKey();
    expect((await world.callback(id, saved('twice'))).status).toBe(200);
    expect(await versionNumbers()).toEqual([2, 1]);
    expect(await currentKey()).toBe(next);
  });

  it('[EX11] a forced save is a version under the same key, and leaving without more adds none', async () => {
    await world.callback(id, saved('half', { status: 6, forcesavetype: 1 }));
    expect(await versionNumbers()).toEqual([2, 1]);
    expect(await currentKey()).toBe(key);
    await world.callback(id, saved('half', { notmodified: true, lastsave: '2026-01-05T10:20:00.000Z' }));
    expect(await versionNumbers()).toEqual([2, 1]);
    expect(await currentKey()).not.toBe(key);
    const { versions } = await world.details(id);
    expect(versions[0]).toMatchObject({ origin: 'forced' });
  });

  it.each([3, 7])('[EX12] status %i is recorded as a problem and the key stays', async (status) => {
    expect((await world.callback(id, { key, status, users: ['ann'] })).status).toBe(200);
    const { document, callbacks } = await world.details(id);
    expect(document.problem).toMatchObject({ status });
    expect(callbacks[0]).toMatchObject({ status, users: ['ann'] });
    expect(await currentKey()).toBe(key);
    expect(await versionNumbers()).toEqual([1]);
    await world.callback(id, saved('better'));
    expect((await world.details(id)).document.problem).toBeNull();
  });

  it('[EX13] the pages see who edits now', async () => {
    const editing = async () => (await world.details(id)).document.editing;
    await world.callback(id, { key, status: 1, users: ['ann', 'bob', 'ann'] });
    expect(await editing()).toEqual(['ann', 'bob']);
    await world.callback(id, { key, status: 1, users: ['bob'] });
    expect(await editing()).toEqual(['bob']);
    await world.callback(id, { key, status: 4 });
    expect(await editing()).toEqual([]);
    expect(await versionNumbers()).toEqual([1]);
  });

  it('[EX14] work of an earlier session is kept as a late version and leaves the session of now alone', async () => {
    await world.callback(id, saved('in time'));
    const now = await currentKey();
    await world.callback(id, { key: now, status: 1, users: ['bob'] });
    await world.callback(id, saved('too late', { lastsave: '2026-01-06T00:00:00.000Z' }));
    const { versions, document } = await world.details(id);
    expect(versions.map(({ origin }) => origin)).toEqual(['late', 'saved', 'created']);
    expect(await currentKey()).toBe(now);
    expect(document.latest.number).toBe(3);
  });

  it('[EX15] one whose file cannot be had or is none is refused, so that it comes again', async () => {
    const missing = await world.callback(id, {
      ...saved('x'),
      url: 'https://d.test/cache/files/data/missing.docx',
    });
    expect([missing.status, ((await missing.json()) as { error: number }).error]).toEqual([502, 1]);
    const damaged = world.hold('damaged.docx', Buffer.from('no docx'));
    expect((await world.callback(id, { ...saved('x'), url: damaged })).status).toBe(422);
    expect((await world.callback(id, { ...saved('x'), url: 'http://elsewhere.test/x.docx' })).status).toBe(
      400,
    );
    expect((await world.callback(id, { key, status: 2 })).status).toBe(400);
    const { document, callbacks } = await world.details(id);
    expect(document.problem).toMatchObject({ status: 2 });
    expect(callbacks).toHaveLength(4);
    expect(await currentKey()).toBe(key);
    // Without the changes the version is still worth having.
    await world.callback(id, { ...saved('y'), changesurl: 'https://d.test/cache/files/data/gone.zip' });
    expect((await world.details(id)).versions[0]).toMatchObject({ number: 2, hasChanges: false });
  });

  it('[EX17] work that comes for a deleted document is there when it is brought back', async () => {
    await world.ask('DELETE', `api/documents/${id}`);
    await eventually(() => expect(world.commands.map(({ c }) => c)).toEqual(['drop']));
    expect((await world.callback(id, saved('after all'))).status).toBe(200);
    await world.ask('POST', `api/documents/${id}/undelete`);
    expect(await versionNumbers()).toEqual([2, 1]);
  });

  it('[EX19] of many versions the oldest go, with their files', async () => {
    for (const text of ['2', '3', '4', '5', '6']) {
      key = await currentKey();
      await world.callback(id, saved(text));
    }
    expect(await versionNumbers()).toEqual([6, 5, 4, 3]);
    const files = await readdir(path.join(world.directory, 'documents', id));
    expect(files.filter((name) => name.startsWith('version-')).sort()).toEqual(
      [3, 4, 5, 6].map((number) => `version-${number}.docx`),
    );
    expect((await world.ask('GET', `api/documents/${id}/versions/1/file`)).status).toBe(404);
  });

  it('[EX28] whatever comes in whatever order, every text that was accepted is a version', async () => {
    const step = fc.record({
      status: fc.constantFrom(1, 2, 2, 3, 4, 6, 6, 7),
      text: fc.constantFrom('a', 'b', 'c'),
      old: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await world.close();
        world = await ExampleWorld.open();
        id = (await world.create()).id;
        const first = await currentKey();
        const accepted: string[] = [];
        await Promise.all(
          steps.map(async ({ status, text, old }, index) => {
            key = old ? first : await currentKey();
            const holds = status === 2 || status === 6;
            const body = holds
              ? saved(text, { status, lastsave: `save ${index}` })
              : { key, status, users: ['ann'] };
            const answer = await world.callback(id, body);
            expect(answer.status).toBe(200);
            if (holds) accepted.push(text);
          }),
        );
        const numbers = await versionNumbers();
        expect(numbers).toEqual(numbers.map((_, index) => numbers.length - index));
        const stored = await Promise.all(numbers.map(versionBytes));
        for (const text of accepted) {
          expect(stored.some((bytes) => Buffer.compare(bytes, docx(text)) === 0)).toBe(true);
        }
        const file = path.join(world.directory, 'documents', id, 'document.json');
        const record = JSON.parse(await readFile(file, 'utf8')) as { versions: unknown[] };
        expect(record.versions).toHaveLength(numbers.length);
      }),
      { numRuns: 15 },
    );
  });
});

describe('versions', () => {
  it('[EX20] the history names every version, and its data what the changes apply to, signed', async () => {
    await world.callback(id, saved('half', { status: 6 }));
    await world.callback(id, saved('whole', { lastsave: '2026-01-05T10:30:00.000Z' }));
    const list = await world.get<{ currentVersion: number; history: Record<string, unknown>[] }>(
      `api/documents/${id}/history`,
    );
    expect(list.currentVersion).toBe(3);
    expect(list.history.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(list.history[2]).toMatchObject({
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      user: { id: 'ann', name: 'Name of ann' },
      serverVersion: '9.3.0',
      changes: history('bob', 'ann').changes,
    });
    const { token, ...data } = await world.get<{ token: string } & Record<string, unknown>>(
      `api/documents/${id}/history/3`,
    );
    expect(await claimsOf(token)).toMatchObject(data);
    const base = list.history[0]!;
    expect(data).toMatchObject({ version: 3, key: list.history[2]!.key, previous: { key: base.key } });
    const changes = await world.fetchSource(String(data.changesUrl));
    expect(Buffer.compare(Buffer.from(await changes.arrayBuffer()), docx('changes of whole'))).toBe(0);
    expect(list.history.map((one) => one.key)).not.toContain(key);
  });

  it('[EX20] a version is looked at read-only and under a key of its own', async () => {
    await world.callback(id, saved('second'));
    const { document, editorConfig } = await world.config(id, 'ann', '&version=1');
    expect(editorConfig).toMatchObject({ mode: 'view' });
    expect(editorConfig.callbackUrl).toBeUndefined();
    expect(document.permissions.edit).toBe(false);
    expect([key, await currentKey()]).not.toContain(document.key);
    const source = await world.fetchSource(document.url);
    expect(Buffer.compare(Buffer.from(await source.arrayBuffer()), await versionBytes(1))).toBe(0);
  });

  it('[EX16] restoring puts a version on top, under a new key', async () => {
    await world.callback(id, saved('second'));
    const before = await currentKey();
    const answer = await world.ask('POST', `api/documents/${id}/versions/1/restore`, { as: 'bob' });
    expect(answer.status).toBe(200);
    const { versions } = await world.details(id);
    expect(versions[0]).toMatchObject({
      number: 3,
      origin: 'restored',
      restoredFrom: 1,
      people: [{ id: 'bob' }],
    });
    expect(Buffer.compare(await versionBytes(3), await versionBytes(1))).toBe(0);
    expect(await currentKey()).not.toBe(before);
  });

  it('[EX16] those who are in the document leave first, and their work lies below the restored version', async () => {
    await world.callback(id, { key, status: 1, users: ['ann'] });
    const asked: string[] = [];
    world.answer = async ({ c }) => {
      asked.push(c);
      if (c === 'drop') void world.callback(id, saved('typed till the end'));
      return { error: 0, users: ['ann'] };
    };
    await world.ask('POST', `api/documents/${id}/versions/1/restore`);
    expect(asked).toEqual(['info', 'drop']);
    const { versions } = await world.details(id);
    expect(versions.map(({ origin }) => origin)).toEqual(['restored', 'saved', 'created']);
    expect(Buffer.compare(await versionBytes(2), docx('typed till the end'))).toBe(0);
  });

  it('[EX16] a document that does not close is not restored', async () => {
    await world.close();
    await begin(1);
    world.answer = async () => ({ error: 0, users: ['ann'] });
    const answer = await world.ask('POST', `api/documents/${id}/versions/1/restore`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'still-open' } });
    expect(await versionNumbers()).toEqual([1]);
    expect(await currentKey()).toBe(key);
  });
});
