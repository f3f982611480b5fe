import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene, sceneSecret } from '../support/scene.ts';
import { append, fetchFile, joinWord, paragraphsOf, type WordEditor } from '../support/word-editor.ts';

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;
const oldest = 'quire_oldest_unsaved_change_seconds{promised="true"}';
/** Longer than any test takes: nothing is saved by itself in this time unless the test lets it pass. */
const longS = 3_600;

async function open(environment: Readonly<Record<string, string>>, tokens = false): Promise<Scene> {
  const scene = await Scene.open({ tokens, environment: { CONVERTER_PROCESSES: '1', ...environment } });
  return scene;
}

const withinOf = async (scene: Scene, key: string): Promise<number | null> =>
  (await scene.database.pool.query('SELECT store_within_ms AS within FROM documents WHERE key = $1', [key]))
    .rows[0].within;

/** Lets time pass for the changes of a document that are not stored. */
const age = (scene: Scene, key: string, byS: number) =>
  scene.database.pool.query(
    `UPDATE documents SET unsaved_since = unsaved_since - $2 * interval '1 second' WHERE key = $1`,
    [key, byS],
  );

/** Puts a text at the end of the first paragraph and has it stored on the server. */
async function write(editor: WordEditor, text: string, at = 0) {
  const { change, doc } = append('a', editor.doc, 0, text);
  editor.doc = doc;
  return save(editor.client, [change], {}, at);
}

describe('who asks for changes to be stored by themselves', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await open({ FORCE_SAVE_LEAST_MS: '5000' });
  });
  afterAll(() => scene?.close());

  it('[SD6] is nobody who does not say so', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await write(ann, '!');
    await age(scene, key, longS);
    expect(await withinOf(scene, key)).toBeNull();
    await joinWord(scene, key, 'bob', ann.client, { quireStoreWithinS: 0 });
    expect(await withinOf(scene, key)).toBeNull();
    await joinWord(scene, key, 'viewer', undefined, { quireStoreWithinS: 10, mode: 'view' });
    expect(await withinOf(scene, key)).toBeNull();
    await ann.client.leave();
    expect(scene.integrator.callbacksOf(key)).toEqual([]);
  });

  it('[SD7] is heard: the shortest time that one of them asks for counts, but none below the least', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann', undefined, { quireStoreWithinS: 120 });
    expect(await withinOf(scene, key)).toBe(120_000);
    const bob = await joinWord(scene, key, 'bob', ann.client, { quireStoreWithinS: 60.5 });
    expect(await withinOf(scene, key)).toBe(60_500);
    await joinWord(scene, key, 'carol', undefined, { quireStoreWithinS: 600 });
    await joinWord(scene, key, 'dave');
    expect(await withinOf(scene, key)).toBe(60_500);
    await joinWord(scene, key, 'eve', undefined, { quireStoreWithinS: 0.5 });
    expect(await withinOf(scene, key)).toBe(5_000);
    await bob.client.leave();
  });

  it('[SD8] what is no such time ends the connection with a reason', async () => {
    for (const quireStoreWithinS of [-1, '-1', 86_401, [], true]) {
      const client = await scene.connect(scene.newKey());
      client.send(scene.authMessage('asks-wrongly', 'ann', { quireStoreWithinS }));
      expect(await client.next('disconnectReason')).toMatchObject({ code: 4004 });
    }
  });
});

it('[SD7] with tokens the token alone asks, and what is wrong in it is not heard', async () => {
  const scene = await open({ FORCE_SAVE_INTERVAL_MS: '90000' }, true);
  try {
    const asked = async (quireStoreWithinS: unknown, inMessage: number | undefined) => {
      const key = scene.newKey();
      const message = scene.authMessage(key, 'ann', { quireStoreWithinS: inMessage });
      const claims = {
        document: {
          key,
          url: `${scene.integrator.address}/files/document.docx`,
          permissions: { edit: true },
        },
        editorConfig: {
          callbackUrl: scene.integrator.callbackUrl(key),
          mode: 'edit',
          user: { id: 'ann' },
          quireStoreWithinS,
        },
      };
      const jwtOpen = await scene.sign(claims, sceneSecret);
      const client = await scene.connect(key, { handshake: { token: jwtOpen } });
      client.send({ ...message, jwtOpen });
      await client.next('auth');
      return withinOf(scene, key);
    };
    expect(await asked(30, undefined)).toBe(30_000);
    expect(await asked(undefined, 10)).toBe(90_000);
    expect(await asked(0, 10)).toBeNull();
    // As some languages write numbers.
    expect(await asked('30', 10)).toBe(30_000);
    for (const wrong of ['soon', -1, null, 1e9, {}]) expect(await asked(wrong, 10)).toBe(90_000);
  } finally {
    await scene.close();
  }
});

describe('the promise that no storage is older than was asked for', () => {
  it('[SD9] every change arrives by itself while its writer goes on, and nothing comes when nothing is new', async () => {
    const scene = await open({ FORCE_SAVE_LEAST_MS: '400' });
    try {
      const key = scene.newKey();
      const ann = await joinWord(scene, key, 'ann', undefined, { quireStoreWithinS: 0.4 });
      for (let at = 0; at < 3; at += 1) {
        await write(ann, ` ${at}`, at);
        const { body } = await scene.integrator.waitForCallback(key, is(6));
        expect(body).toMatchObject({ forcesavetype: 2, users: ['ann'] });
        expect(paragraphsOf(await fetchFile(body.url))[0]).toBe(
          `First${[' 0', ' 1', ' 2'].slice(0, at + 1).join('')}`,
        );
        await ann.client.next('quireStored', ({ index }) => index === at + 1);
      }
      expect(await scene.metric(oldest)).toBe(0);
      await ann.client.leave();
      const final = await scene.integrator.waitForCallback(key, is(2));
      expect(final.body.notmodified).toBe(true);
      expect(scene.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([6, 6, 6, 2]);
    } finally {
      await scene.close();
    }
  });

  it('[SD10] is kept over kill -9 of the server, with nobody back, and by the crash of the last editor', async () => {
    const scene = await open({
      FORCE_SAVE_LEAST_MS: '400',
      RECONNECT_GRACE_MS: '600000',
      CLOSING_GRACE_MS: '600000',
    });
    try {
      const key = scene.newKey();
      const ann = await joinWord(scene, key, 'ann', undefined, { quireStoreWithinS: longS });
      await write(ann, ' outlives');
      await scene.quire.kill();
      await age(scene, key, longS);
      await scene.quire.restart();
      const { body } = await scene.integrator.waitForCallback(key, is(6));
      expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First outlives');
      const other = scene.newKey();
      const bob = await joinWord(scene, other, 'bob', undefined, { quireStoreWithinS: 0.4 });
      await write(bob, ' crashes');
      bob.client.cut();
      const { body: last } = await scene.integrator.waitForCallback(other, ({ status }) => status > 1);
      expect(paragraphsOf(await fetchFile(last.url))[0]).toBe('First crashes');
    } finally {
      await scene.close();
    }
  });

  it('[SD11] what is late is seen in the metrics, and as soon as the storage takes files again it has the newest', async () => {
    const scene = await open({ FORCE_SAVE_LEAST_MS: '400' });
    try {
      const key = scene.newKey();
      let refusing = true;
      scene.integrator.answer(key, ({ status }) =>
        refusing && status !== 1 ? { status: 503, body: '' } : accepted,
      );
      const ann = await joinWord(scene, key, 'ann', undefined, { quireStoreWithinS: 0.4 });
      expect(await scene.metric(oldest)).toBe(0);
      await write(ann, ' old');
      await ann.client.next('quireStored', ({ refusedSince }) => refusedSince !== undefined);
      await age(scene, key, 100);
      expect(await scene.metric(oldest)).toBeGreaterThan(100);
      expect(await scene.metric('quire_refused_documents')).toBe(1);
      await write(ann, ' new', 1);
      await scene.integrator.waitForCallback(key, is(6));
      refusing = false;
      const stored = await ann.client.next('quireStored', ({ index }) => index === 2);
      expect(stored).not.toHaveProperty('refusedSince');
      const files = scene.integrator.callbacksOf(key).filter(is(6));
      expect(paragraphsOf(await fetchFile(files.at(-1)!.body.url))[0]).toBe('First old new');
      await eventually(
        () => scene.metric(oldest),
        (age) => age === 0,
      );
      expect(await scene.metric('quire_refused_documents')).toBe(0);
      expect(await scene.metric('quire_oldest_unsaved_change_seconds{promised="false"}')).toBe(0);
    } finally {
      await scene.close();
    }
  });

  it('[SD12] what is given up for a time is tried anew while people are inside', async () => {
    const scene = await open({ FORCE_SAVE_LEAST_MS: '400', CALLBACK_RETRY_FOR_MS: '0' });
    try {
      const key = scene.newKey();
      let refused = 0;
      scene.integrator.answer(key, ({ status }) => {
        if (status !== 6 || refused >= 3) return accepted;
        refused += 1;
        return { status: 500, body: '' };
      });
      const ann = await joinWord(scene, key, 'ann', undefined, { quireStoreWithinS: 0.4 });
      await write(ann, '!');
      await ann.client.next('quireStored', ({ index }) => index === 1);
      expect(refused).toBe(3);
    } finally {
      await scene.close();
    }
  });
});
