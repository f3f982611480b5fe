import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import type { ReceivedCallback } from '../support/integrator.ts';
import { RawClient } from '../support/raw-client.ts';
import { ReverseProxy } from '../support/reverse-proxy.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import { append, wordEditor } from '../support/word-editor.ts';

let scene: SharedScene;
let proxy: ReverseProxy;

beforeAll(async () => {
  scene = await Scene.openShared();
  proxy = await ReverseProxy.to(scene.quire.address, { prefix: '/office/docs' });
});
afterAll(async () => {
  await proxy?.close();
  await scene?.close();
});

const isFinal = ({ status }: ReceivedCallback) => status === 2;

/** Opens a document as a page behind the proxy does. */
async function openThrough(address: string, key: string, query = '') {
  const client = scene.keep(await RawClient.connect(address, key, { query }));
  const changes = wordEditor(scene, key);
  client.send(scene.authMessage(key, 'ann', { supportAuthChangesAck: false, ...changes }));
  const auth = await client.next('auth');
  const opened = await client.next('documentOpen');
  return { client, auth, files: opened.data.data as Record<string, string> };
}

/** A document that somebody wrote in and left, and the callback that tells of it. */
async function finishedThrough(address: string, key: string, query = '') {
  const { client, files } = await openThrough(address, key, query);
  const { doc } = parseWordDocument(await (await fetch(files['Editor.bin']!)).json());
  await save(client, [append('a', doc, 0, '!').change]);
  await client.leave();
  return { files, callback: await scene.integrator.waitForCallback(key, isFinal) };
}

describe('behind a proxy with a path of its own', () => {
  it('[RA5] everything that is handed out leads back through the proxy, over sockets and callbacks too', async () => {
    const { files, callback } = await finishedThrough(proxy.address, scene.newKey());
    const links = [...Object.values(files), String(callback.body.url), String(callback.body.changesurl)];
    for (const link of links) {
      expect(link.startsWith(`${proxy.address}/cache/files/`), link).toBe(true);
      expect((await fetch(link)).status).toBe(200);
    }
    expect(await (await fetch(`${proxy.address}/baseurl`)).text()).toBe(proxy.address);
    expect(await (await fetch(`${scene.quire.address}/baseurl`)).text()).toBe(scene.quire.address);
  });

  it('[BU9] an address with slashes too many works, for requests, connections and files', async () => {
    const slashed = `${scene.quire.address}//`;
    for (const path of ['healthcheck', 'web-apps/apps/api/documents/api.js', 'command?c=version'])
      expect([path, (await fetch(slashed + path)).status]).toEqual([path, 200]);
    const { files, callback } = await finishedThrough(slashed, scene.newKey());
    for (const link of [...Object.values(files), String(callback.body.url)]) {
      const path = link.slice(scene.quire.address.length + 1);
      expect((await fetch(slashed + path.replace('/', '//'))).status).toBe(200);
    }
  });

  it('[RA5] every address works behind a version prefix too, and is left out of links', async () => {
    const versioned = `${proxy.address}/9.3.0-5f1c0a9be7`;
    const { files } = await openThrough(versioned, scene.newKey());
    for (const link of Object.values(files)) {
      expect(link.startsWith(`${proxy.address}/cache/files/`), link).toBe(true);
      const path = link.slice(proxy.address.length);
      expect((await fetch(versioned + path)).status).toBe(200);
    }
    for (const path of [
      '/healthcheck',
      '/baseurl',
      '/robots.txt',
      '/index.html',
      '/welcome/',
      '/plugins.json',
      '/themes.json',
      '/command?c=version',
      '/coauthoring/CommandService.ashx?c=version',
    ]) {
      const [plain, prefixed] = await Promise.all([fetch(proxy.address + path), fetch(versioned + path)]);
      expect([path, plain.status, prefixed.status]).toEqual([path, 200, 200]);
      expect(await prefixed.text()).toBe(await plain.text());
    }
    expect((await fetch(`${proxy.address}/9.3-x/healthcheck`)).status).toBe(404);
    expect((await fetch(`${proxy.address}/9.3.0/healthcheck`)).status).toBe(404);
  });

  it('[RA5] the root leads to the greeting, below the path of the proxy', async () => {
    const response = await fetch(`${proxy.address}/`);
    expect(response.url).toBe(`${proxy.address}/welcome/`);
    expect(response.status).toBe(200);
  });

  it('[RA5] scheme and host are those that browsers see', async () => {
    const tls = await ReverseProxy.to(scene.quire.address, {
      prefix: '',
      headers: { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'docs.example:8443, inner' },
    });
    const cloud = await ReverseProxy.to(scene.quire.address, {
      prefix: '',
      headers: {
        'cloudfront-forwarded-proto': 'https',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'd1.cloud.example',
        'x-forwarded-prefix': '/office/',
      },
    });
    expect(await (await fetch(`${tls.address}/baseurl`)).text()).toBe('https://docs.example:8443');
    expect(await (await fetch(`${cloud.address}/baseurl`)).text()).toBe('https://d1.cloud.example/office');
    await Promise.all([tls.close(), cloud.close()]);
  });
});

describe('what a load balancer needs', () => {
  it('[RA4] shard key, WOPI source and session of the browser are on links', async () => {
    const query = '&shardKey=balanced&usid=u-7';
    const key = scene.newKey();
    const { files, callback } = await finishedThrough(proxy.address, key, query);
    for (const link of [...Object.values(files), String(callback.body.url)]) {
      const { searchParams } = new URL(link);
      expect([searchParams.get('shardkey'), searchParams.get('usid')]).toEqual(['balanced', 'u-7']);
    }
    expect((await fetch(String(callback.body.url))).status).toBe(200);
    expect(callback.url.href).toBe(scene.integrator.callbackUrl(key));
  });

  it('[RA4] where the browser gave nothing it is the key', async () => {
    const key = scene.newKey();
    const { client, files } = await openThrough(scene.quire.address, key);
    for (const link of Object.values(files)) expect(new URL(link).searchParams.get('shardkey')).toBe(key);
    await client.leave();
  });

  it('[CB5] a signed callback address is called as it was given', async () => {
    const key = scene.newKey();
    const query = "?doc=o'neil&sig=a%20b+c%2F&x&expires=4102444800&signature=0a9f";
    const documentCallbackUrl = `${scene.integrator.callbackUrl(key)}${query}`;
    const { client } = await scene.join(key, 'ann', { documentCallbackUrl });
    const { target } = await scene.integrator.waitForCallback(key);
    expect(target).toBe(documentCallbackUrl.slice(scene.integrator.address.length));
    await client.leave();
  });
});

describe('callers', () => {
  it('[RA1] who comes through the proxy is not on this machine', async () => {
    expect((await fetch(`${scene.quire.address}/info/info.json`)).status).toBe(200);
    const outside = await ReverseProxy.to(scene.quire.address, {
      prefix: '',
      headers: { 'x-forwarded-for': '198.51.100.7' },
    });
    expect((await fetch(`${outside.address}/info/info.json`)).status).toBe(403);
    expect((await fetch(`${outside.address}/metrics`)).status).toBe(403);
    expect((await fetch(`${outside.address}/healthcheck`)).status).toBe(200);
    await outside.close();
  });

  it('[RA6] where the IP filter decides about callers, it guards the API, and files and editors stay open', async () => {
    const environment = {
      IP_FILTER: 'deny 198.51.100.*, deny *.denied.test, allow *',
      IP_FILTER_FOR_REQUESTS: 'true',
    };
    const filtered = await Scene.open({ environment });
    const denied = { 'x-forwarded-for': '198.51.100.7' };
    try {
      for (const path of ['/command?c=version', '/healthcheck', '/info/info.json', '/9.3.0-x/healthcheck']) {
        const refused = await fetch(filtered.quire.address + path, { headers: denied });
        expect([path, refused.status]).toEqual([path, 403]);
        const allowed = { 'x-forwarded-for': '203.0.113.7' };
        const answered = await fetch(filtered.quire.address + path, { headers: allowed });
        expect([path, answered.status]).toEqual([path, path.startsWith('/info') ? 403 : 200]);
      }
      for (const path of ['/welcome/', '/dummyCallback', '/robots.txt']) {
        const method = path === '/dummyCallback' ? 'POST' : 'GET';
        expect((await fetch(filtered.quire.address + path, { method, headers: denied })).status).toBe(200);
      }
      const key = filtered.newKey();
      const client = await filtered.connect(key);
      filtered.integrator.serve('other.docx', { bytes: buildDocx({ paragraphs: ['x'] }) });
      const openCmd = { c: 'open', id: key, format: 'docx', url: 'http://store.denied.test/other.docx' };
      client.send(filtered.authMessage(key, 'ann', { openCmd, supportAuthChangesAck: false }));
      const { data } = await client.next('documentOpen');
      expect(data).toMatchObject({ status: 'err', data: -81 });
    } finally {
      await filtered.close();
    }
  });
});
