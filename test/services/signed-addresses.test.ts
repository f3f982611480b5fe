import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { joinWord, wordEditor } from '../support/word-editor.ts';

const docx = buildDocx({ paragraphs: ['Signed'] });

let scene: SharedScene;
let storage: Server;
/** What was asked for, as it came: method, host and target. */
const asked: string[] = [];

beforeAll(async () => {
  scene = await Scene.openShared();
  storage = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    request.resume();
    response.end(request.method === 'GET' ? docx : '{"error":0}');
  }).listen(0, '127.0.0.1');
  await once(storage, 'listening');
});
afterAll(async () => {
  storage?.close().closeAllConnections();
  await scene?.close();
});

const long = 'a1B2/'.repeat(700);

describe('addresses that are signed as a whole', () => {
  // What is not asked for as it is written stands beside it.
  it.each<[what: string, target: string, asked?: string]>([
    [
      'S3',
      "/b/Plan%20(1)'s.docx?X-Amz-Credential=AK%2F20260101%2Feu%2Fs3%2Faws4_request&X-Amz-SignedHeaders=host&X-Amz-Signature=0a9f",
    ],
    [
      'Azure',
      '/c/f.docx?sv=2024-11-04&se=2026-12-01T00%3A00%3A00Z&sr=b&sp=r&rscd=attachment;%20filename=%22a.docx%22&sig=a%2Bb%2Fc%3D',
    ],
    ['CloudFront', '/f.docx?Expires=4102444800&Signature=a-b~c__&Key-Pair-Id=K1'],
    ['GCS', '/b/o%2Ff.docx?GoogleAccessId=x@y.iam&Expires=4102444800&Signature=a%2bB/c=='],
    ['lower-case encodings', '/%e2%82%ac.docx?a=%2f%2F%7e~'],
    ['plus and space', '/a+b%20c.docx?q=a+b%20c&p=%2B'],
    ['empty values', '/f.docx?a=&b&&=c&'],
    ['a name twice', '/f.docx?a=2&a=1&A=0'],
    ['semicolons', '/f;v=1.docx?a=1;b=2'],
    ['a question mark in a value, and one without a query', '/f.docx?a=?b?'],
    ['an empty query', '/f.docx?'],
    ['slashes and dots', '//a///f..docx?to=https://h/../x'],
    ['what is no encoding', '/100%.docx?a=%zz%'],
    ['a long one', `/f.docx?token=${long}`],
    ['a fragment', "/f.docx?s='#part", "/f.docx?s='"],
    [
      'letters and quotes',
      "/Büro 'n.docx?f=\"ü\"&s='x'&t=%7e",
      "/B%C3%BCro%20'n.docx?f=%22%C3%BC%22&s='x'&t=%7e",
    ],
    ['lines in it', "/f.docx?s='\n&t", "/f.docx?s='&t"],
  ])(
    '[OA17] [CB5] %s: file and callback are asked for as it is written',
    async (_what, target, wanted = target) => {
      const { port } = storage.address() as AddressInfo;
      const url = `http://LocalHost:${port}${target}`;
      const key = scene.newKey();
      const { openCmd } = wordEditor(scene, key) as { openCmd: object };
      const before = asked.length;
      const { client } = await joinWord(scene, key, 'ann', undefined, {
        openCmd: { ...openCmd, url },
        documentCallbackUrl: url,
      });
      await expect
        .poll(() => asked.slice(before).sort())
        .toEqual([`GET localhost:${port} ${wanted}`, `POST localhost:${port} ${wanted}`]);
      await client.leave();
      await expect.poll(() => asked.slice(before)).toHaveLength(3);
    },
  );
});
