import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORD_DOCUMENT_VERSION } from '../../model/word/version.ts';
import { endRetries } from '../support/end-retries.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import type { RawClient } from '../support/raw-client.ts';
import { save, saveMessage, takeSaveLock } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import {
  append,
  fetchFile,
  joinWord,
  paragraphsOf,
  type WordEditor,
  wordBase,
} from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;

/** Presses the save button. */
async function press(client: RawClient) {
  client.send({ type: 'forceSaveStart' });
  return (await client.next('forceSaveStart')).messages;
}

/** Puts a text at the end of the first paragraph and has it stored. */
async function write(editor: WordEditor, text: string) {
  const { change, doc } = append('a', editor.doc, 0, text);
  editor.doc = doc;
  return save(editor.client, [change]);
}

const documentOf = async (key: string) =>
  (await scene.database.pool.query('SELECT state, epoch, next_index FROM documents WHERE key = $1', [key]))
    .rows[0];
const savesOf = async (key: string): Promise<{ status: number; state: string }[]> =>
  (await scene.database.pool.query('SELECT status, state FROM saves WHERE key = $1 ORDER BY id', [key])).rows;

/** Closes the gate of a document's callbacks with a status: each waits until the gate is opened. */
function holdCallbacks(key: string, status: number): () => void {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  scene.integrator.answer(key, async (callback) => {
    if (callback.status === status) await gate;
    return accepted;
  });
  return open;
}

describe('the save button', () => {
  it('[FV1] has the integrator get the file, with who pressed it, while everybody goes on', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    const first = append('a', ann.doc, 0, ' by Ann');
    const last = await save(ann.client, [first.change]);
    const before = await documentOf(key);
    expect(await press(bob.client)).toEqual({ code: 0, time: last.time, inProgress: false });
    const { body } = await scene.integrator.waitForCallback(key, is(6));
    expect(body).toEqual({
      key,
      status: 6,
      forcesavetype: 1,
      url: expect.stringContaining('/cache/files/'),
      changesurl: expect.stringContaining('/cache/files/'),
      filetype: 'docx',
      history: {
        serverVersion: expect.any(String),
        changes: [expect.objectContaining({ user: { id: 'ann', name: 'Name of ann' } })],
      },
      users: ['ann'],
      actions: [{ type: 2, userid: 'bob' }],
      lastsave: new Date(last.time).toISOString(),
    });
    expect(paragraphsOf(await fetchFile(body.url))).toEqual(['First by Ann', 'Second']);
    for (const { client } of [ann, bob]) {
      expect((await client.next('forceSave')).messages).toEqual({ type: 1, time: last.time, success: true });
    }
    await viewer.client.settled();
    expect(viewer.client.unreadOf('forceSave')).toEqual([]);
    expect(await documentOf(key)).toEqual(before);
    await save(bob.client, [append('b', first.doc, 1, ' by Bob').change], {}, 1);
    await bob.client.leave();
    await ann.client.leave();
    const final = await scene.integrator.waitForCallback(key, is(2));
    expect(final.body).toMatchObject({ notmodified: false, users: ['bob'] });
    expect(paragraphsOf(await fetchFile(final.body.url))).toEqual(['First by Ann', 'Second by Bob']);
  });

  it('[FV2] with nothing new since the last confirmed save starts nothing, and the final save says so', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    expect(await press(ann.client)).toMatchObject({ code: 4 });
    await write(ann, ' one');
    expect(await press(ann.client)).toMatchObject({ code: 0 });
    await ann.client.next('forceSave');
    expect(await press(ann.client)).toMatchObject({ code: 4 });
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 4 });
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.notmodified).toBe(true);
    expect(scene.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([6, 2]);
  });

  it('[FV3] is for editors who are in', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, '!');
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    const limited = await scene.join(key, 'limited', { permissions: { edit: false } });
    const closed = await joinWord(scene, key, 'closed', ann.client);
    closed.client.send({ type: 'close' });
    await closed.client.next('refreshToken');
    const stranger = await scene.connect(key);
    for (const client of [viewer.client, limited.client, closed.client, stranger]) {
      expect(await press(client)).toMatchObject({ code: 3 });
    }
    expect(await savesOf(key)).toEqual([]);
  });

  it('[FV4] cannot save what only its editor can read: that is said, and nothing is sent', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    await save(client, ['1;a']);
    expect(await press(client)).toMatchObject({ code: 3 });
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 3 });
    expect(await savesOf(key)).toEqual([]);
  });

  it('[FV5] without anybody’s callback address there is nothing to save to; else the presser’s comes first', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann', undefined, { documentCallbackUrl: '' });
    await write(ann, '!');
    expect(await press(ann.client)).toMatchObject({ code: 4 });
    const documentCallbackUrl = `${scene.integrator.callbackUrl(key)}?of=bob`;
    const bob = await joinWord(scene, key, 'bob', ann.client, { documentCallbackUrl });
    await joinWord(scene, key, 'carol');
    expect(await press(bob.client)).toMatchObject({ code: 0 });
    const { url } = await scene.integrator.waitForCallback(key, is(6));
    expect(url.searchParams.get('of')).toBe('bob');
  });
});

describe('the command forcesave', () => {
  it('[FV6] is answered at once, and its callback brings back what came with it', async () => {
    const key = scene.newKey();
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 1 });
    const ann = await joinWord(scene, key, 'ann');
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 4 });
    const { time } = await write(ann, ' there');
    const userdata = { job: 9, text: 'ä\u0000"' };
    expect(await scene.command({ c: 'forcesave', key, userdata })).toEqual({ key, error: 0 });
    const { body } = await scene.integrator.waitForCallback(key, is(6));
    expect(body).toMatchObject({ forcesavetype: 0, userdata, users: ['ann'] });
    expect(body).not.toHaveProperty('actions');
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 0, time, success: true });
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, is(2));
    expect(await scene.command({ c: 'forcesave', key })).toEqual({ key, error: 4 });
  });

  it('[FV7] each that brings something of its own gets a callback of its own', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, '!');
    const open = holdCallbacks(key, 6);
    const asked = ['one', 'two', 'two'].map((userdata) => scene.command({ c: 'forcesave', key, userdata }));
    for (const answer of await Promise.all(asked)) expect(answer).toEqual({ key, error: 0 });
    open();
    const callbacks = [
      await scene.integrator.waitForCallback(key, is(6)),
      await scene.integrator.waitForCallback(key, is(6)),
    ];
    expect(callbacks.map(({ body }) => body.userdata).sort()).toEqual(['one', 'two']);
    await eventually(
      () => savesOf(key),
      (saves) => saves.length >= 2 && saves.every(({ state }) => state === 'delivered'),
    );
  });

  it('[FV8] may come while the integrator handles a callback', async () => {
    const key = scene.newKey();
    const answers: unknown[] = [];
    scene.integrator.answer(key, async ({ status, body }) => {
      const left = JSON.stringify(body.actions)?.includes('"type":0');
      if (status === 1 && left) answers.push((await scene.command({ c: 'forcesave', key })).error);
      return accepted;
    });
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    await write(ann, '!');
    await bob.client.leave();
    await scene.integrator.waitForCallback(key, is(6));
    expect(answers).toEqual([0]);
  });
});

describe('one at a time', () => {
  it('[FV9] whoever asks for what is being saved joins; what came since is saved after it', async () => {
    const key = scene.newKey();
    const open = holdCallbacks(key, 6);
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    const { time } = await write(ann, ' one');
    expect(await press(ann.client)).toEqual({ code: 0, time, inProgress: false });
    expect(await press(bob.client)).toEqual({ code: 0, time, inProgress: true });
    await scene.integrator.waitForCallback(key, is(6));
    expect(await press(bob.client)).toEqual({ code: 0, time, inProgress: true });
    await write(ann, ' two');
    expect(await press(bob.client)).toMatchObject({ code: 0, inProgress: false });
    await eventually(
      () => savesOf(key),
      (saves) => saves.every(({ state }) => state === 'pending'),
    );
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
    open();
    const { body } = await scene.integrator.waitForCallback(key, is(6));
    expect(body.actions).toEqual([{ type: 2, userid: 'bob' }]);
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First one two');
    expect(scene.integrator.callbacksOf(key)).toHaveLength(2);
  });

  it('[FV10] the final save comes after a forced one that is under way', async () => {
    const key = scene.newKey();
    const open = holdCallbacks(key, 6);
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, ' one');
    await press(ann.client);
    await scene.integrator.waitForCallback(key, is(6));
    await write(ann, ' two');
    await ann.client.leave();
    await eventually(
      () => savesOf(key),
      (saves) => saves.length === 2,
    );
    expect(scene.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([6]);
    open();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First one two');
    await eventually(
      () => documentOf(key),
      ({ state }) => state === 'closed',
    );
  });
});

describe('what goes wrong', () => {
  it('[FV11] editors are told of the first failure, and again when a repetition is accepted', async () => {
    const key = scene.newKey();
    let attempts = 0;
    scene.integrator.answer(key, ({ status }) => {
      if (status !== 6) return accepted;
      attempts += 1;
      return attempts < 3 ? { status: 500, body: '' } : accepted;
    });
    const ann = await joinWord(scene, key, 'ann');
    const { time } = await write(ann, '!');
    await press(ann.client);
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 1, time, success: false });
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 1, time, success: true });
    const bodies = scene.integrator.callbacksOf(key).map(({ body }) => body);
    expect(bodies).toHaveLength(3);
    for (const { url: _url, changesurl: _changes, ...body } of bodies) expect(bodies[0]).toMatchObject(body);
  });

  it('[FV12] an older file that was not accepted is not sent after a newer one', async () => {
    const key = scene.newKey();
    const texts: string[] = [];
    scene.integrator.answer(key, async ({ status, body }) => {
      if (status === 1) return accepted;
      texts.push(`${status} ${paragraphsOf(await fetchFile(body.url))[0]}`);
      return status === 6 ? { status: 200, body: '{"error":1}' } : accepted;
    });
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, ' one');
    await press(ann.client);
    await ann.client.next('forceSave');
    await write(ann, ' two');
    await press(ann.client);
    await ann.client.next('forceSave');
    await ann.client.leave();
    await eventually(
      () => documentOf(key),
      ({ state }) => state === 'closed',
    );
    expect(await savesOf(key)).toEqual([
      { status: 6, state: 'superseded' },
      { status: 6, state: 'superseded' },
      { status: 2, state: 'delivered' },
    ]);
    expect(texts.at(-1)).toBe('2 First one two');
    const firstOfTwo = texts.indexOf('6 First one two');
    expect(firstOfTwo).toBeGreaterThan(0);
    expect(texts.slice(firstOfTwo)).not.toContain('6 First one');
  });

  it('[FV13] a document no file can be made of ends in status 7, and can be edited on', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const { time } = await write(ann, '!');
    const ofVersion = (by: number) =>
      scene.database.pool.query('UPDATE documents SET model_version = model_version + $2 WHERE key = $1', [
        key,
        by,
      ]);
    await ofVersion(1);
    expect(await press(ann.client)).toMatchObject({ code: 0 });
    const { body } = await scene.integrator.waitForCallback(key, is(7));
    expect(body).toEqual({
      key,
      status: 7,
      forcesavetype: 1,
      users: ['ann'],
      actions: [{ type: 2, userid: 'ann' }],
      lastsave: new Date(time).toISOString(),
    });
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 1, time, success: false });
    await ofVersion(-1);
    await write(ann, '!');
    expect(await press(ann.client)).toMatchObject({ code: 0 });
    expect((await ann.client.next('forceSave')).messages).toMatchObject({ success: true });
  });

  it('[FD76] a document that is open over an upgrade goes on with the model that its log was made on', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, ' before');
    const { rows } = await scene.database.pool.query(
      `UPDATE documents SET model_version = 2 WHERE key = $1 RETURNING source_hash AS hash`,
      [key],
    );
    await scene.database.pool.query(
      `INSERT INTO opened_sources (source_hash, model, model_version, files, variant)
       SELECT source_hash, model, 2, files, variant FROM opened_sources WHERE source_hash = $1 AND model = 'word'
       ON CONFLICT DO NOTHING`,
      [rows[0].hash],
    );
    const bob = await joinWord(scene, key, 'bob', ann.client);
    await write({ ...bob, doc: ann.doc }, ' after');
    for (const { client } of [ann, bob]) await client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(paragraphsOf(await fetchFile(String(body.url)))[0]).toMatch(/ before after$/);
  });

  it('[FD76] a document without changes is read anew', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await scene.database.pool.query('UPDATE documents SET model_version = 2 WHERE key = $1', [key]);
    await joinWord(scene, key, 'bob', ann.client);
    const { rows } = await scene.database.pool.query('SELECT model_version FROM documents WHERE key = $1', [
      key,
    ]);
    expect(rows[0].model_version).toBe(WORD_DOCUMENT_VERSION);
  });

  it('[FV14] after the time for trying a forced save is let go; the document keeps everything', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, ({ status }) => (status === 6 ? { status: 500, body: '' } : accepted));
    const ann = await joinWord(scene, key, 'ann');
    const { change } = append('a', ann.doc, 0, '!');
    await save(ann.client, [change]);
    await press(ann.client);
    await endRetries(scene.database.pool, key);
    await eventually(
      () => savesOf(key),
      ([one]) => one?.state === 'abandoned',
    );
    expect(await scene.storedChanges(key)).toEqual([change]);
    expect((await scene.command({ c: 'getForgottenList' })).keys).not.toContain(key);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, is(2));
  });
});

describe('somebody alone who takes changes back', () => {
  it('[FV15] after a forced save: what the integrator has is replaced at the end, also by the base alone', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, ' gone');
    await press(ann.client);
    await ann.client.next('forceSave');
    ann.client.send({ type: 'unLockDocument', isSave: false, unlock: false, deleteIndex: 0 });
    await ann.client.settled();
    expect(await scene.storedChanges(key)).toEqual([]);
    await ann.client.leave();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body.notmodified).toBe(false);
    expect(Buffer.compare(await fetchFile(body.url), wordBase)).toBe(0);
  });

  it('[FV16] while a save is being made: it holds one state of the log, and is not taken for what is there now', async () => {
    const key = scene.newKey();
    const open = holdCallbacks(key, 6);
    const ann = await joinWord(scene, key, 'ann');
    const { doc } = ann;
    await write(ann, ' old');
    await press(ann.client);
    await scene.integrator.waitForCallback(key, is(6));
    await takeSaveLock(ann.client, 1);
    const { change } = append('a', doc, 0, ' new');
    ann.client.send(saveMessage([change], { deleteIndex: 0 }));
    await ann.client.next('unSaveLock');
    expect(await scene.storedChanges(key)).toEqual([change]);
    open();
    await ann.client.next('forceSave');
    expect(await press(ann.client)).toMatchObject({ code: 0, inProgress: false });
    const { body } = await scene.integrator.waitForCallback(key, is(6));
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First new');
  });
});

describe('a server that starts again', () => {
  let own: Scene;

  beforeAll(async () => {
    own = await Scene.open({ environment: { CONVERTER_PROCESSES: '1' } });
  });
  afterAll(() => own?.close());

  it('[ST1] everybody is told with their sign-in and with every confirmation, also after a restart', async () => {
    const key = own.newKey();
    const ann = await joinWord(own, key, 'ann');
    const openedAt = ann.auth.quireStored?.time ?? 0;
    expect(ann.auth.quireStored).toEqual({ index: 0, time: expect.any(Number) });
    expect(Math.abs(Date.now() - openedAt)).toBeLessThan(60_000);
    const viewer = await own.join(key, 'viewer', { mode: 'view' });
    expect(viewer.auth.quireStored?.index).toBe(0);
    expect(viewer.auth.quireStored?.time).toBeGreaterThanOrEqual(openedAt);
    await write(ann, ' one');
    await write(ann, ' two');
    await press(ann.client);
    const stored = await ann.client.next('quireStored');
    expect(stored).toEqual({ type: 'quireStored', index: 2, time: expect.any(Number) });
    expect(stored.time).toBeGreaterThanOrEqual(openedAt);
    expect(await viewer.client.next('quireStored')).toEqual(stored);
    await write(ann, ' three');
    const told = { index: 2, time: stored.time };
    expect((await own.join(key, 'late', { mode: 'view' })).auth.quireStored).toEqual(told);
    await own.quire.kill();
    await own.quire.restart();
    const back = await own.connect(key);
    back.send(own.returningMessage(ann, { quireSyncIndex: 3 }));
    expect((await back.next('auth')).quireStored).toEqual(told);
  });

  it('[FV17] saves what has waited too long, tells of beginning and end, and rests when nothing is new', async () => {
    await own.quire.kill();
    await own.quire.restart({ FORCE_SAVE_INTERVAL_MS: '200' });
    const key = own.newKey();
    const ann = await joinWord(own, key, 'ann');
    const { time } = await save(ann.client, [append('a', ann.doc, 0, ' by itself').change]);
    const { body } = await own.integrator.waitForCallback(key, is(6));
    expect(body).toMatchObject({ forcesavetype: 2, users: ['ann'] });
    expect(body).not.toHaveProperty('actions');
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First by itself');
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 2, time, start: true });
    expect((await ann.client.next('forceSave')).messages).toEqual({ type: 2, time, success: true });
    await ann.client.leave();
    const final = await own.integrator.waitForCallback(key, is(2));
    expect(final.body.notmodified).toBe(true);
    expect(own.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([6, 2]);
  });
});

describe('what is stored where', () => {
  it('[ST2] what was taken back is not stored, and what is below it stays so', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const { doc } = ann;
    await write(ann, ' one');
    await press(ann.client);
    await ann.client.next('quireStored');
    await write(ann, ' two');
    ann.client.send({ type: 'unLockDocument', isSave: false, unlock: false, deleteIndex: 1 });
    await ann.client.settled();
    expect((await scene.join(key, 'one', { mode: 'view' })).auth.quireStored).toMatchObject({ index: 1 });
    await takeSaveLock(ann.client, 1);
    ann.client.send(saveMessage([append('a', doc, 0, ' other').change], { deleteIndex: 0 }));
    await ann.client.next('unSaveLock');
    expect(await ann.client.next('quireStored')).toMatchObject({ index: 0 });
    expect((await scene.join(key, 'two', { mode: 'view' })).auth.quireStored).toMatchObject({ index: 0 });
  });

  it('[ST3] whoever is still there is told that the final save was confirmed', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    await write(ann, '!');
    await ann.client.leave();
    expect(await viewer.client.next('quireStored')).toMatchObject({ index: 1 });
    expect(await viewer.client.next('updateVersion')).toMatchObject({ success: true });
  });
});
