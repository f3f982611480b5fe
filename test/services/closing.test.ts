import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene?.close());

const stateOf = async (key: string): Promise<string | undefined> =>
  (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0]?.state;

const forgottenKeys = async () => (await scene.command({ c: 'getForgottenList' })).keys as string[];

describe('people coming and going', () => {
  it('[CL1] the integrator is told who edits and who came or went', async () => {
    const { key, bob } = await scene.pair();
    const first = await scene.integrator.waitForCallback(key);
    expect(first.body).toEqual({ key, status: 1, users: ['ann'], actions: [{ type: 1, userid: 'ann' }] });
    const second = await scene.integrator.waitForCallback(key);
    expect(second.body).toMatchObject({ actions: [{ type: 1, userid: 'bob' }] });
    expect([...(second.body.users as string[])].sort()).toEqual(['ann', 'bob']);
    await bob.client.leave();
    const third = await scene.integrator.waitForCallback(key);
    expect(third.body).toEqual({ key, status: 1, users: ['ann'], actions: [{ type: 0, userid: 'bob' }] });
  });

  it('[CL2] a callback about somebody coming delays neither the sign-in nor the opening', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, 'never');
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
  });

  it('[CL3] when such a callback is not accepted, everybody is warned', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, { status: 200, body: '{"error":1}' });
    const { client } = await scene.join(key, 'ann');
    expect(await client.next('warning')).not.toHaveProperty('code');
    await save(client, ['1;a']);
  });

  it('[CL4] viewers cause no callbacks', async () => {
    const key = scene.newKey();
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await viewer.client.leave();
    const editor = await scene.join(key, 'ann');
    await editor.client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
    expect(
      scene.integrator.callbacks.filter((callback) => callback.key === key).map(({ body }) => body),
    ).toEqual([
      { key, status: 1, users: ['ann'], actions: [{ type: 1, userid: 'ann' }] },
      { key, status: 4, actions: [{ type: 0, userid: 'ann' }] },
    ]);
  });
});

describe('the end of a session', () => {
  it('[CL5] without changes there is one callback with status 4, whether the editor closes or vanishes', async () => {
    for (const explicitly of [true, false]) {
      const key = scene.newKey();
      const { client } = await scene.join(key, 'ann');
      if (explicitly) {
        client.send({ type: 'close' });
        await client.next('refreshToken');
      }
      await client.leave();
      await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
      await eventually(
        () => stateOf(key),
        (state) => state === 'idle',
      );
      expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
    }
  });

  it('[CL6] changes nobody here can read end in status 3, told to their last author, and nothing is deleted', async () => {
    const { key, ann, bob } = await scene.pair();
    const carol = await scene.join(key, 'carol', {
      documentCallbackUrl: `${scene.integrator.callbackUrl(key)}?of=carol`,
    });
    await save(ann.client, ['1;a']);
    const last = await save(carol.client, ['2;c'], {}, 1);
    for (const { client } of [carol, bob, ann]) await client.leave();
    const { body, url } = await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
    expect(url.searchParams.get('of')).toBe('carol');
    expect(body).toMatchObject({
      key,
      status: 3,
      users: ['carol'],
      actions: [{ type: 0, userid: 'ann' }],
      lastsave: new Date(last.time).toISOString(),
      notmodified: false,
    });
    await eventually(
      () => stateOf(key),
      (state) => state === 'forgotten',
    );
    expect(await forgottenKeys()).toContain(key);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;c']);
  });

  it('[CL7] forgotten work can be fetched: the base file and every change', async () => {
    const key = scene.newKey();
    const bytes = buildDocx({ paragraphs: ['base'] });
    const url = scene.integrator.serve('base.docx', { bytes });
    const { client } = await scene.join(key, 'ann', { openCmd: { c: 'open', id: key, format: 'docx', url } });
    await save(client, ['1;a', '2;b']);
    await client.leave();
    await eventually(forgottenKeys, (keys) => keys.includes(key));
    const answer = await scene.command({ c: 'getForgotten', key });
    expect(answer).toMatchObject({ key, error: 0 });
    const archive = unzipSync(new Uint8Array(await (await fetch(String(answer.url))).arrayBuffer()));
    expect(Buffer.from(archive['base.docx']!).equals(Buffer.from(bytes))).toBe(true);
    const changes = Object.entries(archive).filter(([name]) => name.endsWith('.json'));
    expect(changes.map(([, json]) => Buffer.from(json).toString()).join()).toContain('"1;a","2;b"');
  });

  it('[CL8] without a callback address the document is forgotten, not deleted', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann', { documentCallbackUrl: '' });
    await save(client, ['1;a']);
    await client.leave();
    await eventually(forgottenKeys, (keys) => keys.includes(key));
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
    expect(scene.integrator.callbacks.filter((callback) => callback.key === key)).toEqual([]);
  });

  it('[CL9] who opens a forgotten document is told, and goes on with the changes', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    await client.leave();
    await eventually(
      () => stateOf(key),
      (state) => state === 'forgotten',
    );
    const again = await scene.join(key, 'bob');
    expect(again.auth).toMatchObject({ hasForgotten: true, indexUser: 2 });
    expect(await again.client.next('warning')).toMatchObject({ code: -201 });
    const history = again.client.received.find((message) => message.type === 'authChanges');
    expect(history?.changes.map(({ change }) => change)).toEqual(['"1;a"']);
    await save(again.client, ['2;b'], {}, 1);
    expect(await scene.storedChanges(key)).toEqual(['1;a', '2;b']);
  });

  it('[CL10] whoever is still attached is told when the document was handed over', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await save(ann.client, ['1;a']);
    await ann.client.leave();
    expect(await viewer.client.next('updateVersion')).toEqual({ type: 'updateVersion', success: true });
  });
});

describe('an opening that failed', () => {
  it('[CL16] ends like any session without changes: with one callback of status 4', async () => {
    const key = scene.newKey();
    const openCmd = { c: 'open', id: key, format: 'docx', url: `${scene.integrator.address}/files/nowhere` };
    const { client } = await scene.join(key, 'ann', { openCmd });
    await client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 4);
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
    expect(await forgottenKeys()).not.toContain(key);
  });
});

describe('callbacks that are not accepted', () => {
  it.concurrent.each([
    ['status 500', { status: 500, body: '{"error":0}' }],
    ['status 403', { status: 403, body: '' }],
    ['an empty body', { status: 200, body: '' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['an error', { status: 200, body: '{"error":1}' }],
  ] as const)(
    '[CL11] after %s the same callback comes again, until it is accepted',
    async (_name, answer) => {
      const key = scene.newKey();
      const { client } = await scene.join(key, 'ann');
      await save(client, ['1;a']);
      let attempts = 0;
      scene.integrator.answer(key, ({ status }) => {
        if (status !== 3) return accepted;
        attempts += 1;
        return attempts === 1 ? answer : accepted;
      });
      await client.leave();
      await eventually(
        () => stateOf(key),
        (state) => state === 'forgotten',
      );
      const bodies = scene.integrator.callbacksOf(key).map(({ body }) => body);
      expect(bodies).toHaveLength(2);
      expect(bodies[1]).toEqual(bodies[0]);
    },
  );

  it.concurrent('[CL12] after the time for trying the work stays in forgotten storage and is tried no more', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, { status: 500, body: '' });
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await client.leave();
    await endRetries(scene.database.pool, key);
    expect(await viewer.client.next('updateVersion')).toMatchObject({ success: false });
    expect(await stateOf(key)).toBe('forgotten');
    expect(scene.integrator.callbacksOf(key).length).toBeGreaterThanOrEqual(2);
    const { rows } = await scene.database.pool.query(
      'SELECT state, callback_url, author_id, last_error FROM saves WHERE key = $1',
      [key],
    );
    expect(rows).toMatchObject([
      { state: 'forgotten', callback_url: scene.integrator.callbackUrl(key), author_id: 'ann' },
    ]);
    expect(rows[0].last_error).toContain('500');
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
  });

  it.concurrent('[CL13] the integrator may call the server while it handles a callback', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    const answers: unknown[] = [];
    scene.integrator.answer(key, async ({ status }) => {
      if (status !== 3) return accepted;
      answers.push((await scene.command({ c: 'info', key })).error);
      answers.push((await scene.command({ c: 'getForgotten', key })).error);
      answers.push((await scene.command({ c: 'drop', key })).error);
      answers.push(await (await fetch(`${scene.quire.address}/healthcheck`)).text());
      const viewer = await scene.connect(key);
      viewer.send(scene.authMessage(key, 'viewer', { mode: 'view', supportAuthChangesAck: false }));
      answers.push((await viewer.next('auth')).result);
      return accepted;
    });
    await client.leave();
    await eventually(
      () => stateOf(key),
      (state) => state === 'forgotten',
    );
    expect(answers).toEqual([0, 0, 0, 'true', 1]);
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
  });
});

describe('a server that dies after people left', () => {
  const nobodyComesBack = { RECONNECT_GRACE_MS: '500' };

  it('[CL14, CL15] documents that were being edited, or were about to be handed over, are closed by the next one; its death, wherever, loses no callback and no change', async () => {
    const leftKey = scene.newKey();
    const left = await scene.join(leftKey, 'ann');
    await save(left.client, ['1;a']);
    const editedKey = scene.newKey();
    const edited = await scene.join(editedKey, 'ann');
    await save(edited.client, ['1;a']);
    const untouchedKey = scene.newKey();
    await scene.join(untouchedKey, 'ann');
    await left.client.leave();
    await scene.quire.kill();
    for (const point of ['assembly:begun', 'delivery:after-callback']) {
      await scene.quire.restartToDie(point, nobodyComesBack);
    }
    await scene.quire.restart({ FAULT_POINT: '' });
    await scene.integrator.waitForCallback(untouchedKey, ({ status }) => status === 4);
    for (const key of [leftKey, editedKey]) {
      await scene.integrator.waitForCallback(key, ({ status }) => status === 3);
      await eventually(
        () => stateOf(key),
        (state) => state === 'forgotten',
      );
      expect(await scene.storedChanges(key)).toEqual(['1;a']);
    }
  });
});
