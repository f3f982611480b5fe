import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { AdminClient } from '../support/admin-client.ts';
import { eventually } from '../support/eventually.ts';
import { PollingClient } from '../support/polling-client.ts';
import { save, saveMessage } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open({ environment: { LOG_LEVEL: 'trace' } });
});
afterAll(() => scene?.close());

const unknownSession = { code: 1, message: 'Session ID unknown' };
const addressOf = (key: string, transport: string, sid: string, more = '') =>
  `${scene.quire.address}/doc/${key}/c/?EIO=4&transport=${transport}&sid=${sid}${more}`;

/** Tries every way to go on with a session of Engine.IO. Each is refused as if there were no such session. */
async function cannotGoOn(key: string, sid: string, more = ''): Promise<void> {
  const polling = addressOf(key, 'polling', sid, more);
  const evil = `42["message",${JSON.stringify({ type: 'message', message: 'in the name of ann' })}]`;
  for (const request of [{ method: 'POST', body: evil }, { method: 'POST', body: '1' }, { method: 'GET' }]) {
    const response = await fetch(polling, request);
    expect([request.method, response.status, await response.json()]).toEqual([
      request.method,
      400,
      unknownSession,
    ]);
  }
  const thief = new WebSocket(addressOf(key, 'websocket', sid, more).replace(/^http/, 'ws'));
  const [refusal] = await once(thief, 'error');
  expect(String(refusal)).toContain('400');
}

/** Ann edits a document over long polling, and Eve may look at it. */
async function annPolls(query = '') {
  const key = scene.newKey();
  const ann = await PollingClient.open(scene.quire.address, key, { query });
  await ann.next('license');
  await ann.send(scene.authMessage(key, 'ann', { supportAuthChangesAck: false }));
  const { participants } = await ann.next('auth');
  await ann.next('documentOpen');
  const canSave = async () => {
    await ann.send({ type: 'isSaveLock', syncChangesIndex: 0 }, saveMessage(['1;a']));
    await ann.next('unSaveLock');
    expect(await scene.storedChanges(key)).toEqual(['1;a']);
    await ann.leave();
  };
  return { key, ann, connectionId: participants![0]!.connectionId, canSave };
}

it('[GW27] by the id that everybody is told of a connection nobody goes on with it, over no transport', async () => {
  const key = scene.newKey();
  const ann = await scene.join(key, 'ann');
  const eve = await scene.join(key, 'eve', { mode: 'view', permissions: { edit: false } });
  const told = eve.auth.participants!.find(({ idOriginal }) => idOriginal === 'ann')!;
  expect(told.connectionId).toBe(ann.client.connectionId);
  await cannotGoOn(key, told.connectionId);
  await save(ann.client, ['1;a']);
  const polling = await annPolls();
  await cannotGoOn(polling.key, polling.connectionId);
  await polling.canSave();
});

it('[GW28] a session goes on by the address that began it alone, and nothing replaces a WebSocket', async () => {
  const proof = '&quireProof=only-ann-knows-this';
  const { key, ann, canSave } = await annPolls(proof);
  const { engineSessionId } = ann;
  await cannotGoOn(key, engineSessionId);
  await cannotGoOn(key, engineSessionId, '&quireProof=eve-guesses');
  await cannotGoOn('another-key', engineSessionId, proof);
  await canSave();
  const { client } = await scene.join(scene.newKey(), 'ann');
  await cannotGoOn(client.key, client.engineSessionId);
  await save(client, ['1;a']);
});

it('[GW29] nothing that others are sent or shown, and no line of the log, holds a secret of a session', async () => {
  const key = scene.newKey();
  const ann = await scene.join(key, 'ann');
  const eve = await scene.join(key, 'eve', { mode: 'view', permissions: { edit: false } });
  const { client: bob } = await scene.joinBeside(ann.client, key, 'bob');
  await save(ann.client, ['1;a']);
  ann.client.send({ type: 'message', message: 'hello' });
  ann.client.send({ type: 'cursor', cursor: 'here' });
  ann.client.send({ type: 'getLock', block: ['p1'] });
  await bob.next('saveChanges');
  await eve.client.next('message');
  const admin = await AdminClient.of(scene.quire);
  const shown = [
    await admin.get<object>(`documents/${key}`),
    await admin.get<object>(`documents?search=${key}`),
    await admin.get<object>('nodes'),
  ];
  const { sessionId, jwt } = ann.auth;
  const secrets = { engine: ann.client.engineSessionId, session: String(sessionId), token: String(jwt) };
  for (const client of [ann.client, bob]) await client.leave();
  await eventually(
    async () => scene.integrator.callbacksOf(key),
    (callbacks) => callbacks.length > 0,
  );
  const places = {
    reader: eve.client.frames.join('\n'),
    editor: bob.frames.join('\n'),
    administration: JSON.stringify(shown),
    callbacks: JSON.stringify(scene.integrator.callbacksOf(key)),
    log: scene.quire.logText(),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(50);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThan(15);
      expect(text.includes(secret), `${name} in ${place}`).toBe(false);
    }
  }
  eve.client.cut();
});
