/**
 * Memory of the service per idle connection: signed in, document open, nothing said since.
 *
 *     node dist/bench/idle-connections.js [--connections 5000] [--per-document 10]
 *
 * The service runs with its inspector open so that garbage can be collected before each reading; a reading without
 * that, taken once memory has settled, stands beside it. Connections that come and go first warm the code up.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { Inspector } from './support/inspector.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ connections: 5_000, 'per-document': 10, 'warm-up': 500, 'idle-seconds': 30 });
const joiningAtOnce = 16;
const settleStepMs = 2_000;
const settledBytes = 500_000;

/** Connections to documents of their own, `per-document` each. */
async function connect({ server, sources }: Bench, name: string, count: number): Promise<LeanClient[]> {
  const clients: LeanClient[] = [];
  const perDocument = options['per-document'];
  await inParallel(Math.ceil(count / perDocument), joiningAtOnce, async (document) => {
    const key = `${name}-${document}`;
    for (
      let number = document * perDocument;
      number < Math.min(count, (document + 1) * perDocument);
      number += 1
    ) {
      const client = await LeanClient.connect(localTarget(server.port), key);
      await client.signIn({
        key,
        userId: `u${number}-`,
        documentUrl: sources.url(),
        callbackUrl: sources.callbackUrl,
      });
      clients.push(client);
    }
  });
  return clients;
}

interface Memory {
  pssBytes: number;
  collectedPssBytes: number;
  collectedHeapBytes: number;
}

async function memoryOf({ server }: Bench, inspector: Inspector): Promise<Memory> {
  const pssBytes = await settledPss(server);
  await inspector.collectGarbage();
  const collectedPssBytes = await settledPss(server);
  await inspector.collectGarbage();
  const { usedSize } = await inspector.heapUsage();
  return { pssBytes, collectedPssBytes, collectedHeapBytes: usedSize };
}

/** Waits until the service's memory has stopped changing. */
async function settledPss(server: Bench['server']): Promise<number> {
  for (let before = Number.NaN; ; await delay(settleStepMs)) {
    const { pssBytes } = (await server.usage()).service;
    if (Math.abs(pssBytes - before) < settledBytes) return pssBytes;
    before = pssBytes;
  }
}

const inspected = { nodeOptions: ['--inspect=127.0.0.1:0'], environment: { CLOSING_GRACE_MS: '0' } };

await runBench(async (bench) => {
  const inspector = await Inspector.connect(bench.server.inspectorUrl!);
  progress('Warming up');
  const passing = await connect(bench, 'passing', options['warm-up']);
  await Promise.all(passing.map((client) => client.close()));
  const before = await memoryOf(bench, inspector);

  progress(`${options.connections} connections sign in`);
  const cpuBefore = (await bench.server.usage()).service.cpuMs;
  const clients = await connect(bench, 'idle', options.connections);
  const connectMs = (await bench.server.usage()).service.cpuMs - cpuBefore;
  const after = await memoryOf(bench, inspector);

  progress('Idle');
  const idleBefore = (await bench.server.usage()).service.cpuMs;
  await delay(options['idle-seconds'] * 1_000);
  const idleMs = (await bench.server.usage()).service.cpuMs - idleBefore;

  const kilobytesEach = (part: keyof Memory) =>
    rounded((after[part] - before[part]) / clients.length / 1_024, 1);
  const row: Row = {
    connections: clients.length,
    'KB each, as it settles': kilobytesEach('pssBytes'),
    'KB each, garbage collected': kilobytesEach('collectedPssBytes'),
    'of which heap': kilobytesEach('collectedHeapBytes'),
    'service MB before': rounded(before.collectedPssBytes / 2 ** 20, 0),
    'service MB after': rounded(after.collectedPssBytes / 2 ** 20, 0),
    'service ms/connect': rounded(connectMs / clients.length),
    'idle cores': rounded(idleMs / (options['idle-seconds'] * 1_000), 3),
  };
  inspector.close();
  report('idle-connections', options, [row]);
}, inspected);
