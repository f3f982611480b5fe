import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds, pageOf } from '../../model/kinds.ts';
import { httpApp } from '../http/http-app.ts';
import { editorPagesRouter } from './web-pages.ts';

let server: Server;
let origin: string;

beforeAll(async () => {
  const app = httpApp(
    {
      ...{ callers: null, requestMetrics: null, rawBodies: [], metrics: null, example: null },
      files: Router(),
      routers: [editorPagesRouter()],
    },
    pino({ level: 'silent' }),
  );
  server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = (address: string) => fetch(`${origin}${address}`, { redirect: 'manual' });
const target = async (address: string) => {
  const { status, headers } = await ask(address);
  return { status, url: new URL(headers.get('location') ?? '', `${origin}${address}`) };
};

it.for([
  ['documenteditor', 'word'],
  ['spreadsheeteditor', 'cell'],
  ['presentationeditor', 'slide'],
  ['pdfeditor', 'pdf'],
  ['visioeditor', 'diagram'],
] as const)('[RA26] the pages of %s lead to the page for %s, with prefix and query', async ([app, kind]) => {
  for (const prefix of ['', '/9.3.0-140-abc']) {
    for (const [folder, type] of [
      ['main', 'desktop'],
      ['mobile', 'mobile'],
      ['embed', 'embedded'],
      ['forms', 'desktop'],
    ] as const) {
      const { status, url } = await target(`${prefix}/web-apps/apps/${app}/${folder}/index.html?lang=de`);
      expect([status, url.pathname]).toEqual([
        302,
        `${prefix}/web-apps/apps/quire/${pageOf(kinds.named(kind)!)}/index.html`,
      ]);
      expect(Object.fromEntries(url.searchParams)).toEqual({ lang: 'de', documentType: kind, type });
    }
  }
});

it('[RA26] a query that names another kind or another place leads nowhere else', async () => {
  const { url } = await target(
    '/web-apps/apps/documenteditor/main/index_loader.html?documentType=cell&type=mobile&a=//evil.test%0d%0aX:1',
  );
  expect(url.origin).toBe(origin);
  expect(url.pathname).toBe('/web-apps/apps/quire/word/index.html');
  expect(url.searchParams.get('documentType')).toBe('word');
  for (const none of [
    'documenteditor/main/app.js',
    'x/main/index.html',
    'documenteditor/main/index.html/x',
  ]) {
    expect((await ask(`/web-apps/apps/${none}`)).status).toBe(404);
  }
});
