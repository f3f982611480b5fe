import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';
import { append, fetchFile, joinWord, paragraphsOf } from '../support/word-editor.ts';

const environment = { CALLBACK_TIMEOUT_MS: '10000', CONVERTER_PROCESSES: '1' };
let scene: Scene;
let wopi: WopiScene;
beforeAll(async () => {
  scene = await Scene.open({ environment });
  wopi = await WopiScene.open(environment);
});
afterAll(async () => {
  await scene?.close();
  await wopi?.close();
});

test('[CL11] after no answer at all the same callback comes again, until it is accepted', async () => {
  const key = scene.newKey();
  const { client } = await scene.join(key, 'ann');
  await save(client, ['1;a']);
  let attempts = 0;
  scene.integrator.answer(key, ({ status }) => {
    if (status !== 3) return accepted;
    attempts += 1;
    return attempts === 1 ? 'never' : accepted;
  });
  await client.leave();
  await eventually(() => expect(scene.integrator.callbacksOf(key)).toHaveLength(2));
  const [first, second] = scene.integrator.callbacksOf(key).map(({ body }) => body);
  expect(second).toEqual(first);
});

test('[SD2] silence is no receipt of a file: people are told, it comes again, nothing is lost', async () => {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann');
  const viewer = await scene.join(key, 'viewer', { mode: 'view' });
  let isSilent = true;
  scene.integrator.answer(key, ({ status }) => (isSilent && status !== 1 ? 'never' : accepted));
  const first = append('a', ann.doc, 0, ' kept');
  await save(ann.client, [first.change]);
  ann.client.send({ type: 'forceSaveStart' });
  expect((await ann.client.next('forceSave')).messages).toMatchObject({ success: false });
  expect(await viewer.client.next('quireStored')).toMatchObject({
    index: 0,
    refusedSince: expect.any(Number),
  });
  isSilent = false;
  expect((await ann.client.next('forceSave')).messages).toMatchObject({ success: true });
  expect(await viewer.client.next('quireStored')).not.toHaveProperty('refusedSince');
  await save(ann.client, [append('b', first.doc, 1, ' too').change], {}, 1);
  isSilent = true;
  await ann.client.leave();
  await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  isSilent = false;
  await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  const { body } = scene.integrator.callbacksOf(key).at(-1)!;
  expect(paragraphsOf(await fetchFile(body.url))).toEqual(['First kept', 'Second too']);
});

test('[WO17] a host that does not answer gets the file later', async () => {
  const file = wopi.newFile();
  const ann = await wopi.edit(file, wopi.host.person('ann'));
  await typeAfter(ann, 'First', ' kept');
  await ann.saved();
  wopi.host.fail('PUT', 'silence', 2);
  await ann.close();
  await eventually(() => expect(textOfDocx(file.bytes)).toBe('First kept\nSecond'));
  expect(wopi.host.seen(file.id, 'PUT')).toHaveLength(3);
});
