import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerMessage, ServiceError } from '../../client/protocol/index.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { RawClient, type Sent } from '../support/raw-client.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({
    tokens: true,
    environment: {
      ...{ CONVERTER_PROCESSES: '1', CONVERTER_CONCURRENCY: '2', ALLOW_PRIVATE_IP_ADDRESS: 'true' },
    },
  });
});
afterAll(() => scene?.close());

/** Somebody whom the token of a document names asks to open it in the word model. */
async function ask(key: string, user: string, url: string): Promise<RawClient> {
  const client = scene.keep(await RawClient.open(scene.quire.address, key));
  const message = scene.authMessage(key, user, { supportAuthChangesAck: false });
  const jwtOpen = await scene.sign({
    document: { key, url, fileType: 'docx', title: 'document.docx', permissions: message.permissions },
    editorConfig: {
      ...{ mode: 'edit', callbackUrl: message.documentCallbackUrl },
      user: { id: user, name: `Name of ${user}` },
    },
  });
  await client.join({ token: jwtOpen });
  client.send({ ...message, jwtOpen, openCmd: { ...(message.openCmd as Sent), url, model: 'word' } });
  return client;
}

const answerOf = async (client: RawClient) => (await client.next('documentOpen')).data;

/** A document of which two people are in. */
async function pair() {
  const key = scene.newKey();
  const url = scene.integrator.serve('words.docx', { bytes: buildDocx({ paragraphs: ['Words'] }) });
  const ann = await ask(key, 'ann', url);
  await answerOf(ann);
  const bob = await ask(key, 'bob', url);
  await ann.next('connectState', (message) => message.waitAuth === true);
  ann.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
  await answerOf(bob);
  return { ann, bob };
}

it('[CH6] a flood of chat shows others no more than one person may write, and keeps nobody from saving', async () => {
  const { ann, bob } = await pair();
  for (let number = 0; number < 1_000; number += 1) bob.send({ type: 'message', message: 'x'.repeat(2_000) });
  await save(ann, []);
  await bob.next('warning', ({ code }) => code === ServiceError.quireChatFlood);
  await bob.settled();
  await ann.settled();
  const shown = ann.received.filter(({ type }) => type === 'message');
  expect(shown.length).toBeLessThan(1_000);
  ann.send({ type: 'message', message: 'heard' });
  await bob.next('message', ({ messages }) => messages?.[0]?.message === 'heard');
});

it('[LK18] who floods a document with requests for locks waits for it, and others get theirs', async () => {
  const { ann, bob } = await pair();
  const many = Array.from({ length: 9_000 }, (_, number) => `lock-${number}`);
  bob.send({ type: 'getLock', block: many });
  for (let number = 0; number < 2_000; number += 1) bob.send({ type: 'getLock', block: [`more-${number}`] });
  for (let number = 0; number < 20; number += 1) {
    ann.send({ type: 'getLock', block: [`own-${number}`] });
    await ann.next('getLock', ({ locks }) => Object.hasOwn(locks, `own-${number}`));
  }
  const isLast = (message: ServerMessage) =>
    message.type === 'getLock' && Object.hasOwn(message.locks, 'more-1999');
  expect(ann.received.filter(isLast)).toEqual([]);
});
