import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConversionEngine } from '../../converter/engines/conversion-engine.ts';
import { ConversionEngines } from '../../converter/engines/conversion-engines.ts';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { convertFile } from '../../converter/jobs/convert.ts';
import { sourceLimits } from '../../converter/source-checks/source-limits.ts';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import { FairQueue } from '../../db/fair-queue.ts';
import { JobWorker } from '../../jobs/job-worker.ts';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { Sealing } from '../../platform/secrets/sealing.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { ConversionRequests, claimLapseMs } from './conversion-requests.ts';
import { Conversions } from './conversions.ts';

const sealing = new Sealing({ link: 'a secret of links that is long enough for everybody' });
let database: TestDatabase;
let directory: string;
let blobs: FileBlobStore;
/** How often the engine has run. */
let runs = 0;

const engine: ConversionEngine = {
  ability: {
    name: 'test',
    version: '1',
    pairs: new Map([['txt', new Set(['pdf'])]]),
    unable: () => [],
  },
  async convert(source) {
    runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Buffer.concat([source, Buffer.from(' as a PDF')]);
  },
};

beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-sharing-'));
  blobs = new FileBlobStore(directory);
});
afterAll(async () => {
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

it('[CC3] the same at once on two servers, under names and without, runs an engine once, or twice for people and a batch', async () => {
  const store = { databaseUrl: database.url, redis: null, prefix: 'test' };
  const fairQueue = new FairQueue(database.pool);
  const records = new ConversionRecords(database.pool);
  const table = new ConversionTable([engine.ability]);
  const servers = await Promise.all(
    [1, 2].map(async () => {
      const queue = new ConversionQueue(store, 30_000, () => undefined, { fairQueue, limit: 100 });
      await queue.ready();
      const conversions = new Conversions({ records, queue, table, sealing });
      const requestRecords = new ConversionRequestRecords<ConversionOutcome>(database.pool, claimLapseMs);
      const requests = new ConversionRequests(requestRecords, 30_000, pino({ level: 'silent' }));
      return { queue, conversions, requests };
    }),
  );
  const dependencies = {
    ...{ conversions: records, blobs, sealing, conversionEngines: new ConversionEngines([engine]) },
    sourceLimits: sourceLimits(loadConfig({})),
    openingTimeoutMs: 60_000,
    conversionTimeoutMs: 60_000,
  };
  const workers = [1, 2].map(
    () =>
      new JobWorker(store, {
        concurrency: 2,
        process: ({ data }, { lane }) => convertFile({ ...(data as { id: string }), lane }, dependencies),
        onError: () => undefined,
        onRound: (lane, round) => fairQueue.reach(lane, round),
      }),
  );
  try {
    const runsFor = async (text: string, isInteractive: (at: number) => boolean) => {
      const { hash } = await blobs.put(Buffer.from(text));
      const request = { sourceHash: hash, fromType: 'txt', toType: 'pdf' };
      runs = 0;
      const asked = Array.from({ length: 40 }, (_, at) => {
        const { conversions, requests } = servers[at % 2]!;
        const convert = () => conversions.convert({ ...request, isInteractive: isInteractive(at) });
        return at % 5 === 0 ? requests.run(`${text} ${at % 10}`, convert) : convert();
      });
      const outcomes = await Promise.all(asked);
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(outcomes[0]).toMatchObject({ ok: true });
      return runs;
    };
    expect(await runsFor('for a batch', () => false)).toBe(1);
    expect(await runsFor('for people', () => true)).toBe(1);
    // What a batch has begun in the moment when people ask for it is begun for them too.
    expect(await runsFor('for both', (at) => at % 3 === 0)).toBeLessThanOrEqual(2);
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(servers.map(({ queue }) => queue.close()));
  }
});

it('[JP21] a worker begins no second job of a large source where that would take the place for short work', async () => {
  const store = { databaseUrl: database.url, redis: null, prefix: 'large' };
  const fairQueue = new FairQueue(database.pool);
  const queue = new ConversionQueue(store, 30_000, () => undefined, { fairQueue, limit: 100 });
  await queue.ready();
  const begun: string[] = [];
  let end!: () => void;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const worker = new JobWorker(store, {
    concurrency: 2,
    isLarge: async ({ data }) => (data as { id: string }).id.startsWith('large'),
    process: async ({ data }) => {
      const { id } = data as { id: string };
      begun.push(id);
      if (id === 'large-1') await held;
    },
    onError: () => undefined,
  });
  const run = (id: string) =>
    queue.run(
      { name: 'convert', data: { id, attempt: 1 } },
      { lane: 'interactive', owner: { key: 'document', person: id } },
    );
  try {
    const first = run('large-1');
    await eventually(
      () => begun,
      (all) => all.includes('large-1'),
    );
    const second = run('large-2');
    await run('short');
    expect(begun).toEqual(['large-1', 'short']);
    end();
    await Promise.all([first, second]);
    expect(begun).toEqual(['large-1', 'short', 'large-2']);
  } finally {
    end();
    await worker.close();
    await queue.close();
  }
});
