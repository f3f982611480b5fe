import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Router } from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownVersion, protocolVersion } from '../../client/protocol/version.ts';
import { loadConfig } from '../../platform/config.ts';
import { versionFields } from '../http/announced-version.ts';
import { httpApp } from '../http/http-app.ts';
import {
  EditorsUnusable,
  editorsWarnings,
  findThirdPartyEditors,
  thirdPartyPagesRouter,
} from './third-party-editors.ts';

const notice = '/*!\n * Version: 8.2.1 (build:35)\n */\n';
const files: Readonly<Record<string, string>> = {
  'web-apps/apps/api/documents/api.js': `${notice}window.theirs = true;`,
  'web-apps/apps/documenteditor/main/app.js': `${notice}start();`,
  'web-apps/apps/documenteditor/main/index.html': '<title>Their editor</title>',
  'sdkjs/common/AllFonts.js': 'fonts = [];',
  'sdkjs/common/serviceworker/document_editor_service_worker.js': 'self.theirs = true;',
  'sdkjs-plugins/photo/config.json': '{}',
  'sdkjs-plugins/unfinished/readme.txt': 'no plugin',
  'web-apps/apps/common/main/resources/themes/dusk.json': '{"id":"theme-dusk"}',
  'web-apps/apps/common/main/resources/themes/list.json': '{"themes":[{"id":"theme-dawn"}]}',
  'fonts/001': 'a font',
  'dictionaries/en_US/en_US.dic': 'a',
};
const page = 'web-apps/apps/documenteditor/main/index.html';

let directory: string;
let server: Server | null;

beforeEach(async () => {
  server = null;
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-editors-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), content);
  }
});
afterEach(async () => {
  await new Promise((done) => (server ? server.close(done).closeAllConnections() : done(null)));
  await rm(directory, { recursive: true });
});

const find = () => findThirdPartyEditors({ editorsDir: directory });

async function serve(): Promise<string> {
  const editors = (await find())!;
  const app = httpApp(
    {
      callers: null,
      requestMetrics: null,
      files: Router(),
      metrics: null,
      example: null,
      routers: [thirdPartyPagesRouter(editors, loadConfig({}))],
    },
    pino({ level: 'silent' }),
  );
  server = createServer(app);
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const cacheOf = (response: Response) => response.headers.get('cache-control');

describe('editors of others', () => {
  it('[TE1] are served from EDITORS_DIR: pages, scripts, fonts, dictionaries, plugins, themes and the service worker', async () => {
    const origin = await serve();
    for (const [name, content] of Object.entries(files)) {
      expect(await (await fetch(`${origin}/${name}`)).text()).toBe(content);
    }
    const worker = await fetch(`${origin}/document_editor_service_worker.js`);
    expect(await worker.text()).toBe('self.theirs = true;');
    expect(await (await fetch(`${origin}/plugins.json`)).json()).toEqual({
      url: '',
      pluginsData: ['../../../../sdkjs-plugins/photo/config.json'],
      autostart: [],
    });
    expect(await (await fetch(`${origin}/themes.json`)).json()).toEqual({
      themes: [{ id: 'theme-dusk' }, { id: 'theme-dawn' }],
    });
    expect((await fetch(`${origin}/web-apps/../../../etc/passwd`)).status).toBe(404);
    expect((await fetch(`${origin}/sdkjs/%2e%2e/%2e%2e/etc/passwd`)).status).toBe(404);
  });

  it('[TE2] have addresses with a version prefix, under which they are cached for a year; the script of the embedding page is asked for anew', async () => {
    const origin = await serve();
    const { prefix } = (await find())!;
    expect(prefix).toMatch(/^8\.2\.1-35-[0-9a-f]{12}$/);

    const redirected = await fetch(`${origin}/${page}?lang=en&type=desktop`, { redirect: 'manual' });
    expect(redirected.status).toBe(302);
    const target = redirected.headers.get('location')!;
    expect(target).toBe(`${origin}/${prefix}/${page}?lang=en&type=desktop`);
    const opened = await fetch(target, { redirect: 'manual' });
    expect(await opened.text()).toContain('Their editor');
    expect(cacheOf(opened)).toBe('public, max-age=31536000, immutable');
    expect(cacheOf(await fetch(`${origin}/${prefix}/fonts/001`))).toBe('public, max-age=31536000, immutable');

    const script = await fetch(`${origin}/web-apps/apps/api/documents/api.js`, { redirect: 'manual' });
    expect([script.status, cacheOf(script)]).toEqual([200, 'no-cache']);
    expect(cacheOf(await fetch(`${origin}/${prefix}/document_editor_service_worker.js`))).toBe('no-cache');
    expect(cacheOf(await fetch(`${origin}/sdkjs/common/AllFonts.js`))).toBe('no-cache');
  });

  it('[TE2] have another prefix when a file has changed, behind a proxy the address that the browser sees', async () => {
    const before = (await find())!.prefix;
    await writeFile(path.join(directory, 'sdkjs/common/AllFonts.js'), 'fonts = [1];');
    await utimes(path.join(directory, 'sdkjs/common/AllFonts.js'), 1, 1);
    const after = (await find())!.prefix;
    expect(after).not.toBe(before);

    const origin = await serve();
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'docs.example.com',
      'x-forwarded-prefix': '/office',
    };
    const { headers: answered } = await fetch(`${origin}/${page}`, { redirect: 'manual', headers });
    expect(answered.get('location')).toBe(`https://docs.example.com/office/${after}/${page}`);
  });

  it('[XE93] a server says by which rules changes apply, beside the level of the protocol', () => {
    const { version, build } = protocolVersion;
    expect(versionFields(protocolVersion)).toEqual({
      ...{ buildVersion: version, buildNumber: build },
      quireVersion: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+\.\d+$/),
    });
  });

  it("[TE3] are told their own version, and Quire's pages find that of Quire beside it", async () => {
    const { version } = (await find())!;
    expect(version).toEqual({ version: '8.2.1', build: 35 });
    expect(versionFields(version)).toEqual({
      buildVersion: '8.2.1',
      buildNumber: 35,
      quireVersion: ownVersion,
    });
  });

  it('[TE4] that are not there, or do not tell their version, keep the server from starting, with a sentence', async () => {
    expect(await findThirdPartyEditors({ editorsDir: undefined })).toBeNull();
    for (const missing of ['web-apps/apps/api/documents/api.js', 'sdkjs/common/AllFonts.js']) {
      const content = files[missing]!;
      await rm(path.join(directory, missing));
      await expect(find()).rejects.toThrow(`there is no ${missing}`);
      await writeFile(path.join(directory, missing), content);
    }
    for (const name of ['web-apps/apps/api/documents/api.js', 'web-apps/apps/documenteditor/main/app.js']) {
      await writeFile(path.join(directory, name), 'no notice');
    }
    await expect(find()).rejects.toBeInstanceOf(EditorsUnusable);
    await expect(find()).rejects.toThrow('do not tell their version');
  });

  it('[TE4] without x2t or without fonts are served with a warning', async () => {
    const editors = (await find())!;
    expect(await editorsWarnings(editors, { version: '1' })).toEqual([]);
    await rm(path.join(directory, 'fonts'), { recursive: true });
    const warnings = await editorsWarnings(editors, null);
    expect(warnings.join(' ')).toMatch(/no converter x2t.*no folder fonts/);
  });
});
