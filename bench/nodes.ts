/**
 * What a save costs over all processes, with 1, 2, 4 and 8 nodes on one PostgreSQL and one Redis: `alone`, one editor for a
 * document, and `pairs`, two editors of a document on two nodes, one of whom saves. Each node has the same rate, as where
 * nodes are added for more people. With `--rate` all have it together: then each has fewer saves to share a transaction.
 *
 *     node dist/bench/nodes.js [--seconds 15] [--each 50 | --rate 100] [--documents 64] [--most 8] [--warm-saves 1500] [--warm-rate 300]
 *
 * Before anything is measured each node has stored `--warm-saves`: what a process compiles and each connection plans once
 * would be counted to the few saves of a short run, for every further node anew. `over idle` leaves out what the processes
 * use while the documents are open and nobody types. The numbers of one run are to be compared with each other: the nodes
 * share the machine with the load. Every run ends with a comparison of the logs in the database with the acknowledgements.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import type { Saver, SaveTimes } from '../load/saver.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { inParallel, numbersFrom } from './support/bench-run.ts';
import { NodeProcesses } from './support/node-processes.ts';
import { checkLogs, opaqueSaver } from './support/opaque-saves.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

import { startSourceHost } from './support/source-host.ts';

const joiningAtOnce = 8;
const tickMs = 2;
const settlingMs = 3_000;
const idleMs = 10_000;
const options = numbersFrom({
  ...{ seconds: 15, each: 50, rate: 0, documents: 64, most: 8 },
  ...{ 'warm-saves': 1_500, 'warm-rate': 300 },
});
const counts = [1, 2, 4, 8].filter((count) => count <= options.most);

const sources = await startSourceHost();
const nodes = await NodeProcesses.start();
const everySaver: Saver[] = [];

async function enter(port: number, key: string, userId: string): Promise<LeanClient> {
  const client = await LeanClient.connect(localTarget(port), key);
  const { callbackUrl } = sources;
  await client.signIn({ key, userId, documentUrl: sources.url(), callbackUrl });
  return client;
}

/** Documents spread evenly over the nodes; each second editor is on the node after the first one's. */
async function open(
  kind: 'alone' | 'pairs',
  count: number,
): Promise<{ savers: Saver[]; close(): Promise<unknown> }> {
  const clients: LeanClient[] = [];
  const savers: Saver[] = [];
  await inParallel(options.documents, joiningAtOnce, async (number) => {
    const key = `${kind}-${count}-${number}`;
    const port = (at: number) => nodes.ports[at % count]!;
    const first = await enter(port(number), key, `u${number}-`);
    clients.push(first);
    savers.push(opaqueSaver(first, key, number));
    if (kind === 'pairs') clients.push(await enter(port(number + 1), key, `v${number}-`));
  });
  everySaver.push(...savers);
  return {
    savers,
    close: () => Promise.all(clients.map((client) => client.close())),
  };
}

/** What all processes use while nobody does anything, milliseconds of CPU a second. */
async function idleMsPerSecond(): Promise<number> {
  await delay(settlingMs);
  const before = await nodes.usage();
  await delay(idleMs);
  const after = await nodes.usage();
  const spent = (part: keyof typeof before) => after[part] - before[part];
  return ((spent('nodesMs') + spent('redisMs') + spent('databaseMs')) * 1_000) / idleMs;
}

/** Saves at a steady rate until `enough` is over; all of them are answered when it resolves. */
async function save(savers: readonly Saver[], rate: number, enough: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let issued = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * rate) / 1_000);
    for (; issued < due; issued += 1) {
      savers[issued % savers.length]!.save(startedAt + (issued * 1_000) / rate);
    }
  }, tickMs);
  await enough();
  clearInterval(timer);
  while (savers.some(({ busy }) => busy)) await delay(10);
}

async function measure(kind: 'alone' | 'pairs', count: number): Promise<Row> {
  const { savers, close } = await open(kind, count);
  const warmMs = (options['warm-saves'] * count * 1_000) / options['warm-rate'];
  await save(savers, options['warm-rate'], () => delay(warmMs));
  const idle = await idleMsPerSecond();
  let measured: SaveTimes[] = [];
  for (const saver of savers) saver.onSaved = (saved) => measured.push(saved);
  let [before, after] = [await nodes.usage(), await nodes.usage()];
  await save(savers, options.rate || options.each * count, async () => {
    await delay(settlingMs);
    measured = [];
    before = await nodes.usage();
    await delay(options.seconds * 1_000);
    after = await nodes.usage();
    for (const saver of savers) saver.onSaved = () => undefined;
  });
  await close();
  const perSave = (part: keyof typeof before) => (after[part] - before[part]) / measured.length;
  const parts = { nodes: perSave('nodesMs'), redis: perSave('redisMs'), postgres: perSave('databaseMs') };
  const all = parts.nodes + parts.redis + parts.postgres;
  return {
    documents: kind,
    nodes: count,
    'saves/s': rounded(measured.length / options.seconds, 1),
    'nodes ms/save': rounded(parts.nodes, 3),
    'redis ms/save': rounded(parts.redis, 3),
    'postgres ms/save': rounded(parts.postgres, 3),
    'ms/save': rounded(all, 3),
    'idle ms/s': rounded(idle, 1),
    'over idle ms/save': rounded(all - idle / (measured.length / options.seconds), 3),
    ...timesOf(
      'save',
      measured.map(({ savedMs }) => savedMs),
    ),
  };
}

try {
  const rows: Row[] = [];
  for (const count of counts) {
    await nodes.grow(count);
    for (const kind of ['alone', 'pairs'] as const) {
      progress(`${count} nodes, ${kind}`);
      rows.push(await measure(kind, count));
    }
  }
  const ratio = (row: Row) => {
    const first = rows.find((one) => one.documents === row.documents)!;
    const name = 'over idle ms/save';
    return { ...row, 'to one node': rounded(Number(row[name]) / Number(first[name])) };
  };
  const batches = await checkLogs(nodes.databaseUrl, everySaver);
  report('nodes', options, rows.map(ratio), { batches });
} finally {
  await nodes.stop();
  await sources.stop();
}
process.exit();
