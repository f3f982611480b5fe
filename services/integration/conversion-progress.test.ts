import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import { QueueFullError } from '../../jobs/jobs.ts';
import { loadConfig } from '../../platform/config.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { FileLinks } from '../http/file-links.ts';
import { RequestBodies } from '../http/request-bodies.ts';
import { ConversionRequests, claimLapseMs } from '../lifecycle/conversion-requests.ts';
import { conversionRouter } from './conversion.ts';

const config = loadConfig({});
const tokens = { areDemanded: false } as Tokens;
let database: TestDatabase;
let records: ConversionRecords;
let servers: Server[];
/** What a request's work does. */
let work: (concern: (id: string) => Promise<void>) => Promise<ConversionOutcome>;
let place: number | null;
let isFull: boolean;

beforeAll(async () => {
  database = await openTestDatabase();
  records = new ConversionRecords(database.pool);
});
afterAll(() => database?.close());
beforeEach(async () => {
  place = null;
  isFull = false;
  servers = [node(), node()];
  await Promise.all(servers.map((server) => once(server, 'listening')));
});
afterEach(async () => {
  for (const server of servers) await new Promise((done) => server.close(done).closeAllConnections());
});

function node(): Server {
  const requestRecords = new ConversionRequestRecords<ConversionOutcome>(database.pool, claimLapseMs);
  const app = express();
  app.use(
    conversionRouter({
      ...{ config, tokens, log: silentLog },
      bodies: new RequestBodies(() => '127.0.0.1'),
      links: new FileLinks({ link: 'secret' }, config),
      requests: new ConversionRequests(requestRecords, 5_000, silentLog),
      work: {
        plan: () => ({ fromType: 'txt', toType: 'pdf', options: {} }),
        run: (_plan, _parameters, { onRecord }) => work(onRecord!),
      },
      queue: { isFull: async () => isFull, placeOf: async () => place },
    }),
  );
  return app.listen(0, '127.0.0.1');
}

let keys = 0;
const request = (more = {}) => {
  keys += 1;
  return { url: 'http://app.test/a.txt', key: `k${keys}`, filetype: 'txt', outputtype: 'pdf', ...more };
};

async function ask(at: number, parameters: object, accept = 'application/json') {
  const { port } = servers[at]!.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/converter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(parameters),
  });
}
const reply = async (at: number, parameters: object) =>
  (await (await ask(at, parameters)).json()) as Record<string, unknown>;

it('[CP2] an asynchronous request is told how far it is, on every node, and 100 with its file alone', async () => {
  const id = 'a conversion';
  let finish: (outcome: ConversionOutcome) => void = () => undefined;
  const finished = new Promise<ConversionOutcome>((resolve) => {
    finish = resolve;
  });
  let fetched: () => void = () => undefined;
  const source = new Promise<void>((resolve) => {
    fetched = resolve;
  });
  work = async (concern) => {
    await source;
    const wanted = { id, sourceHash: 's', fromType: 'txt', toType: 'pdf', options: {} };
    await records.wanted({ ...wanted, media: {}, passwords: null });
    await concern(id);
    return finished;
  };
  const parameters = request({ async: true });
  const unfinished = (percent: number, quireProgress: object) => ({
    percent,
    endConvert: false,
    quireProgress,
  });
  expect(await reply(0, parameters)).toEqual(unfinished(0, { stage: 'fetching' }));
  fetched();
  place = 12;
  await eventually(
    () => reply(1, parameters),
    ({ quireProgress }) => (quireProgress as { stage: string }).stage === 'waiting',
  );
  expect(await reply(0, parameters)).toEqual(unfinished(0, { stage: 'waiting', ahead: 12 }));
  await records.progressed(id, 'converting', 0.42);
  for (const at of [0, 1])
    expect(await reply(at, parameters)).toEqual(unfinished(42, { stage: 'converting' }));
  // A worker that begins anew tells less.
  await records.progressed(id, 'loading', 0.01);
  expect(await reply(1, parameters)).toMatchObject({ percent: 42, endConvert: false });
  await records.progressed(id, 'storing', 1);
  expect(await reply(0, parameters)).toMatchObject({ percent: 99, endConvert: false });
  expect(await (await ask(1, parameters, 'text/xml')).text()).toContain('<Percent>99</Percent>');
  finish({ ok: true, hash: 'a'.repeat(64), fileType: 'pdf' });
  const last = await eventually(
    () => reply(1, parameters),
    ({ endConvert }) => endConvert === true,
  );
  expect(last).toMatchObject({ percent: 100, fileType: 'pdf' });
  expect(last).not.toHaveProperty('quireProgress');
});

it('[JP7] a request that is too many is answered with -6 and may be made again', async () => {
  const made: ConversionOutcome = { ok: true, hash: 'b'.repeat(64), fileType: 'pdf' };
  work = async () => {
    if (isFull) throw new QueueFullError();
    return made;
  };
  isFull = true;
  const [waited, asked] = [request(), request({ async: true })];
  expect(await reply(0, waited)).toEqual({ error: -6 });
  expect(await reply(0, asked)).toEqual({ error: -6 });
  isFull = false;
  expect(await reply(1, waited)).toMatchObject({ endConvert: true });
  await eventually(
    () => reply(1, asked),
    ({ endConvert }) => endConvert === true,
  );
  // What is there is given out also then.
  isFull = true;
  expect(await reply(0, asked)).toMatchObject({ endConvert: true });
});
