import { request as ask } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../../client/protocol/index.ts';
import { PIXEL_PNG } from '../support/docx-fixture.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { joinWord } from '../support/word-editor.ts';

let scene: SharedScene;
beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

/** A picture that differs from every other one. */
const picture = (number: number) => Buffer.concat([PIXEL_PNG, Buffer.from(String(number))]);

async function upload(key: string, token: unknown, number = 0): Promise<number> {
  const headers = { authorization: `Bearer ${String(token)}` };
  const init = { method: 'POST', headers, body: new Uint8Array(picture(number)) };
  return (await fetch(`${scene.quire.address}/upload/${key}`, init)).status;
}

async function byAddress(client: Awaited<ReturnType<typeof joinWord>>['client'], number = 0) {
  const inline = `data:image/png;base64,${picture(number).toString('base64')}`;
  client.send({ type: 'openDocument', message: { c: 'imgurls', id: client.key, data: [inline] } });
  return (await client.next('documentOpen')).data;
}

it.each([
  ['comment', { edit: false, comment: true }, false],
  ['fill in', { edit: false, fillForms: true }, false],
  ['review', { edit: false, review: true }, true],
  ['edit', { edit: true }, true],
])(
  '[UP9] who may only %s: whether they put pictures in, as files and by address',
  async (_right, permissions, may) => {
    const key = scene.newKey();
    const { client, auth } = await joinWord(scene, key, 'ann', undefined, { permissions });
    expect(await upload(key, auth.jwt)).toBe(may ? 200 : 403);
    expect((await byAddress(client)).status).toBe(may ? 'ok' : 'err');
  },
);

it('[UP9] a document takes five thousand pictures, those that it has already once more, and no other', async () => {
  const key = scene.newKey();
  const { auth } = await joinWord(scene, key, 'ann');
  expect(await upload(key, auth.jwt, 1)).toBe(200);
  await scene.database.pool.query(
    `INSERT INTO media (key, path, hash) SELECT $1, 'media/' || n || '.png', 'x' FROM generate_series(1, 4999) AS n`,
    [key],
  );
  expect(await upload(key, auth.jwt, 2)).toBe(507);
  expect(await upload(key, auth.jwt, 1)).toBe(200);
});

/** What a document has already, by whom. */
async function alreadyHas(key: string, count: number, bytes: number, userId: string | null) {
  await scene.database.pool.query(
    `INSERT INTO media (key, path, hash, bytes, user_id)
     SELECT $1, 'media/' || n || '.png', 'x', $3, $4 FROM generate_series(1, $2) AS n`,
    [key, count, bytes, userId],
  );
}

it.each([
  ['in all a gigabyte', 2, 536_870_900, 'somebody', [507, 507]],
  ['of each person half of that', 1, 536_870_900, 'ann', [507, 200]],
  ['of each person two thousand five hundred', 2_500, 1, 'ann', [507, 200]],
  ['of those whom nobody knows what is left', 1, 536_870_900, null, [200, 200]],
])('[UP10] a document takes pictures: %s', async (_what, count, bytes, userId, answers) => {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann');
  const bob = await joinWord(scene, key, 'bob', ann.client);
  await alreadyHas(key, count, bytes, userId);
  expect([await upload(key, ann.auth.jwt, 1), await upload(key, bob.auth.jwt, 2)]).toEqual(answers);
});

it('[UP10] what a person puts in by address counts for that person, as files do, and for nobody else', async () => {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann');
  const bob = await joinWord(scene, key, 'bob', ann.client);
  await alreadyHas(key, 2_499, 1, 'ann');
  const urls = async ({ client }: typeof ann, number: number) =>
    ((await byAddress(client, number)).data as { urls: unknown }).urls;
  expect(await urls(ann, 1)).toEqual([expect.objectContaining({ path: expect.stringContaining('media/') })]);
  expect(await upload(key, ann.auth.jwt, 2)).toBe(507);
  expect(await urls(ann, 3)).toEqual([{ url: 'error', path: 'error', errorCode: ServiceError.uploadCount }]);
  expect(await urls(bob, 4)).toEqual([expect.objectContaining({ path: expect.stringContaining('media/') })]);
});

it('[UP9] one session sends four pictures at once; a fifth is asked to come later', async () => {
  const key = scene.newKey();
  const ann = await joinWord(scene, key, 'ann');
  const { port } = new URL(scene.quire.address);
  const headers = { authorization: `Bearer ${ann.auth.jwt}`, 'content-length': 10_000 };
  const answers: number[] = [];
  const slow = Array.from({ length: 5 }, () => {
    const request = ask({ port, host: '127.0.0.1', path: `/upload/${key}`, method: 'POST', headers });
    request.on('error', () => undefined);
    request.on('response', ({ statusCode }) => answers.push(statusCode!));
    request.write(PIXEL_PNG);
    return request;
  });
  await expect.poll(() => answers).toEqual([429]);
  expect(await upload(key, ann.auth.jwt)).toBe(429);
  const bob = await joinWord(scene, key, 'bob', ann.client);
  expect(await upload(key, bob.auth.jwt)).toBe(200);
  for (const request of slow) request.destroy();
  await expect.poll(() => upload(key, ann.auth.jwt)).toBe(200);
});
