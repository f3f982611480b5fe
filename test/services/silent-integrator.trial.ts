import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

const environment = { CALLBACK_TIMEOUT_MS: '10000' };
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
