import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scene, type SharedScene, sceneSecret } from '../support/scene.ts';

let scene: Scene;
let open: SharedScene;
let storage: Server;
const heard: { range: string | undefined; authorization: string | undefined }[] = [];
const content = Buffer.from('0123456789'.repeat(100));

beforeAll(async () => {
  [scene, open] = await Promise.all([
    Scene.open({ tokens: true, environment: { MAX_DOWNLOAD_SIZE_BYTES: '100000' } }),
    Scene.openShared(),
  ]);
  storage = createServer((request, response) => {
    heard.push({ range: request.headers.range, authorization: request.headers.authorization });
    const path = request.url ?? '';
    if (path.startsWith('/big')) return void response.end(Buffer.alloc(200_000));
    if (path.startsWith('/endless')) return void response.write(Buffer.alloc(200_000));
    if (path.startsWith('/missing')) return void response.writeHead(404).end();
    response.setHeader('set-cookie', 'secret=1');
    response.setHeader('content-type', 'text/html');
    if (!request.headers.range) return void response.end(content);
    response.writeHead(206, { 'content-range': 'bytes 0-9/1000' }).end(content.subarray(0, 10));
  }).listen(0, '127.0.0.1');
  await once(storage, 'listening');
});
afterAll(async () => {
  storage?.close();
  storage?.closeAllConnections();
  await Promise.all([scene?.close(), open?.close()]);
});

const at = (path: string) => `http://127.0.0.1:${(storage.address() as AddressInfo).port}${path}`;
const sign = (claims: Record<string, unknown>, secret = sceneSecret) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
const history = (changesUrl: string) => ({ version: 2, key: 'k', url: at('/file.docx'), changesUrl });

const ask = (
  body: unknown,
  { key = 'k', headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  from: SharedScene = scene,
) =>
  fetch(`${from.quire.address}/downloadfile/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('files of the storage for the editor’s page', () => {
  it('[DF1] the changes of a signed history come through, as bytes that no browser runs, without cookies', async () => {
    const url = at('/changes.zip');
    const answer = await ask({ url, token: await sign(history(url)) });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(heard.at(-1)?.authorization).toMatch(/^Bearer /);
  });

  it('[DF1] a source of a type that browsers read comes through, a part of it if asked for', async () => {
    const url = at('/form.pdf');
    const token = await sign({ document: { key: 'k', url, fileType: 'pdf' } });
    const answer = await ask({ url, token }, { headers: { range: 'bytes=0-9' } });
    expect([answer.status, await answer.text()]).toEqual([206, '0123456789']);
    expect(answer.headers.get('content-range')).toBe('bytes 0-9/1000');
    expect(heard.at(-1)?.range).toBe('bytes=0-9');
  });

  it('[DF2] nothing else is fetched', async () => {
    const url = at('/changes.zip');
    const before = heard.length;
    const signed = await sign(history(url));
    const attempts: [unknown, string?][] = [
      [{ url }],
      [{ url, token: await sign(history(url), 'another secret that is long enough to sign') }],
      [{ url: at('/other'), token: signed }],
      [{ url: at('/file.docx'), token: signed }],
      [{ url, token: await sign({ document: { key: 'k', url, fileType: 'docx' } }) }],
      [{ url, token: await sign({ key: 'k', changesUrl: url }) }],
      [{ url, token: signed }, 'bad%20key'],
      ['text'],
    ];
    for (const [body, key] of attempts) expect((await ask(body, { key: key ?? 'k' })).status).toBe(403);
    // Where tokens are off nobody vouches for an address.
    expect((await ask({ url, token: signed }, {}, open)).status).toBe(403);
    expect(heard.length).toBe(before);
  });

  it('[DF3] limits and refusals of the storage are told as what they are', async () => {
    const statusOf = async (url: string) => {
      const answer = await ask({ url, token: await sign(history(url)) });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await statusOf(at('/missing'))).toBe(404);
    expect(await statusOf(at('/big'))).toBe(413);
    expect(await statusOf('http://127.0.0.1:1/nobody')).toBe(400);
    expect(await statusOf('ftp://127.0.0.1/file')).toBe(400);
    expect(await statusOf('http://169.254.169.254/latest')).toBe(403);
    const url = at('/endless');
    const cut = await ask({ url, token: await sign(history(url)) });
    await expect(cut.arrayBuffer()).rejects.toThrow();
  });
});
