import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Router } from 'express';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { Metrics } from '../../platform/metrics.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { RequestBodies } from '../http/request-bodies.ts';
import { openWopi } from '../wopi/wopi.ts';
import { composeRest } from './rest.ts';

/** All that a server can have: WOPI, metrics, and editors of others. What only requests would use is not there. */
async function wholeServer(directory: string) {
  const config = loadConfig({ DATA_DIR: directory, WOPI_ENABLED: 'true', METRICS_ENABLED: 'true' });
  const later = {} as never;
  const bodies = new RequestBodies(() => undefined);
  const shared = { config, bodies, pool: later, blobs: later, tokens: later, http: later, links: later };
  const parts = { ...shared, workDirectory: directory, sealing: later, log: silentLog };
  const wopi = await openWopi({
    ...{ ...parts, documents: later, converter: later, x2tDirectory: null, hasOtherEditors: true },
    ...{ warn: () => undefined, announceTitle: () => undefined, faultPoint: () => undefined },
  });
  return composeRest({
    ...{ ...parts, health: later, queue: later, conversion: later, metrics: new Metrics() },
    documents: { wopi } as never,
    ...{ statistics: later, retirement: later, drain: later, hasOtherEditors: true, example: null },
    editors: { directory, version: { version: '8.2.1', build: 35 }, prefix: 'p', plugins: [], themes: [] },
    announced: { version: '8.2.1', build: 35 },
    startedAt: new Date(),
    isStopping: () => false,
  });
}

/** A part of a router of Express. */
interface Layer {
  route?: { path: unknown };
  handle?: { stack?: readonly Layer[] };
}

const pathsOf = (layers: readonly Layer[]): unknown[] =>
  layers.flatMap(({ route, handle }) => (route ? [route.path].flat() : pathsOf(handle?.stack ?? [])));

test('[AT23] a server with everything that there is has rights for each of its addresses', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-rest-'));
  try {
    const { stack } = (await wholeServer(directory)).router as Router;
    expect(pathsOf(stack as Layer[])).toContain('/document_editor_service_worker.js');
  } finally {
    await rm(directory, { recursive: true });
  }
});
