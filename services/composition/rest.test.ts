import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Router } from 'express';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { Metrics } from '../../platform/metrics.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { addressRights } from '../http/address-rights.ts';
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

/** A part of a router of Express: `stack` are the handlers of a route, and the parts of a router. */
interface Layer {
  route?: { path: unknown; stack: readonly Layer[] };
  handle: Partial<Pick<Router, 'stack'>> & { name: string; length: number };
}

/** An error handler answers nobody who is not answered already. */
const errorHandlerLength = 4;

/** The names of all that answers requests: of the guards in front of handlers, or of what has none. */
const answering = (layers: readonly Layer[]): string[] =>
  layers.flatMap(({ route, handle }) => {
    if (route) return route.stack.at(-1)!.handle.name || `unguarded ${String(route.path)}`;
    if (handle.stack) return answering(handle.stack as unknown as Layer[]);
    return handle.length === errorHandlerLength ? [] : handle.name || 'unguarded';
  });

test('[AT23] every route of a server with all that there is has a row and its guard, and every row a route', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-rest-'));
  try {
    for (const folder of ['web-apps', 'sdkjs', 'sdkjs-plugins', 'fonts', 'dictionaries'])
      await mkdir(path.join(directory, folder));
    const { stack } = (await wholeServer(directory)).router as Router;
    // What the application itself has before its routers and behind them answers for no address.
    const routers = (stack as unknown as Layer[]).filter(({ handle }) => handle.stack);
    expect([...new Set(answering(routers))].sort()).toEqual(Object.keys(addressRights).sort());
  } finally {
    await rm(directory, { recursive: true });
  }
});
