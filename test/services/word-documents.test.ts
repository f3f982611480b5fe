import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import {
  append,
  fetchFile,
  joinWord as join,
  wordEditor as openAs,
  paragraphsOf,
  wordBase,
} from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const joinWord = (key: string, user: string, beside?: RawClient, changes?: Sent) =>
  join(scene, key, user, beside, changes);
const wordEditor = (key: string, name?: string, bytes?: Uint8Array) => openAs(scene, key, name, bytes);

const stateOf = async (key: string): Promise<string | undefined> =>
  (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0]?.state;

const isFinal = ({ status }: ReceivedCallback) => status === 2 || status === 3;

describe('word documents', () => {
  it('[WD1] what two people wrote arrives in one docx, and every other part as it was', async () => {
    const key = scene.newKey();
    const ann = await joinWord(key, 'ann');
    const bob = await joinWord(key, 'bob', ann.client);
    const first = append('a', ann.doc, 0, ' by Ann');
    await save(ann.client, [first.change]);
    await bob.client.next('saveChanges');
    const last = await save(bob.client, [append('b', first.doc, 1, ' by Bob').change], {}, 1);
    await bob.client.leave();
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, isFinal);
    expect(body).toEqual({
      key,
      status: 2,
      url: expect.stringContaining('/cache/files/'),
      changesurl: expect.stringContaining('/cache/files/'),
      filetype: 'docx',
      history: {
        serverVersion: expect.any(String),
        changes: [
          {
            documentSha256: expect.any(String),
            created: expect.any(String),
            user: { id: 'ann', name: 'Name of ann' },
          },
          {
            documentSha256: expect.any(String),
            created: expect.any(String),
            user: { id: 'bob', name: 'Name of bob' },
          },
        ],
      },
      users: ['bob'],
      actions: [{ type: 0, userid: 'ann' }],
      lastsave: new Date(last.time).toISOString(),
      notmodified: false,
    });
    const before = unzipSync(wordBase);
    const result = await fetchFile(body.url);
    expect(paragraphsOf(result)).toEqual(['First by Ann', 'Second by Bob']);
    const after = unzipSync(result);
    for (const [name, bytes] of Object.entries(before)) {
      if (name !== 'word/document.xml') expect([name, after[name]]).toEqual([name, bytes]);
    }
    const archive = unzipSync(await fetchFile(body.changesurl));
    expect(Object.keys(archive)).toEqual(['changes0.json', 'changes1.json', 'stamps.json']);
    expect(JSON.parse(strFromU8(archive['stamps.json']!))).toEqual([
      { name: 'Name of ann' },
      { name: 'Name of bob' },
    ]);
    await eventually(
      () => stateOf(key),
      (state) => state === 'closed',
    );
    expect(await scene.storedChanges(key)).toEqual([]);
    expect((await scene.command({ c: 'getForgottenList' })).keys).not.toContain(key);
  });

  it('[WD2] a key that was handed over is used up for a while: editors only look at it', async () => {
    const key = scene.newKey();
    const ann = await joinWord(key, 'ann');
    await save(ann.client, [append('a', ann.doc, 0, '!').change]);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, isFinal);
    await eventually(
      () => stateOf(key),
      (state) => state === 'closed',
    );
    const late = await scene.connect(key);
    late.send(scene.authMessage(key, 'bob', wordEditor(key)));
    await late.next('auth');
    expect((await late.next('documentOpen')).data.status).toBe('updateversion');
    late.send({ type: 'isSaveLock' });
    expect(await late.next('disconnectReason')).toMatchObject({ code: 4004 });
  });

  it('[WD3] the same content is converted once, whatever it is called and however many documents have it', async () => {
    const bytes = buildDocx({ paragraphs: ['Seen before'] });
    const keys = [scene.newKey(), scene.newKey(), scene.newKey()];
    const all = async () =>
      (await scene.database.pool.query('SELECT source_hash, opened_at FROM opened_sources')).rows;
    const before = (await all()).length;
    await scene.join(keys[0]!, 'ann', wordEditor(keys[0]!, 'one.docx', bytes));
    const afterFirst = await all();
    expect(afterFirst).toHaveLength(before + 1);
    await Promise.all([
      scene.join(keys[1]!, 'ann', wordEditor(keys[1]!, 'two.docx', bytes)),
      scene.join(keys[2]!, 'ann', wordEditor(keys[2]!, 'three.docx', bytes)),
    ]);
    expect(await all()).toEqual(afterFirst);
  });

  it('[WD4] a file that cannot be read is answered with its number, again and again', async () => {
    const bytes = buildDocx({ document: '<w:document><unclosed>' });
    for (let round = 0; round < 2; round += 1) {
      const key = scene.newKey();
      const client = await scene.connect(key);
      client.send(scene.authMessage(key, 'ann', wordEditor(key, 'broken.docx', bytes)));
      expect((await client.next('documentOpen')).data).toMatchObject({
        status: 'err',
        data: -86,
      });
    }
  });

  it('[WD5] a change that cannot be applied is passed over, the rest arrives', async () => {
    const key = scene.newKey();
    const ann = await joinWord(key, 'ann');
    const unknown = '{"c":"a","s":{"stepType":"none of ours"}}';
    await save(ann.client, [unknown, '{"c":"a","s":{"stepType":"replace","from":900,"to":901}}']);
    await save(ann.client, [append('a', ann.doc, 0, ' and on').change], {}, 2);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, isFinal);
    expect(body.status).toBe(2);
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First and on');
    const { rows } = await scene.database.pool.query('SELECT skipped FROM saves WHERE key = $1', [key]);
    expect(rows).toEqual([{ skipped: 2 }]);
  });

  it('[WD6] a result that could not be handed over is kept, and whoever opens it goes on from it', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, ({ status }) => (status === 2 ? { status: 403, body: '' } : accepted));
    const ann = await joinWord(key, 'ann');
    await save(ann.client, [append('a', ann.doc, 0, ' kept').change]);
    await ann.client.leave();
    await endRetries(scene.database.pool, key);
    await eventually(
      () => stateOf(key),
      (state) => state === 'forgotten',
    );
    const { url } = await scene.command({ c: 'getForgotten', key });
    expect(paragraphsOf(await fetchFile(url))[0]).toBe('First kept');
    scene.integrator.answer(key, accepted);
    const again = await joinWord(key, 'bob');
    expect(again.auth.hasForgotten).toBe(true);
    expect(again.doc.child(0).textContent).toBe('First kept');
    await again.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, (callback) => {
      return callback.status === 2 && !('changesurl' in callback.body);
    });
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First kept');
    await eventually(
      async () => (await scene.command({ c: 'getForgottenList' })).keys as string[],
      (keys) => !keys.includes(key),
    );
  });

  it('[WD7] an editor who comes back while the result waits to be delivered goes on with all changes', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, ({ status }) => (status === 2 ? { status: 500, body: '' } : accepted));
    const ann = await joinWord(key, 'ann');
    const first = append('a', ann.doc, 0, ' one');
    await save(ann.client, [first.change]);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, isFinal);
    const bob = await joinWord(key, 'bob');
    const history = bob.client.received.find((message) => message.type === 'authChanges');
    expect(history?.changes).toHaveLength(1);
    scene.integrator.answer(key, accepted);
    await save(bob.client, [append('b', first.doc, 0, ' two').change], {}, 1);
    await bob.client.leave();
    await eventually(
      () => stateOf(key),
      (state) => state === 'closed',
    );
    const { body } = scene.integrator.callbacksOf(key).at(-1)!;
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First one two');
  });

  it('[WD8] a key handed over longer ago is opened anew, and sessions of the time before do not go on in it', async () => {
    const key = scene.newKey();
    const ann = await joinWord(key, 'ann');
    await save(ann.client, [append('a', ann.doc, 0, ' old').change]);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, isFinal);
    await eventually(
      () => stateOf(key),
      (state) => state === 'closed',
    );
    await scene.database.pool.query(
      `UPDATE documents SET state_since = state_since - interval '6 minutes' WHERE key = $1`,
      [key],
    );
    const bytes = buildDocx({ paragraphs: ['New version'] });
    const bob = await joinWord(key, 'bob', undefined, wordEditor(key, 'new.docx', bytes));
    expect(bob.auth.indexUser).toBe(2);
    expect(bob.doc.child(0).textContent).toBe('New version');
    expect(bob.client.received.map(({ type }) => type)).not.toContain('authChanges');
    const back = await scene.connect(key);
    back.send(scene.returningMessage(ann, { quireSyncIndex: 0 }));
    expect(await back.next('error')).toMatchObject({ code: 4008 });
    await save(bob.client, [append('b', bob.doc, 0, ' indeed').change]);
    await bob.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, isFinal);
    expect(paragraphsOf(await fetchFile(body.url))).toEqual(['New version indeed']);
  });
});
