import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, accepted, type ReceivedCallback } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { append, fetchFile, joinWord, paragraphsOf } from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;
/** What a callback says; each has links of its own to the same files. */
const tellsOf = ({ body }: ReceivedCallback) => ({
  ...body,
  url: new URL(String(body.url)).pathname,
  changesurl: new URL(String(body.changesurl)).pathname,
});
const stateOf = async (key: string): Promise<string> =>
  (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0].state;

const refusals: [string, Answer][] = [
  ['status 204 without a body', { status: 204, body: '' }],
  ['status 200 without a body', { status: 200, body: '' }],
  ['a page', { status: 200, body: '<html><body>{"error":0}</body></html>' }],
  ['an error', { status: 200, body: '{"error":1}' }],
  ['an error as text', { status: 200, body: '{"error":"0x"}' }],
  ['no error member', { status: 200, body: '{"errors":0}' }],
  ['an error that is null', { status: 200, body: '{"error":null}' }],
  ['an endless body', { status: 200, body: `{"error":0,"more":"${'x'.repeat(70_000)}"}` }],
  ['status 201 with the right body', { status: 201, body: '{"error":0}' }],
  ['status 403', { status: 403, body: '{"error":0}' }],
  ['status 404', { status: 404, body: '' }],
  ['status 429', { status: 429, body: '' }],
  ['status 500 with the right body', { status: 500, body: '{"error":0}' }],
  ['a redirect that makes another request of it', { status: 303, body: '', location: '/elsewhere' }],
  ['a redirect to itself', { status: 307, body: '', location: '' }],
  ['a redirect to nowhere', { status: 307, body: '', location: 'ftp://host.test/' }],
  [
    'a redirect to a machine that may not be contacted',
    { status: 307, body: '', location: 'http://169.254.169.254/' },
  ],
  ['a broken connection', 'cut'],
];

const acceptances: [string, Answer][] = [
  ['an error of 0 as text', { status: 200, body: '{"error":"0"}' }],
  ['more members', { status: 200, body: '{"error":0,"message":"thank you"}' }],
  ['a byte order mark', { status: 200, body: '\uFEFF{"error":0}' }],
  ['another kind of white space', { status: 200, body: '\r\n {"error" : 0}\n' }],
];

describe('what a storage may answer to a file', () => {
  it.concurrent.for(refusals)(
    '[SD2] %s is no receipt: people are told, it comes again, nothing is lost',
    async ([, answer]) => {
      const key = scene.newKey();
      const ann = await joinWord(scene, key, 'ann');
      const viewer = await scene.join(key, 'viewer', { mode: 'view' });
      let refusing = true;
      scene.integrator.answer(key, ({ status }) => (refusing && status !== 1 ? answer : accepted));
      const first = append('a', ann.doc, 0, ' kept');
      await save(ann.client, [first.change]);
      ann.client.send({ type: 'forceSaveStart' });
      expect((await ann.client.next('forceSave')).messages).toMatchObject({
        success: false,
      });
      const told = await viewer.client.next('quireStored');
      expect(told).toMatchObject({ index: 0, refusedSince: expect.any(Number) });
      const late = await scene.join(key, 'late', { mode: 'view' });
      expect(late.auth.quireStored).toMatchObject({ index: 0, refusedSince: told.refusedSince });
      refusing = false;
      expect((await ann.client.next('forceSave')).messages).toMatchObject({
        success: true,
      });
      const again = await viewer.client.next('quireStored');
      expect(again.index).toBe(1);
      expect(again).not.toHaveProperty('refusedSince');
      const forced = scene.integrator.callbacksOf(key).filter(is(6));
      expect(forced.length).toBeGreaterThan(1);
      expect(paragraphsOf(await fetchFile(forced.at(-1)!.body.url))[0]).toBe('First kept');
      await save(ann.client, [append('b', first.doc, 1, ' too').change], {}, 1);
      refusing = true;
      await ann.client.leave();
      await scene.integrator.waitForCallback(key, is(2));
      expect(await stateOf(key)).toBe('delivering');
      refusing = false;
      await eventually(
        () => stateOf(key),
        (state) => state === 'closed',
      );
      const final = scene.integrator.callbacksOf(key).filter(is(2));
      expect(final.length).toBeGreaterThan(1);
      expect(tellsOf(final.at(-1)!)).toEqual(tellsOf(final[0]!));
      const texts = paragraphsOf(await fetchFile(final.at(-1)!.body.url));
      expect(texts).toEqual(['First kept', 'Second too']);
    },
  );

  it.concurrent.for(acceptances)('[SD3] %s is a receipt', async ([, answer]) => {
    const key = scene.newKey();
    scene.integrator.answer(key, answer);
    const ann = await joinWord(scene, key, 'ann');
    await save(ann.client, [append('a', ann.doc, 0, '!').change]);
    ann.client.send({ type: 'forceSaveStart' });
    expect((await ann.client.next('forceSave')).messages).toMatchObject({
      success: true,
    });
    await ann.client.leave();
    await eventually(
      () => stateOf(key),
      (state) => state === 'closed',
    );
    expect(scene.integrator.callbacksOf(key).map(({ status }) => status)).toEqual([6, 2]);
  });

  it.concurrent.for([301, 302, 307, 308])(
    '[SD4] a redirect with status %i is followed with the whole message',
    async (status) => {
      const key = scene.newKey();
      scene.integrator.answer(key, ({ url }) =>
        url.searchParams.has('moved') ? accepted : { status, body: '', location: `/callback/${key}?moved=1` },
      );
      const ann = await joinWord(scene, key, 'ann');
      await save(ann.client, [append('a', ann.doc, 0, '!').change]);
      await ann.client.leave();
      await eventually(
        () => stateOf(key),
        (state) => state === 'closed',
      );
      const [first, second, ...more] = scene.integrator.callbacksOf(key);
      expect(tellsOf(second!)).toEqual(tellsOf(first!));
      expect(more).toEqual([]);
    },
  );

  it.concurrent('[SD2] an end without changes that is not accepted is told again', async () => {
    const key = scene.newKey();
    let asked = 0;
    scene.integrator.answer(key, ({ status }) => {
      if (status !== 4) return accepted;
      asked += 1;
      return asked === 1 ? { status: 503, body: '' } : accepted;
    });
    const ann = await joinWord(scene, key, 'ann');
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, is(4));
    await scene.integrator.waitForCallback(key, is(4));
  });
});

describe('a storage that cannot be spoken to safely', () => {
  it('[SD5] gets nothing: neither one without TLS nor one with a certificate nobody vouches for', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-certificate-'));
    const at = (name: string) => path.join(directory, name);
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'],
      ...['-keyout', at('key.pem'), '-out', at('certificate.pem')],
    ]);
    let heard = 0;
    const [key, cert] = await Promise.all([readFile(at('key.pem')), readFile(at('certificate.pem'))]);
    const impostor = createServer({ key, cert }, (_request, response) => {
      heard += 1;
      response.end(accepted === 'never' || accepted === 'cut' ? '' : accepted.body);
    }).listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    try {
      const { port } = impostor.address() as AddressInfo;
      const addresses = [
        `https://127.0.0.1:${port}/callback`,
        scene.integrator.callbackUrl('plain').replace('http:', 'https:'),
      ];
      for (const documentCallbackUrl of addresses) {
        const key = scene.newKey();
        const ann = await joinWord(scene, key, 'ann', undefined, { documentCallbackUrl });
        await save(ann.client, [append('a', ann.doc, 0, ' safe').change]);
        ann.client.send({ type: 'forceSaveStart' });
        expect((await ann.client.next('forceSave')).messages).toMatchObject({
          success: false,
        });
        const bob = await joinWord(scene, key, 'bob', ann.client);
        bob.client.send({ type: 'forceSaveStart' });
        const { body } = await scene.integrator.waitForCallback(key, is(6));
        expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First safe');
      }
      expect(heard).toBe(0);
    } finally {
      impostor.close();
      await rm(directory, { recursive: true });
    }
  });
});
