import http from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { save, saveMessage } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

/**
 * What people with lawful tokens of few rights, and nobodies, have tried against a whole server, and what must come of it. Each was
 * a breach once. Others are tried elsewhere:
 *
 * | attack                                             | rule             | tried in                                        |
 * | -------------------------------------------------- | ---------------- | ----------------------------------------------- |
 * | a newcomer cuts the log                            | SV33             | here                                            |
 * | a dropped person reads on                          | AT17, AT19       | `session-tokens.test.ts`                        |
 * | chat without the right to it                       | CH2, AT16        | `talking.test.ts`, `session-tokens.test.ts`     |
 * | the save lock is held                              | SQ7              | here                                            |
 * | tens of thousands of pictures                      | UP9              | `pictures.test.ts`                              |
 * | a connection is taken over by its id               | GW27, GW28, GW29 | `session-secrets.test.ts`                       |
 * | bodies that do not end                             | RA30             | here                                            |
 * | small bodies that are large when unpacked          | RA28             | here                                            |
 * | a document is opened in a model of others          | AT21             | `kinds.test.ts`                                 |
 * | the log is filled                                  | SV37             | here                                            |
 * | a save that others cannot be sent, or very many    | SV34, SV35       | here                                            |
 * | large saves, again and again                       | SV39, CG12       | here                                            |
 * | the same on ever new connections and documents     | GW34             | here                                            |
 * | newcomers are kept at the door                     | WA13             | here                                            |
 * | floods of cursors, chat, locks                     | CU2, CH6, LK18   | here, `attacks-second.trial.ts`                 |
 * | a document without its password                    | XT22, DN10       | `protected-documents.test.ts`                   |
 * | long openings of one person                        | JP17, JP18       | `tenant-places.test.ts`                         |
 */
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({
    tokens: true,
    environment: {
      ...{ CONVERTER_PROCESSES: '1', ALLOW_PRIVATE_IP_ADDRESS: 'true' },
      ...{ MAX_CHANGES_BYTES: '40000000', SAVE_LOCK_LEASE_MS: '6000' },
    },
  });
});
afterAll(() => scene?.close());

const commenter = { edit: false, review: false, comment: true };

/** Asks for a document in our editor, with a token that grants this and no more. */
async function ask(key: string, user: string, permissions: Sent = { edit: true }, mode = 'edit') {
  const client = scene.keep(await RawClient.open(scene.quire.address, key));
  const message = scene.authMessage(key, user, { supportAuthChangesAck: false, mode, permissions });
  const url = `${scene.integrator.address}/files/document.docx`;
  const callbackUrl = message.documentCallbackUrl;
  const jwtOpen = await scene.sign({
    document: { key, url, fileType: 'docx', title: 'document.docx', permissions },
    editorConfig: { mode, callbackUrl, user: { id: user, name: `Name of ${user}` } },
  });
  await client.join({ token: jwtOpen });
  client.send({ ...message, jwtOpen, openCmd: { ...(message.openCmd as Sent), url, model: 'word' } });
  return client;
}

/** Lets those in who wait for a first editor. */
const finishHistory = { type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null };

/** Somebody who is in, beside a first editor where there is one. */
async function enter(key: string, user: string, permissions?: Sent, first?: RawClient, mode?: string) {
  const client = await ask(key, user, permissions, mode);
  if (first) {
    await first.next('connectState', ({ waitAuth }) => waitAuth === true);
    first.send(finishHistory);
  }
  await client.next('auth');
  await client.next('documentOpen');
  return client;
}

async function opened() {
  const key = scene.newKey();
  scene.integrator.serve('document.docx', { bytes: buildDocx({ paragraphs: ['Words'] }) });
  const ann = await enter(key, 'ann');
  return { key, ann };
}

let serial = 0;
/** A change of our model, with so many characters more than it needs. */
const change = (characters = 0, sign = 'j') => {
  serial += 1;
  return JSON.stringify({ c: 'x', n: serial, s: { stepType: 'none', junk: sign.repeat(characters) } });
};

it('[SV33] a newcomer who may only comment, and cuts the log while waiting at the door, cuts nothing', async () => {
  const { key, ann } = await opened();
  const saved = [change(), change(), change()];
  for (const [index, one] of saved.entries()) await save(ann, [one], {}, index);
  const eve = await ask(key, 'eve', commenter);
  eve.send({ type: 'unLockDocument', deleteIndex: 0, isSave: false, unlock: false, releaseLocks: false });
  await ann.next('connectState', ({ waitAuth }) => waitAuth === true);
  ann.send(finishHistory);
  await eve.next('auth');
  eve.send({ type: 'unLockDocument', deleteIndex: 0, isSave: false, unlock: false, releaseLocks: false });
  eve.send(saveMessage([change()], { deleteIndex: 0 }));
  await save(ann, [change()], {}, saved.length);
  expect((await scene.storedChanges(key)).slice(0, saved.length)).toEqual(saved);
});

it('[SQ7] people who may only comment and ask for the save lock without an end keep nobody from saving', async () => {
  const { key, ann } = await opened();
  const greedy = [];
  for (const user of ['eve', 'eve', 'mallory'])
    greedy.push(await enter(key, user, commenter, greedy.length ? undefined : ann));
  let isOver = false;
  const asking = greedy.map(async (client) => {
    while (!isOver) {
      client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
      await client.next('saveLock').catch(() => undefined);
    }
  });
  const own = [change(), change(), change()];
  try {
    for (const [index, one] of own.entries()) {
      await eventually(
        async () => {
          ann.send({ type: 'isSaveLock', syncChangesIndex: index });
          return (await ann.next('saveLock')).saveLock;
        },
        (isRefused) => !isRefused,
      );
      ann.send(saveMessage([one]));
      await ann.next('unSaveLock');
    }
  } finally {
    isOver = true;
    for (const client of greedy) client.cut();
  }
  await Promise.all(asking);
  expect(await scene.storedChanges(key)).toEqual(own);
});

/** Posts to the server. Resolves with the status of the answer; `broken`: the connection ended without one. */
const post = (path: string, body: Buffer, headers: Readonly<Record<string, string>>, end = true) =>
  new Promise<number | 'broken'>((resolve) => {
    const request = http.request(scene.quire.address + path, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    request.on('error', () => resolve('broken'));
    if (end) request.end(body);
    else request.write(body);
  });

it('[RA28] small bodies that are large when they are unpacked, or have very many values, are refused unread', async () => {
  const { key, ann } = await opened();
  const many = Buffer.from(`[${'{},'.repeat(300_000)}0]`);
  const json = { 'content-type': 'application/json' };
  for (const path of ['/command', `/downloadfile/${key}`]) {
    const packed = { ...json, 'content-encoding': 'br' };
    expect([path, await post(path, brotliCompressSync(many), packed)]).toEqual([path, 415]);
    expect([path, await post(path, many, json)]).toEqual([path, 400]);
  }
  await save(ann, [change()]);
});

it('[RA30] bodies of nobody that never end share a bounded memory, and commands are answered beside them', async () => {
  const { ann } = await opened();
  const piece = Buffer.alloc(1_000_000, ' ');
  const headers = { 'content-type': 'application/json', 'content-length': '1048576' };
  const endings = Array.from({ length: 100 }, () => post('/command', piece, headers, false));
  // 100 MB do not fit: some were given up for the others.
  expect(await Promise.race(endings)).toSatisfy((status) => status === 503 || status === 'broken');
  const token = await scene.sign({ c: 'version' });
  expect(
    await post('/command', Buffer.from(JSON.stringify({ token })), { 'content-type': 'application/json' }),
  ).toBe(200);
  await save(ann, [change()]);
});

it('[SV37] who may only comment cannot fill the log: editors save on', async () => {
  const { key, ann } = await opened();
  const eve = await enter(key, 'eve', commenter, ann);
  let isRefused = false;
  for (let index = 0; !isRefused; index += 1) {
    expect(index).toBeLessThan(20);
    eve.send({ type: 'isSaveLock', syncChangesIndex: index });
    await eve.next('saveLock');
    eve.send(saveMessage([change(500_000)]));
    const heard = eve.received.length;
    const answer = await eventually(
      () => eve.received.slice(heard).find(({ type }) => type === 'unSaveLock' || type === 'error'),
      (message) => message !== undefined,
    );
    isRefused = answer!.type === 'error';
  }
  const own = change();
  ann.send({ type: 'isSaveLock', syncChangesIndex: 0 });
  await ann.next('saveLock');
  ann.send(saveMessage([own]));
  await ann.next('unSaveLock');
  expect((await scene.storedChanges(key)).at(-1)).toBe(own);
});

it('[SV34] a save as large as a message may be, and one of very many changes, throw nobody out, and newcomers come in', async () => {
  const { key, ann } = await opened();
  const bob = await enter(key, 'bob', undefined, ann);
  const carol = await enter(key, 'carol', undefined, undefined, 'view');
  await save(bob, [change(5_000_000)]);
  await save(
    bob,
    Array.from({ length: 20_000 }, () => change()),
    {},
    1,
  );
  ann.send(saveMessage([change(1_700_000, '"')]));
  await ann.next('error', ({ code }) => code === 4010);
  const dave = await enter(key, 'dave', undefined, undefined, 'view');
  for (const client of [bob, carol, dave]) await client.settled();
  expect(await scene.storedChanges(key)).toHaveLength(20_001);
});

it('[SV39] large saves of one person, again and again, lose nothing, and somebody in another document saves on', async () => {
  const [mine, other] = [await opened(), await opened()];
  const large = Array.from({ length: 3 }, () => change(9_000_000));
  const saving = (async () => {
    for (const [index, one] of large.entries()) await save(mine.ann, [one], {}, index);
  })();
  const small = Array.from({ length: 20 }, () => change());
  for (const [index, one] of small.entries()) await save(other.ann, [one], {}, index);
  await saving;
  expect(await scene.storedChanges(mine.key)).toEqual(large);
  expect(await scene.storedChanges(other.key)).toEqual(small);
});

it('[GW34] large saves of one person on many connections and documents wait for each other, also in parts; all are stored', async () => {
  const slowed = () => scene.metric('quire_peers_slowed_total{transport="engine_io"}');
  const { key, ann } = await opened();
  const savers: { key: string; client: RawClient; parts: string[] }[] = [];
  for (let number = 0; number < 6; number += 1) {
    const own = scene.newKey();
    const client = await enter(own, 'mallory');
    savers.push({ key: own, client, parts: [change(9_000_000)] });
  }
  savers.at(-1)!.parts.push(change(100_000));
  const before = await slowed();
  for (const { client, parts } of savers) {
    for (const [index, part] of parts.entries())
      client.send(
        saveMessage([part], { startSaveChanges: index === 0, endSaveChanges: index === parts.length - 1 }),
      );
  }
  const tab = await enter(key, 'mallory', undefined, ann);
  const small = [change(), change()];
  await save(ann, small.slice(0, 1));
  await save(tab, small.slice(1), {}, 1);
  await Promise.all(savers.map(({ client }) => client.next('unSaveLock')));
  for (const { key: own, parts } of savers) expect(await scene.storedChanges(own)).toEqual(parts);
  expect(await scene.storedChanges(key)).toEqual(small);
  expect(await slowed()).toBeGreaterThan(before);
});

it('[WA13] a first editor who may only comment, and saves without an end, does not keep an editor at the door', async () => {
  const key = scene.newKey();
  scene.integrator.serve('document.docx', { bytes: buildDocx({ paragraphs: ['Words'] }) });
  const eve = await enter(key, 'eve', commenter);
  let isOver = false;
  const saving = (async () => {
    for (let index = 0; !isOver; index += 1) await save(eve, [change()], { releaseLocks: false }, index);
  })().catch(() => undefined);
  const ann = await ask(key, 'ann');
  await ann.next('auth');
  isOver = true;
  await saving;
  await ann.next('documentOpen');
  ann.send({ type: 'isSaveLock', syncChangesIndex: (await scene.storedChanges(key)).length });
  await ann.next('saveLock', ({ saveLock }) => !saveLock);
  const own = change();
  ann.send(saveMessage([own]));
  await ann.next('unSaveLock');
  expect((await scene.storedChanges(key)).at(-1)).toBe(own);
});

it('[CU2] large cursors of a reader do not end the connection of an editor who reads slowly', async () => {
  const { key, ann } = await opened();
  const readers = [];
  for (const user of ['eve', 'mallory'])
    readers.push(await enter(key, user, { edit: false }, undefined, 'view'));
  ann.stopReading();
  const sent = 400;
  for (let number = 0; number < sent; number += 1)
    for (const reader of readers) reader.send({ type: 'cursor', cursor: `${number};${'j'.repeat(60_000)}` });
  for (const reader of readers) await reader.settled();
  ann.readAgain();
  await save(ann, [change()]);
  expect(ann.received.filter(({ type }) => type === 'cursor').length).toBeLessThan(2 * sent);
});
