/**
 * What a save costs over all processes, with 1, 2, 4 and 8 nodes on one PostgreSQL and one Redis, at the same rate in all:
 * `alone`, one editor for a document, and `pairs`, two editors of a document on two nodes, one of whom saves.
 *
 *     node dist/bench/nodes.js [--seconds 10] [--warm-up 3] [--rate 100] [--documents 64] [--most 8]
 *
 * `over idle` leaves out what the processes use without any load. The figures of one run are to be compared with each other: the nodes share the machine with the load. Every run ends with
 * a comparison of the logs in the database with the acknowledgements.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbersFrom } from './support/bench-run.ts';
import { LeanClient } from './support/lean-client.ts';
import { checkLogs } from './support/log-check.ts';
import { NodeProcesses } from './support/node-processes.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { Saver, type SaveTimes } from './support/saver.ts';
import { startSourceHost } from './support/source-host.ts';

const joiningAtOnce = 8;
const tickMs = 2;
const idleMs = 4_000;
const options = numbersFrom({ seconds: 10, 'warm-up': 3, rate: 100, documents: 64, most: 8 });
const counts = [1, 2, 4, 8].filter((count) => count <= options.most);

const sources = await startSourceHost();
const nodes = await NodeProcesses.start();
const everySaver: Saver[] = [];

async function enter(port: number, key: string, userId: string): Promise<LeanClient> {
  const client = await LeanClient.connect(port, key);
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
    savers.push(new Saver(first, key, number));
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
  await delay(options['warm-up'] * 1_000);
  const before = await nodes.usage();
  await delay(idleMs);
  const after = await nodes.usage();
  const spent = (part: keyof typeof before) => after[part] - before[part];
  return ((spent('nodesMs') + spent('redisMs') + spent('databaseMs')) * 1_000) / idleMs;
}

async function measure(kind: 'alone' | 'pairs', count: number, idle: number): Promise<Row> {
  const { savers, close } = await open(kind, count);
  let times: SaveTimes[] = [];
  for (const saver of savers) saver.onSaved = (saved) => times.push(saved);
  const startedAt = performance.now();
  let issued = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * options.rate) / 1_000);
    for (; issued < due; issued += 1) {
      savers[issued % savers.length]!.save(startedAt + (issued * 1_000) / options.rate);
    }
  }, tickMs);
  await delay(options['warm-up'] * 1_000);
  const before = await nodes.usage();
  times = [];
  await delay(options.seconds * 1_000);
  const after = await nodes.usage();
  const measured = times;
  clearInterval(timer);
  while (savers.some(({ busy }) => busy)) await delay(10);
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
    const idle = await idleMsPerSecond();
    for (const kind of ['alone', 'pairs'] as const) {
      progress(`${count} nodes, ${kind}`);
      rows.push(await measure(kind, count, idle));
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
