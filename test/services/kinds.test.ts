import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentAuth } from '../../client/options.ts';
import { encodeChange } from '../../model/cell/change.ts';
import { bundleLinesModule } from '../fixtures/lines-kind/bundle.ts';
import { readLines, writeLines } from '../fixtures/lines-kind/lines-file.ts';
import type { Line } from '../fixtures/lines-kind/lines-model.ts';
import { LinesSession } from '../fixtures/lines-kind/lines-session.ts';
import { eventually } from '../support/eventually.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { QuireProcess } from '../support/quire-process.ts';
import { save, saveMessage } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { append, fetchFile, joinWord, openedDocument, wordBase, wordEditor } from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';

let scene: Scene;
let directory: string;
let linesModule: { file: string; parts: string[] };
const sessions: LinesSession[] = [];

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-kinds-'));
  linesModule = await bundleLinesModule(directory);
  scene = await Scene.open({
    nodes: 1,
    environment: { CONVERTER_PROCESSES: '1', CHECKPOINT_EVERY: '5', KIND_MODULES: linesModule.file },
  });
});
afterAll(async () => {
  for (const { client } of sessions) client.abort();
  await scene?.close();
  await rm(directory, { recursive: true, force: true });
});

const garden = writeLines([
  { text: 'Apples', note: '' },
  { text: 'Pears', note: 'ripe' },
]);

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;
const textsOf = (lines: readonly Line[] | null) => lines?.map(({ text }) => text);
/** What a file holds: ids are of the session. */
const contentOf = (lines: readonly Line[] | null) => lines?.map(({ text, note }) => ({ text, note }));

/** Somebody opens a document of lines. */
async function open(
  key: string,
  user: string,
  { bytes = garden, ...auth }: Partial<DocumentAuth> & { bytes?: Uint8Array } = {},
  limits: readonly 'comment'[] | null = null,
): Promise<LinesSession> {
  const url = scene.integrator.serve(`${key}.lines`, { bytes });
  const session = new LinesSession(
    {
      url: scene.quire.address,
      key,
      auth: {
        user: { id: user, username: `Name of ${user}` },
        permissions: { edit: true },
        mode: 'edit',
        coEditingMode: 'fast',
        documentCallbackUrl: scene.integrator.callbackUrl(key),
        openCmd: { format: 'lines', url, title: `${key}.lines` },
        ...auth,
      },
    },
    limits,
  );
  sessions.push(session);
  await session.client.open();
  return session;
}

const insert = (id: string, after: string | null, text: string) =>
  ({ op: 'insert', id, after, text }) as const;
const set = (id: string, text: string) => ({ op: 'set', id, text }) as const;
const note = (id: string, text: string) => ({ op: 'note', id, text }) as const;

/** Waits until all have the same lines. */
const alike = (...all: readonly LinesSession[]) =>
  eventually(
    async () => all.map(({ lines }) => JSON.stringify(lines)),
    (texts) => new Set(texts).size === 1,
  );

const checkpointOf = async (key: string): Promise<number | null> => {
  const { rows } = await scene.database.pool.query<{ index: number }>(
    'SELECT end_index AS index FROM checkpoints WHERE key = $1',
    [key],
  );
  return rows[0]?.index ?? null;
};

describe('a kind that the program does not know', () => {
  it('[KD1] comes as a module that holds nothing of the server', () => {
    expect(linesModule.parts).toEqual([
      'lines-file.ts',
      'lines-kind.ts',
      'lines-model.ts',
      'lines-module.ts',
    ]);
  });

  it('[KD2] is opened, edited together, saved on the way and delivered, with what each author may do', async () => {
    const key = scene.newKey();
    const ann = await open(key, 'ann');
    expect(ann.lines).toEqual([
      { id: 'l0', text: 'Apples', note: '' },
      { id: 'l1', text: 'Pears', note: 'ripe' },
    ]);
    await ann.save(insert('a1', 'l1', 'Plums'));
    const bob = await open(key, 'bob');
    await bob.save(set('l0', 'Red apples'), insert('b1', null, 'Fruit'));
    await ann.save(set('l0', 'Green apples'));
    await alike(ann, bob);
    expect(textsOf(bob.lines)).toEqual(['Fruit', 'Green apples', 'Pears', 'Plums']);

    const mayComment = { permissions: { edit: false, comment: true } };
    const carol = await open(key, 'carol', mayComment, ['comment']);
    await carol.save(set('l1', 'Stolen pears'), note('a1', 'sour'));
    await alike(ann, bob, carol);
    expect(ann.lines[2]).toEqual({ id: 'l1', text: 'Pears', note: 'ripe' });
    expect(ann.lines[3]).toEqual({ id: 'a1', text: 'Plums', note: 'sour' });
    const skipped = { skipped: 1, firstSkipped: { index: 4, reason: 'not-allowed' } };
    expect([ann.skipped, bob.skipped, carol.skipped]).toEqual([skipped, skipped, skipped]);
    const viewer = await scene.join(key, 'viewer', {
      ...{ mode: 'view', permissions: { edit: false } },
      openCmd: { c: 'open', id: key, format: 'lines', model: 'lines' },
    });
    viewer.client.send(saveMessage([JSON.stringify(set('l1', 'Seen pears'))]));
    expect(await viewer.client.next('disconnectReason')).toMatchObject({ code: 4004 });

    expect(await scene.command({ c: 'forcesave', key })).toMatchObject({ error: 0 });
    const forced = await scene.integrator.waitForCallback(key, is(6));
    expect(forced.body).toMatchObject({ filetype: 'lines' });
    expect(contentOf(readLines(await fetchFile(forced.body.url)))).toEqual(contentOf(ann.lines));

    await eventually(
      () => checkpointOf(key),
      (index) => index === 6,
    );
    await bob.save(set('b1', 'All fruit'));
    const dave = await open(key, 'dave');
    expect([dave.startedAt, dave.skipped]).toEqual([6, skipped]);
    await alike(ann, bob, carol, dave);
    await dave.save(set('a1', 'Blue plums'));
    await alike(ann, bob, carol, dave);

    const lines = contentOf(ann.lines);
    for (const { client } of [ann, bob, carol, dave]) await client.close();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(body).toMatchObject({ key, status: 2, filetype: 'lines' });
    const file = await fetchFile(body.url);
    expect(contentOf(readLines(file))).toEqual(lines);
    expect(textsOf(readLines(file))).toEqual(['All fruit', 'Green apples', 'Pears', 'Blue plums']);

    const again = await open(scene.newKey(), 'ann', { bytes: file });
    expect(contentOf(again.lines)).toEqual(lines);
  });

  it('[KD2] says what is wrong with a file that its engine refuses', async () => {
    const bytes = Buffer.from('something else');
    await expect(open(scene.newKey(), 'ann', { bytes })).rejects.toMatchObject({ status: 'err', data: -86 });
  });

  it('[KD3] stays as it is on a server without it, which says so, and goes on where it is known again', async () => {
    const key = scene.newKey();
    const ann = await open(key, 'ann');
    await ann.save(set('l0', 'Quinces'));
    ann.client.abort();
    await scene.quire.stop();
    await scene.quire.restart({ KIND_MODULES: '' });
    try {
      const bob = await scene.connect(key);
      bob.send(scene.authMessage(key, 'bob'));
      const refused = await bob.next('disconnectReason');
      expect(refused).toMatchObject({ code: 4004, description: expect.stringMatching(/"lines".* word/) });
      // Its last editor is gone for good, as far as that server knows.
      const { body } = await scene.integrator.waitForCallback(key, is(3));
      expect(body).toMatchObject({ key, status: 3 });
    } finally {
      await scene.quire.stop();
      await scene.quire.restart({ KIND_MODULES: linesModule.file });
      await scene.quire.converterReady();
    }
    const carol = await open(key, 'carol');
    expect(textsOf(carol.lines)).toEqual(['Quinces', 'Pears']);
    await carol.client.close();
    const { body } = await scene.integrator.waitForCallback(key, is(2));
    expect(textsOf(readLines(await fetchFile(body.url)))).toEqual(['Quinces', 'Pears']);
  });

  it('[KD9] nobody comes back to a document in a model that the server does not know', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    ann.client.cut();
    await scene.database.pool.query(`UPDATE documents SET model = 'later' WHERE key = $1`, [key]);
    const stateOf = async (): Promise<string> => {
      const { rows } = await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key]);
      return rows[0]!.state;
    };
    await eventually(stateOf, (state) => state === 'forgotten');
    for (const changes of [{}, { mode: 'view', permissions: { edit: false } }]) {
      const client = await scene.connect(key);
      client.send(scene.returningMessage(ann, changes));
      expect(await client.next('disconnectReason')).toMatchObject({
        code: 4004,
        description: 'There is no model "later" on this server, only word, cell, lines.',
      });
    }
    // An editor who comes back has forgotten work taken up again; one who was refused has not.
    expect(await stateOf()).toBe('forgotten');
  });

  it('[KD4] a module that has no kind to give, or one that is there already, keeps a server from starting', async () => {
    const wrong = async (source: string) => {
      const file = path.join(directory, `wrong-${Math.random().toString(36).slice(2)}.mjs`);
      await writeFile(file, source);
      const environment = { DATABASE_URL: scene.database.url, CONVERTER_PROCESSES: '0', KIND_MODULES: file };
      return expect(QuireProcess.start({ ...environment, JWT_ENABLED: 'false' })).rejects;
    };
    await (await wrong('export default 7;')).toThrow(/KIND_MODULES: .*wrong-.*no kind with a model/);
    const word = `{ name: 'texts', editorType: 0, model: { name: 'word', version: 1 }, nativeTypes: ['t'], templates: [], otherTypes: [] }`;
    const taken = await wrong(`export default { kind: ${word}, engine: () => ({}) };`);
    await taken.toThrow(/there is a model .*word.* already/);
  });
});

describe('editors of different kinds', () => {
  it('[KD5] who names a model that is not there is refused, and told which there are', async () => {
    const key = scene.newKey();
    const { openCmd, ...asked } = wordEditor(scene, key);
    const client = await scene.connect(key);
    client.send(
      scene.authMessage(key, 'ann', { ...asked, openCmd: { ...(openCmd as object), model: 'slide' } }),
    );
    const { code, description } = await client.next('disconnectReason');
    expect([code, description]).toEqual([
      4004,
      'There is no model "slide" on this server, only word, cell, lines, pages.',
    ]);
    const { rows } = await scene.database.pool.query('SELECT FROM documents WHERE key = $1', [key]);
    expect(rows).toEqual([]);
    const { client: bob } = await scene.join(key, 'bob');
    bob.send({ type: 'openDocument', message: { c: 'reopen', id: key, model: 'slide' } });
    expect(await bob.next('documentOpen')).toMatchObject({
      data: { type: 'reopen', status: 'err', data: -88 },
    });
  });

  it('[KD6] [KD12] never get into one log: neither of two models, nor of a model and a form', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await save(ann.client, [append('ann', ann.doc, 0, '!').change]);
    for (const model of ['lines', undefined]) {
      const { openCmd } = wordEditor(scene, key);
      const client = await scene.connect(key);
      client.send(scene.authMessage(key, 'bob', { openCmd: { ...(openCmd as object), model } }));
      expect(await client.next('disconnectReason')).toMatchObject({
        code: 4004,
        quireOtherEditor: true,
        description: expect.stringContaining('another kind of editor (word)'),
      });
    }
  });

  it('[KD6] [KD12] never get into one log: nor do editors of others, whose kind their editor type tells', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    await save(ann.client, ['1;a']);
    const client = await scene.connect(key);
    client.send(scene.authMessage(key, 'bob', { editorType: 1 }));
    expect(await client.next('disconnectReason')).toMatchObject({
      code: 4004,
      quireOtherEditor: true,
      description: expect.stringContaining('type docx'),
    });
  });

  it.each([
    ['an editor of others holds, asked for by ours', undefined, 'cell'],
    ['our editor holds, asked for by one of others', 'cell', undefined],
  ])('[KD6] [KD12] never get into one log: a workbook that %s', async (_who, held, asked) => {
    const key = scene.newKey();
    const url = scene.integrator.serve('held.xlsx', { bytes: buildXlsx([['a', 1]]) });
    const opening = (model: string | undefined) => ({
      editorType: 1,
      openCmd: { c: 'open', id: key, format: 'xlsx', url, title: 'held.xlsx', model },
    });
    const ann = await scene.join(key, 'ann', opening(held));
    const client = await scene.connect(key);
    client.send(scene.authMessage(key, 'bob', opening(asked)));
    expect(await client.next('disconnectReason')).toMatchObject({
      code: 4004,
      quireOtherEditor: true,
      description: expect.stringContaining('another kind of editor'),
    });
    const change = encodeChange('ann', { op: 'set', sheet: 's1', cells: [[0, 0, { v: 'of ann' }]] }, 0);
    await save(ann.client, [held === undefined ? '1;a' : change]);
  });

  it('[KD11] are not told apart by type 0, which load tests say of any file, while nobody of another type edits', async () => {
    const key = scene.newKey();
    const url = scene.integrator.serve('table.xlsx', { bytes: buildXlsx([['a', 1]]) });
    const { openCmd } = scene.authMessage(key, 'ann');
    const asked = { openCmd: { ...(openCmd as object), format: 'xlsx', url }, editorType: 0 };
    const ann = await scene.join(key, 'ann', asked);
    await save(ann.client, ['1;a']);
    const bob = await scene.joinBeside(ann.client, key, 'bob', asked);
    for (const { client } of [ann, bob]) await client.leave();
    const other = scene.newKey();
    await scene.join(other, 'ann', { ...asked, editorType: 1 });
    const client = await scene.connect(other);
    client.send(scene.authMessage(other, 'bob', asked));
    expect(await client.next('disconnectReason')).toMatchObject({
      code: 4004,
      description: expect.stringContaining('type xlsx'),
    });
  });

  it('[KD10] are known before the source is opened: one that is not for the file opens nothing', async () => {
    const key = scene.newKey();
    const client = await scene.connect(key);
    client.send(scene.authMessage(key, 'ann', { editorType: 1 }));
    expect(await client.next('disconnectReason')).toMatchObject({
      code: 4004,
      quireOtherEditor: true,
      description: expect.stringContaining('type docx'),
    });
    const { rows } = await scene.database.pool.query('SELECT model FROM documents WHERE key = $1', [key]);
    expect(rows).toEqual([{ model: null }]);
    const bob = await scene.join(key, 'bob');
    await save(bob.client, ['1;b']);
  });

  it('[KD10] are known before the source is opened: those who waited open it for themselves', async () => {
    const key = scene.newKey();
    let send = () => {};
    const until = new Promise<void>((resolve) => {
      send = resolve;
    });
    const { openCmd } = scene.authMessage(key, 'ann');
    const url = scene.integrator.serve('waited-for.docx', { bytes: wordBase, until });
    const asked = { openCmd: { ...(openCmd as object), url }, supportAuthChangesAck: false };
    const ann = await scene.connect(key);
    ann.send(scene.authMessage(key, 'ann', { ...asked, editorType: 1 }));
    await ann.next('auth');
    const bob = await scene.connect(key);
    bob.send(scene.authMessage(key, 'bob', asked));
    await ann.next('connectState', ({ waitAuth }) => waitAuth === true);
    ann.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    await bob.next('auth');
    send();
    expect(await ann.next('disconnectReason')).toMatchObject({ code: 4004 });
    expect(await bob.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
  });

  it.each([
    ['comment', { edit: false, comment: true }],
    ['fill in', { edit: false, fillForms: true }],
    ['review', { edit: false, review: true, comment: true }],
  ])(
    '[AT21] who may only %s, and comes first in an editor of others, looks and leaves the document to those who edit',
    async (_right, permissions) => {
      const key = scene.newKey();
      for (const openCmd of [scene.authMessage(key, 'eve').openCmd, undefined]) {
        const eve = await scene.connect(key);
        eve.send(scene.authMessage(key, 'eve', { permissions, openCmd, supportAuthChangesAck: false }));
        expect((await eve.next('auth')).participants![0]).toMatchObject({ view: true });
        expect(await eve.next('warning')).toMatchObject({ code: -200 });
        eve.send({ type: 'isSaveLock', syncChangesIndex: 0 });
        expect(await eve.next('disconnectReason')).toMatchObject({ code: 4004 });
      }
      const ann = await scene.join(key, 'ann', wordEditor(scene, key));
      expect(ann.auth.participants![0]).toMatchObject({ view: false });
      const bob = await scene.joinBeside(ann.client, key, 'bob', { ...wordEditor(scene, key), permissions });
      expect(bob.auth.quireAuthor).toMatchObject({ may: expect.any(Array) });
      await save(bob.client, [JSON.stringify({ c: 'bob', s: {} })]);
    },
  );

  it('[AT21] who comes to edit while somebody opens it who only looks, in an editor of others, has it as theirs', async () => {
    const key = scene.newKey();
    let give = () => {};
    const until = new Promise<void>((resolve) => {
      give = resolve;
    });
    const url = scene.integrator.serve('held.docx', { bytes: wordBase, until });
    const openCmd = { c: 'open', id: key, format: 'docx', url, title: 'held.docx' };
    const eve = await scene.connect(key);
    const permissions = { edit: false, comment: true };
    eve.send(scene.authMessage(key, 'eve', { permissions, openCmd, supportAuthChangesAck: false }));
    expect(await eve.next('warning')).toMatchObject({ code: -200 });
    await eventually(
      () => scene.integrator.downloadsOf('held.docx'),
      (count) => count === 1,
    );
    const ann = await scene.connect(key);
    const asked = { openCmd: { ...openCmd, model: 'word' }, supportAuthChangesAck: false };
    ann.send(scene.authMessage(key, 'ann', asked));
    await ann.next('auth');
    give();
    expect(await ann.next('documentOpen')).toMatchObject({ data: { status: 'ok' } });
    const { change } = append('ann', await openedDocument(ann), 0, '!');
    await save(ann, [change]);
  });

  it('[KD6] [KD12] never get into one log: nor by saying what they are only when it is open', async () => {
    const key = scene.newKey();
    const asked = wordEditor(scene, key, 'settled.docx');
    const ann = await scene.connect(key);
    ann.send(scene.authMessage(key, 'ann', { ...asked, supportAuthChangesAck: false }));
    await ann.next('documentOpen');
    const bob = await scene.connect(key);
    bob.send(scene.authMessage(key, 'bob', { openCmd: undefined, supportAuthChangesAck: false }));
    await ann.next('connectState', ({ waitAuth }) => waitAuth === true);
    ann.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    await bob.next('auth');
    // An address of one of its files asks for nothing that could not go together.
    bob.send({ type: 'openDocument', message: { c: 'pathurl', data: 'Editor.bin' } });
    expect(await bob.next('documentOpen')).toMatchObject({ data: { type: 'pathurl' } });
    bob.send({ type: 'openDocument', message: { ...(asked.openCmd as object), model: undefined } });
    expect(await bob.next('disconnectReason')).toMatchObject({
      code: 4004,
      quireOtherEditor: true,
      description: expect.stringContaining('another kind of editor (word)'),
    });
    expect(bob.unreadOf('documentOpen')).toEqual([]);
  });

  it('[KD6] [KD12] never get into one log: nor when they came while the source was on its way', async () => {
    const key = scene.newKey();
    let send = () => {};
    const until = new Promise<void>((resolve) => {
      send = resolve;
    });
    const asked = wordEditor(scene, key, 'slow.docx');
    const served = scene.integrator.serve('slower.docx', { bytes: wordBase, until });
    const openCmd = { ...(asked.openCmd as object), url: served };
    const ann = await scene.connect(key);
    ann.send(scene.authMessage(key, 'ann', { openCmd, supportAuthChangesAck: false }));
    await ann.next('auth');
    const bob = await scene.connect(key);
    bob.send(
      scene.authMessage(key, 'bob', {
        openCmd: { ...openCmd, model: undefined },
        supportAuthChangesAck: false,
      }),
    );
    await ann.next('connectState', ({ waitAuth }) => waitAuth === true);
    ann.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    await bob.next('auth');
    send();
    await ann.next('documentOpen');
    expect(await bob.next('disconnectReason')).toMatchObject({
      code: 4004,
      quireOtherEditor: true,
      description: expect.stringContaining('another kind of editor (word)'),
    });
  });
});
