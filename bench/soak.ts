/**
 * Memory of every process over a long mixed run: people come, type, lock, force saves, lose their connections and leave;
 * each document has its time, then everybody leaves it, it is assembled and delivered, and another one is opened. Prints
 * the memory of each process every minute, for the services also what of their heap is in use after a full garbage
 * collection, and at the end how fast each grows: a line through the readings behind the first sixth of the run.
 *
 *     node dist/bench/soak.js [--minutes 60] [--nodes 1] [--seats 6] [--document-seconds 150] [--every-seconds 60]
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, usageOf } from '../load/process-usage.ts';
import { Cluster } from '../test/support/histories/cluster.ts';
import { History } from '../test/support/histories/history.ts';
import { Person } from '../test/support/histories/person.ts';
import { makeSeats, Seat } from '../test/support/histories/seat.ts';
import { HistoryStorage } from '../test/support/histories/storage.ts';
import { numbersFrom } from './support/bench-run.ts';
import { Inspector } from './support/inspector.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({
  ...{ minutes: 60, nodes: 1, seats: 6 },
  ...{ 'document-seconds': 150, 'every-seconds': 60 },
});

/** A history that keeps nothing. */
class NoHistory extends History {
  override record(): void {
    // Nothing is checked here: the run is long.
  }
}

interface Reading {
  minute: number;
  bytes: number;
}

/** The service and its converter of each node, by name. */
async function processesOf(cluster: Cluster): Promise<Map<string, number>> {
  const pids = new Map<string, number>();
  for (const { name, quire } of cluster.nodes) {
    if (quire.pid === null) continue;
    pids.set(name, quire.pid);
    const [converter] = await childrenOf(quire.pid);
    if (converter !== undefined) pids.set(`converter of ${name}`, converter);
  }
  return pids;
}

/** What of the heap of each service is in use after a full garbage collection, bytes, by name. */
async function heapsOf(cluster: Cluster): Promise<Map<string, number>> {
  const heaps = new Map<string, number>();
  for (const { name, quire } of cluster.nodes) {
    // The service is the first process that says so; its converters come later.
    const told = quire.log.find(({ msg }) => msg.startsWith('Debugger listening on '));
    if (!told) continue;
    const inspector = await Inspector.connect(told.msg.slice('Debugger listening on '.length));
    await inspector.collectGarbage();
    heaps.set(`heap of ${name}`, (await inspector.heapUsage()).usedSize);
    inspector.close();
  }
  return heaps;
}

/** People edit a document for its time, then all of them leave, and they go on with another one. Until `isOver`. */
async function occupy(
  seatAt: (turn: number) => Seat,
  seed: number,
  history: History,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const seat = seatAt(turn);
    const people = Array.from(
      { length: seat.editors + seat.viewers },
      (_, at) => new Person(seat, at + 1, seed + turn * 100 + at, history, cluster),
    );
    for (const person of people) person.begin();
    const until = performance.now() + options['document-seconds'] * 1_000;
    while (performance.now() < until && !isOver()) await delay(500);
    await Promise.all(people.map((person) => person.stop()));
    await Promise.all(people.map(({ client }) => client?.leave(false)));
    documents += 1;
  }
}

/** Growth by least squares, bytes a minute. */
function slopeOf(readings: readonly Reading[]): number {
  const mean = (of: (reading: Reading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length;
  const [minute, bytes] = [mean((one) => one.minute), mean((one) => one.bytes)];
  let above = 0;
  let below = 0;
  for (const one of readings) {
    above += (one.minute - minute) * (one.bytes - bytes);
    below += (one.minute - minute) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

const megabytes = (bytes: number) => rounded(bytes / 2 ** 20, 1);

const cluster = await Cluster.start(options.nodes, { NODE_OPTIONS: '--inspect=127.0.0.1:0' });
const readings = new Map<string, Reading[]>();
let documents = 0;
try {
  const history = new NoHistory();
  new HistoryStorage(history, () => null).attach(cluster.integrator);
  const startedAt = Date.now();
  const minuteNow = () => (Date.now() - startedAt) / 60_000;
  const isOver = () => minuteNow() >= options.minutes;
  const kinds = makeSeats(options.seats, cluster.integrator).map((kind) => {
    return (turn: number) => new Seat(`${kind.name}-${turn}`, kind.families, kind, cluster.integrator);
  });
  const lives = kinds.map((seatAt, at) => occupy(seatAt, at * 10_000, history, isOver));
  while (!isOver()) {
    await delay(options['every-seconds'] * 1_000);
    const line: string[] = [];
    const bytesOf = new Map<string, number>();
    for (const [name, pid] of await processesOf(cluster)) {
      bytesOf.set(name, (await usageOf(pid, { withEnded: false })).pssBytes);
    }
    for (const [name, bytes] of await heapsOf(cluster)) bytesOf.set(name, bytes);
    for (const [name, bytes] of bytesOf) {
      const of = readings.get(name) ?? [];
      of.push({ minute: minuteNow(), bytes });
      readings.set(name, of);
      line.push(`${name} ${megabytes(bytes)} MB`);
    }
    progress(`${rounded(minuteNow(), 1)} min, ${documents} documents: ${line.join(', ')}`);
  }
  await Promise.all(lives);
} finally {
  await cluster.close();
}
const rows = [...readings].map(([name, of]): Row => {
  const settled = of.filter(({ minute }) => minute >= options.minutes / 6);
  return {
    process: name,
    'MB first': megabytes(settled[0]?.bytes ?? 0),
    'MB last': megabytes(settled.at(-1)?.bytes ?? 0),
    'MB most': megabytes(Math.max(...settled.map(({ bytes }) => bytes))),
    'KB/min': rounded(slopeOf(settled) / 1_024, 1),
  };
});
report('soak', options, rows, { documents });
process.exit();
