import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { CLOSING_GRACE_MS: '200' } });
});
afterAll(() => scene?.close());

/** A document that ended up in forgotten storage. */
async function forgottenDocument(): Promise<string> {
  const key = scene.newKey();
  const { client } = await scene.join(key, 'ann');
  await save(client, ['1;a']);
  await client.leave();
  await eventually(
    async () =>
      (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0].state,
    (state) => state === 'forgotten',
  );
  return key;
}

describe('commands', () => {
  it('[CM7] meta tells everybody in the document its new title', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    expect(await scene.command({ c: 'meta', key, meta: { title: 'New name.docx' } })).toEqual({
      key,
      error: 0,
    });
    expect(await client.next('meta')).toMatchObject({ messages: { title: 'New name.docx' } });
    expect(await scene.command({ c: 'meta', key })).toEqual({ key, error: 5 });
    expect(await scene.command({ c: 'meta', key: 'nowhere', meta: { title: 'x' } })).toEqual({
      key: 'nowhere',
      error: 1,
    });
    await client.leave();
  });

  it('[CM1] version tells the version, at both addresses and also to GET', async () => {
    const version = await scene.command({ c: 'version' });
    expect(version).toEqual({ error: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) });
    const old = `${scene.quire.address}/coauthoring/CommandService.ashx`;
    const post = await fetch(old, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"c":"version"}',
    });
    expect(await post.json()).toEqual(version);
    expect(await (await fetch(`${old}?c=version`)).json()).toEqual(version);
  });

  it('[CM2] what is wrong with a request has its number, with status 200', async () => {
    for (const [parameters, answer] of [
      [
        { c: 'nonsense', key: 'k' },
        { key: 'k', error: 5 },
      ],
      [{ c: 'toString' }, { error: 5 }],
      [{}, { error: 5 }],
      [{ c: 'info' }, { error: 1 }],
      [
        { c: 'info', key: '' },
        { key: '', error: 1 },
      ],
      [
        { c: 'info', key: 'nowhere' },
        { key: 'nowhere', error: 1 },
      ],
      [
        { c: 'info', key: 7 },
        { key: 7, error: 1 },
      ],
      [
        { c: 'drop', key: 'nowhere' },
        { key: 'nowhere', error: 1 },
      ],
      [
        { c: 'getForgotten', key: 'nowhere' },
        { key: 'nowhere', error: 1 },
      ],
      [
        { c: 'deleteForgotten', key: 'nowhere' },
        { key: 'nowhere', error: 1 },
      ],
    ] as const) {
      expect([parameters, await scene.command(parameters)]).toEqual([parameters, answer]);
    }
    const post = (body: string) => fetch(`${scene.quire.address}/command`, { method: 'POST', body });
    for (const body of ['[]', '"x"', '7']) {
      const response = await post(body);
      expect([body, response.status, await response.json()]).toEqual([body, 200, { error: 2 }]);
    }
    expect((await post('{')).status).toBe(400);
    expect((await post(`{"c":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413);
  });

  it('[CM3] info names who edits and has the integrator told', async () => {
    const { key, bob } = await scene.pair();
    for (const user of ['ann', 'bob']) {
      await scene.integrator.waitForCallback(key, ({ body }) => JSON.stringify(body.actions).includes(user));
    }
    await scene.join(key, 'viewer', { mode: 'view' });
    expect(await scene.command({ c: 'info', key, userdata: 'mine' })).toEqual({
      key,
      error: 0,
      users: ['ann', 'bob'],
    });
    const { body } = await scene.integrator.waitForCallback(key);
    expect(body).toEqual({ key, status: 1, users: ['ann', 'bob'], userdata: 'mine' });
    await bob.client.leave();
    await scene.integrator.waitForCallback(key);
    expect(await scene.command({ c: 'info', key })).toMatchObject({ users: ['ann'] });
  });

  it('[CM4] info about a document nobody edits has status 4 told', async () => {
    const key = scene.newKey();
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await viewer.client.leave();
    expect(await scene.command({ c: 'info', key })).toEqual({ key, error: 0, users: [] });
    expect((await scene.integrator.waitForCallback(key)).body).toEqual({ key, status: 4 });
  });

  it('[CM5] drop tells all, or those that are named, to stop, and sends them away', async () => {
    const { key, ann, bob } = await scene.pair();
    expect(await scene.command({ c: 'drop', key, users: ['bob'] })).toEqual({ key, error: 0 });
    expect(await bob.client.next('drop')).toMatchObject({ type: 'drop', code: 4007 });
    expect((await bob.client.closed).dismissed).toBe(true);
    await ann.client.settled();
    expect(ann.client.unreadOf('drop')).toEqual([]);
    await save(ann.client, ['1;a']);
    expect(await scene.command({ c: 'drop', key, users: 'ann' })).toEqual({ key, error: 2 });
    expect(await scene.command({ c: 'drop', key, users: '["ann"]' })).toMatchObject({ error: 0 });
    await ann.client.next('drop');
    const eve = await scene.join(key, 'eve');
    expect(await scene.command({ c: 'drop', key })).toMatchObject({ error: 0 });
    await eve.client.next('drop');
    expect((await eve.client.closed).dismissed).toBe(true);
  });

  it('[CM6] forgotten documents are listed, fetched and deleted', async () => {
    const [one, two] = [await forgottenDocument(), await forgottenDocument()];
    expect((await scene.command({ c: 'getForgottenList' })).keys).toEqual(expect.arrayContaining([one, two]));
    const { url } = await scene.command({ c: 'getForgotten', key: one });
    expect(new URL(String(url)).pathname).toMatch(
      new RegExp(`^/cache/files/forgotten/${one}/(output|recovery)\\.\\w+/(output|recovery)\\.\\w+$`),
    );
    expect((await fetch(String(url))).status).toBe(200);
    expect(await scene.command({ c: 'deleteForgotten', key: one })).toEqual({ key: one, error: 0 });
    expect(await scene.command({ c: 'getForgotten', key: one })).toEqual({ key: one, error: 1 });
    expect(await scene.command({ c: 'deleteForgotten', key: one })).toEqual({ key: one, error: 1 });
    expect((await scene.command({ c: 'getForgottenList' })).keys).not.toContain(one);
    expect((await scene.command({ c: 'getForgottenList' })).keys).toContain(two);
    expect(await scene.storedChanges(one)).toEqual([]);
    expect(await scene.storedChanges(two)).toEqual(['1;a']);
  });
});

describe('commands of every kind', () => {
  it('[CM8] license says that there is no limit, and who is there', async () => {
    const { key, bob } = await scene.pair();
    const viewer = await scene.join(key, 'only-looks', { mode: 'view' });
    const answer = await scene.command({ c: 'license' });
    const ids = (users: unknown) => (users as { userid: string }[]).map(({ userid }) => userid);
    const { users, users_view } = answer.quota as Record<string, unknown>;
    expect(ids(users)).toEqual(expect.arrayContaining(['ann', 'bob']));
    expect(ids(users)).not.toContain('only-looks');
    expect(ids(users_view)).toContain('only-looks');
    expect(answer).toMatchObject({
      error: 0,
      license: { end_date: null, trial: false, connections: 0, users_count: 0 },
      server: {
        resultType: 3,
        packageType: 0,
        buildVersion: expect.any(String),
        buildNumber: expect.any(Number),
      },
    });
    await Promise.all([bob.client.leave(), viewer.client.leave()]);
  });

  it('[CM9] a command is JSON whatever its content type says, and may come by GET at either address', async () => {
    const { address } = scene.quire;
    for (const path of ['/command', '/coauthoring/CommandService.ashx', '/9.3.0-a1b2c3/command']) {
      for (const type of [
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=iso-8859-1',
        'nonsense',
      ]) {
        const response = await fetch(address + path, {
          method: 'POST',
          headers: { 'content-type': type },
          body: '\ufeff{"c":"version"}',
        });
        expect([path, type, await response.json()]).toEqual([
          path,
          type,
          expect.objectContaining({ error: 0 }),
        ]);
      }
      const answer = await (await fetch(`${address}${path}?c=info&key=nowhere`)).json();
      expect(answer).toEqual({ key: 'nowhere', error: 1 });
    }
    const { key, ann, bob } = await scene.pair();
    const users = encodeURIComponent('["bob"]');
    const dropped = await fetch(`${address}/command?c=drop&key=${key}&users=${users}`);
    expect(await dropped.json()).toEqual({ key, error: 0 });
    await bob.client.next('drop');
    expect(ann.client.unreadOf('drop')).toEqual([]);
    const meta = encodeURIComponent('{"title":"By GET.docx"}');
    await fetch(`${address}/coauthoring/CommandService.ashx?c=meta&key=${key}&meta=${meta}`);
    expect(await ann.client.next('meta')).toMatchObject({ messages: { title: 'By GET.docx' } });
  });

  it('[CM10] what `saved` says of a callback that is under way counts more than its answer', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    let attempts = 0;
    scene.integrator.answer(key, async ({ status }) => {
      if (status !== 3) return accepted;
      attempts += 1;
      const verdict = attempts === 1 ? '0' : '1';
      expect(await scene.command({ c: 'saved', key, status: verdict, conv: '' })).toEqual({ key, error: 0 });
      return accepted;
    });
    await client.leave();
    await eventually(
      async () =>
        (await scene.database.pool.query('SELECT state, attempts FROM saves WHERE key = $1', [key])).rows[0],
      (row) => row?.state === 'delivered',
    );
    expect(attempts).toBe(2);
    expect(await scene.command({ c: 'saved', key: 'nowhere', status: '0' })).toEqual({
      key: 'nowhere',
      error: 1,
    });
    expect(await scene.command({ c: 'saved', key })).toEqual({ key, error: 2 });
  });

  it('[CM11] info tells another address if it names one, and refuses what is none', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await scene.integrator.waitForCallback(key);
    const callback = `${scene.integrator.callbackUrl(key)}?other=1`;
    expect(await scene.command({ c: 'info', key, callback, userdata: { a: [1] } })).toMatchObject({
      error: 0,
    });
    const { url, body } = await scene.integrator.waitForCallback(key);
    expect(url.searchParams.get('other')).toBe('1');
    expect(body).toEqual({ key, status: 1, users: ['ann'], userdata: { a: [1] } });
    for (const wrong of ['nonsense', 'ftp://store/x', 7, 'http://']) {
      expect(await scene.command({ c: 'info', key, callback: wrong })).toEqual({ key, error: 2 });
    }
    await client.leave();
  });

  it('[CM12] meta passes on title and favourite and refuses everything else with 5', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    expect(await scene.command({ c: 'meta', key, meta: { favorite: true } })).toEqual({ key, error: 0 });
    expect(await client.next('meta')).toEqual({ type: 'meta', messages: { favorite: true } });
    await scene.command({ c: 'meta', key, meta: { title: 'Other.docx', unknown: 1 } });
    expect(await client.next('meta')).toEqual({ type: 'meta', messages: { title: 'Other.docx' } });
    const { rows } = await scene.database.pool.query('SELECT title FROM documents WHERE key = $1', [key]);
    expect(rows).toEqual([{ title: 'Other.docx' }]);
    for (const meta of [
      null,
      {},
      [],
      'x',
      7,
      { title: '' },
      { title: true },
      { title: ['x'] },
      { title: 'x'.repeat(2_000) },
    ]) {
      expect([meta, await scene.command({ c: 'meta', key, meta })]).toEqual([meta, { key, error: 5 }]);
    }
    await client.settled();
    expect(client.unreadOf('meta')).toEqual([]);
    await client.leave();
  });

  it('[CM13] info says that a document is being edited by nobody while its changes wait for the final save', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    await scene.integrator.waitForCallback(key);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    scene.integrator.answer(key, async ({ status }) => {
      if (status === 3) await released;
      return accepted;
    });
    await client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
    expect(await scene.command({ c: 'info', key })).toEqual({ key, error: 0, users: [] });
    const told = await scene.integrator.waitForCallback(key);
    expect(told.body).toEqual({ key, status: 1, users: [] });
    release();
  });

  it('[CM14] forcesave without anything to save, or without a document, has its number', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 4 });
    expect(await scene.command({ c: 'forcesave', key: 'nowhere' })).toEqual({ key: 'nowhere', error: 1 });
    expect(await scene.command({ c: 'forcesave' })).toEqual({ error: 1 });
    await client.leave();
  });
});

interface Quota {
  connectionsCount: number;
  usersCount: { unique: number };
}

describe('what operators and integrators look at', () => {
  it('[OB1] the health check says true, as text', async () => {
    const response = await fetch(`${scene.quire.address}/healthcheck`);
    expect([response.status, await response.text()]).toEqual([200, 'true']);
    expect(response.headers.get('content-type')).toContain('text/plain');
  });

  it('[OB2] the health check says false while the database does not answer, and true again after', async () => {
    const health = async () => (await fetch(`${scene.quire.address}/healthcheck`)).text();
    const { pathname } = new URL(scene.database.url);
    const name = pathname.slice(1);
    const elsewhere = new URL('/postgres', scene.database.url);
    const admin = new pg.Client({ connectionString: elsewhere.href });
    await admin.connect();
    try {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = $1 AND application_name <> 'quire node'`,
        [name],
      );
      await eventually(health, (answer) => answer === 'false');
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
    await eventually(health, (answer) => answer === 'true');
    expect(scene.quire.isRunning).toBe(true);
  });

  it('[OB3] the information page counts who edits and who looks', async () => {
    const information = async () => {
      const response = await fetch(`${scene.quire.address}/info/info.json`);
      return (await response.json()) as { quota: Record<'edit' | 'view', Quota> };
    };
    const { quota: before } = await information();
    const { key } = await scene.pair();
    await scene.join(key, 'somebody who only looks', { mode: 'view' });
    const info = await information();
    expect(info).toMatchObject({
      licenseInfo: { type: 3 },
      serverInfo: { buildVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
    expect(info.quota.edit.connectionsCount - before.edit.connectionsCount).toBe(2);
    expect(info.quota.view.connectionsCount - before.view.connectionsCount).toBe(1);
    expect(info.quota.view.usersCount.unique - before.view.usersCount.unique).toBe(1);
  });

  it('[OB4] a callback address for tests accepts everything', async () => {
    const response = await fetch(`${scene.quire.address}/dummyCallback`, { method: 'POST', body: '{}' });
    expect(await response.json()).toEqual({ error: 0 });
  });

  it('[OB5] documents that nobody is attached to, viewers’ ones too, are not kept in memory', async () => {
    const documents = () => scene.metric('quire_documents');
    const before = await documents();
    const keys = Array.from({ length: 20 }, () => scene.newKey());
    const viewers = await Promise.all(keys.map((key) => scene.join(key, 'viewer', { mode: 'view' })));
    expect(await documents()).toBeGreaterThanOrEqual(20);
    await Promise.all(viewers.map(({ client }) => client.leave()));
    await eventually(documents, (count) => count <= before);
  });

  it('[OB6] a refused sign-in leaves no document in memory', async () => {
    const documents = () => scene.metric('quire_documents');
    const before = await documents();
    for (let round = 0; round < 10; round += 1) {
      const key = scene.newKey();
      const client = await scene.connect(key);
      client.send(scene.authMessage(key, 'x'.repeat(241)));
      await client.next('error');
      await client.leave();
    }
    await eventually(documents, (count) => count <= before);
  });

  it('[OB7] the numbers of connections follow those who join and leave', async () => {
    const connections = () => scene.metric('quire_connections{transport="engine_io"}');
    const before = await connections();
    const { client } = await scene.join(scene.newKey(), 'ann');
    expect(await connections()).toBe(before + 1);
    await client.leave();
    await eventually(connections, (count) => count === before);
  });
});
