import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerMessageOf } from '../../client/protocol/index.ts';
import { endOf, texts, type } from '../../client/testing/word-typing.ts';
import { WordSession } from '../../client/word/word-session.ts';
import { encodeChange } from '../../model/cell/change.ts';
import { documentAt } from '../../model/word/checkpoint.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import type { RawClient, Sent } from '../support/raw-client.ts';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import {
  append,
  fetchFile,
  joinWord,
  openedDocument,
  paragraphsOf,
  wordEditor,
} from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';

/** Where there is a Redis, on two servers: people come to them in turn. */
let scene: Scene;
const sessions: WordSession[] = [];

beforeAll(async () => {
  scene = await Scene.open({
    nodes: hasRedis ? 2 : 1,
    environment: { CONVERTER_PROCESSES: '1', CHECKPOINT_EVERY: '5' },
  });
});
afterAll(async () => {
  for (const { client } of sessions) client.abort();
  await scene?.close();
});

const letIn = { type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null };

/** Somebody who comes to a document of the word model, and can begin with a checkpoint. */
async function knock(key: string, user: string, more: Sent = {}): Promise<RawClient> {
  const client = await scene.connect(key);
  const asked = { ...wordEditor(scene, key), quireCheckpoint: true, supportAuthChangesAck: false, ...more };
  client.send(scene.authMessage(key, user, asked));
  return client;
}

/** What a newcomer was told of the log before it was in, in that order. */
async function history(client: RawClient) {
  const auth = await client.next('auth');
  const before = client.received.slice(0, client.received.indexOf(auth));
  const checkpoint = before.find((message) => message.type === 'quireCheckpoint') as
    | ServerMessageOf<'quireCheckpoint'>
    | undefined;
  const parts = before.filter((message) => message.type === 'authChanges');
  if (checkpoint && parts[0]) expect(before.indexOf(checkpoint)).toBeLessThan(before.indexOf(parts[0]));
  const changes = parts.flatMap((part) => part.changes.map(({ change }) => JSON.parse(change) as string));
  return { auth, checkpoint, changes };
}

const checkpointOf = async (key: string) => {
  const { rows } = await scene.database.pool.query<{ index: number; hash: string }>(
    `SELECT end_index AS index, hash FROM checkpoints JOIN documents USING (key, log_version) WHERE key = $1`,
    [key],
  );
  return rows[0] ?? null;
};

/** Has a file made of the document as it is, which leaves a checkpoint. */
async function makeCheckpoint(key: string, index: number) {
  expect(await scene.command({ c: 'forcesave', key })).toMatchObject({ error: 0 });
  return (await eventually(
    () => checkpointOf(key),
    (made) => made?.index === index,
  ))!;
}

const textOf = async (url: string) => (await fetch(url)).text();

/** A document with four changes of Ann's, whose checkpoint holds the first three. */
async function begun() {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann');
  let { doc } = ann;
  const changes = ['a', 'b', 'c', 'd'].map((text, at) => {
    const made = append('ann', doc, at % 2, text);
    doc = made.doc;
    return made.change;
  });
  await save(ann.client, changes.slice(0, 3));
  await makeCheckpoint(key, 3);
  await save(ann.client, changes.slice(3), {}, 3);
  return { key, ann: ann.client, base: ann.doc, doc, changes };
}

describe('late joiners', () => {
  it('[CK15] who asks is given the newest checkpoint and the changes after it; who does not, the whole log', async () => {
    const { key, ann, base, doc, changes } = await begun();
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    ann.send(letIn);
    const given = await history(bob);
    expect(given.checkpoint).toMatchObject({ index: 3 });
    expect(given.changes).toEqual(changes.slice(3));
    expect(given.auth.quireSyncIndex).toBe(4);
    const { doc: before } = documentAt(base, JSON.parse(await textOf(given.checkpoint!.url)));
    expect(append('ann', before, 1, 'd').doc.eq(doc)).toBe(true);
    // Blocks have their ids from the base that everybody is given.
    await bob.next('documentOpen');
    expect((await openedDocument(bob)).eq(base)).toBe(true);

    const carol = await history(await knock(key, 'carol', { quireCheckpoint: undefined }));
    expect([carol.checkpoint, carol.changes]).toEqual([undefined, changes]);
    const dave = await history(await knock(key, 'dave', { mode: 'view', permissions: { edit: false } }));
    expect([dave.checkpoint?.index, dave.changes]).toEqual([3, changes.slice(3)]);
    const still = { mode: 'view', permissions: { edit: false }, coEditingMode: 'strict' };
    const erin = await history(await knock(key, 'erin', still));
    expect([erin.checkpoint, erin.changes]).toEqual([undefined, []]);

    await makeCheckpoint(key, 4);
    const fred = await knock(key, 'fred');
    const last = await history(fred);
    expect([last.checkpoint?.index, last.changes, last.auth.quireSyncIndex]).toEqual([4, [], 4]);
    // A session that goes on is given what it missed, however it began.
    await fred.leave();
    const made = append('ann', doc, 0, 'e');
    await save(ann, [made.change], {}, 4);
    const back = await scene.connect(key);
    const auth = scene.returningMessage({ client: fred, auth: last.auth }, { quireSyncIndex: 4 });
    back.send({ ...auth, quireCheckpoint: true });
    expect((await back.next('saveChanges')).changesIndex).toBe(5);
    expect((await history(back)).checkpoint).toBeUndefined();
  });

  it('[CK16] who waits at the gate is given the log as it is then, without a checkpoint of what was taken back', async () => {
    const { key, ann, base, changes } = await begun();
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    await bob.next('documentOpen');
    const other = append('ann', base, 0, 'z').change;
    await save(ann, [other], { deleteIndex: 2, unlock: true }, 4);
    const given = await history(bob);
    expect([given.checkpoint, given.changes]).toEqual([undefined, [...changes.slice(0, 2), other]]);
    // What it was given is final.
    await makeCheckpoint(key, 3);
    ann.send({ ...letIn, unlock: false, deleteIndex: 1 });
    expect(await ann.next('error')).toMatchObject({ code: 4010 });
  });

  it('[CK17] people who joined from a checkpoint write, undo pictures and all, as those with the whole log', async () => {
    const key = scene.newKey();
    const open = async (user: string, node: number, whole = false) => {
      const { openCmd } = wordEditor(scene, key);
      const session = new WordSession({
        url: scene.nodes[node % scene.nodes.length]!.address,
        key,
        auth: {
          user: { id: user, username: user },
          documentCallbackUrl: scene.integrator.callbackUrl(key),
          openCmd: openCmd as { url: string },
        },
        // Somebody who gives an id has the whole log.
        ...(whole && { clientId: `whole-${user}` }),
        reconnect: { initialDelayMs: 20, maxDelayMs: 100 },
      });
      sessions.push(session);
      const given = { checkpoints: [] as number[], changes: 0 };
      session.client.on('message', (message) => {
        if (message.type === 'quireCheckpoint') given.checkpoints.push(message.index);
        if (message.type === 'authChanges') given.changes += message.changes.length;
      });
      await session.open();
      return { session, given };
    };
    const { session: ann } = await open('ann', 0);
    type(ann, 0, 'abc');
    const { path } = await ann.uploadPicture(new Blob([new Uint8Array(PIXEL_PNG)], { type: 'image/png' }));
    const picture = wordSchema.nodes.image!.create({ src: path, width: 9_525, height: 9_525 });
    ann.dispatch(ann.state.tr.insert(endOf(ann, 0), picture));
    await ann.saved();
    await makeCheckpoint(key, 4);
    type(ann, 1, 'de');
    await ann.saved();

    const bob = await open('bob', 1);
    expect(bob.given).toEqual({ checkpoints: [4], changes: 2 });
    const cem = await open('cem', 0, true);
    expect(cem.given).toEqual({ checkpoints: [], changes: 6 });
    expect((await fetchFile(bob.session.mediaUrl(path))).length).toBe(PIXEL_PNG.length);
    type(bob.session, 0, '!');
    type(cem.session, 1, '?');
    type(ann, 0, '.');
    const all = [ann, bob.session, cem.session];
    await Promise.all(all.map((one) => one.saved()));
    await eventually(
      async () => all.map(({ version }) => version),
      (seen) => seen.every((one) => one === 9),
    );
    for (const one of all) expect(one.state.doc.toJSON()).toEqual(ann.state.doc.toJSON());

    // The file of the checkpoint is lost: nothing else is.
    await scene.database.pool.query('UPDATE checkpoints SET hash = $2 WHERE key = $1', [key, 'f'.repeat(64)]);
    const eve = await open('eve', 1);
    expect(eve.given).toEqual({ checkpoints: [4], changes: 9 + 5 });
    expect(eve.session.state.doc.toJSON()).toEqual(ann.state.doc.toJSON());
    type(eve.session, 1, '#');
    await eve.session.saved();
    expect(texts(eve.session)[1]).toMatch(/#$/);
    for (const one of [eve.session, ...all]) await one.close();
    const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    const [first, second] = paragraphsOf(await fetchFile(body.url));
    expect([first, second].map((text) => [...text!].sort().join(''))).toEqual(
      ['Firstabc!.', 'Secondde?#'].map((text) => [...text].sort().join('')),
    );
    expect(new Set((await changeAuthors(body.history)).sort())).toEqual(
      new Set(['ann', 'bob', 'cem', 'eve']),
    );
  });
});

describe('a document that is edited for long', () => {
  it('[OP16] gets one checkpoint after the other, and a newcomer begins at the last', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    let { doc } = ann;
    for (const end of [5, 10]) {
      const changes = [...'abcde'].map((text) => {
        const made = append('ann', doc, 0, text);
        doc = made.doc;
        return made.change;
      });
      await save(ann.client, changes, {}, end - 5);
      await eventually(
        () => checkpointOf(key),
        (made) => made?.index === end,
      );
    }
    const bob = await knock(key, 'bob');
    await bob.next('waitAuth');
    ann.client.send(letIn);
    const given = await history(bob);
    expect([given.checkpoint?.index, given.changes]).toEqual([10, []]);
  });

  it('[OP17] gets one after few changes that are much work', async () => {
    const key = scene.newKey();
    const url = scene.integrator.serve('names.xlsx', { bytes: buildXlsx([['Bob'], ['Ann']]) });
    const openCmd = { c: 'open', id: key, format: 'xlsx', url, title: 'names.xlsx', model: 'cell' };
    const { client } = await scene.join(key, 'ann', { editorType: 1, openCmd });
    const sort = { op: 'sort', sheet: 's1', axis: 'row', band: [0, 0], order: [1, 0] } as const;
    await save(client, [encodeChange('ann', sort, 1)]);
    await eventually(
      () => checkpointOf(key),
      (made) => made?.index === 1,
    );
  });
});

const changeAuthors = async (history: unknown) =>
  (history as { changes: { user: { id: string } }[] }).changes.map(({ user }) => user.id);
