/**
 * Memory of every process over a long mixed run: people come, type, lock, force saves, lose their connections, leave, and
 * documents are opened, handed over and opened anew. Prints the memory of each process every minute, and at the end how
 * fast it grows: a line through the readings behind the first sixth of the run.
 *
 *     node dist/bench/soak.js [--minutes 60] [--nodes 1] [--seats 6] [--every-seconds 60]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from '../test/support/histories/cluster.ts';
import { History } from '../test/support/histories/history.ts';
import { Person } from '../test/support/histories/person.ts';
import { makeSeats } from '../test/support/histories/seat.ts';
import { HistoryStorage } from '../test/support/histories/storage.ts';
import { numbersFrom } from './support/bench-run.ts';
import { childrenOf, usageOf } from './support/process-usage.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ minutes: 60, nodes: 1, seats: 6, 'every-seconds': 60 });
const peopleInDocument = [1, 2, 3];

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

const cluster = await Cluster.start(options.nodes);
const readings = new Map<string, Reading[]>();
try {
  const history = new NoHistory();
  new HistoryStorage(history, () => false).attach(cluster.integrator);
  const seats = makeSeats(options.seats, cluster.integrator);
  const people = seats.flatMap((seat, at) =>
    peopleInDocument.map((number) => new Person(seat, number, at * 10 + number, history, cluster)),
  );
  for (const person of people) person.begin();
  const startedAt = Date.now();
  const minuteNow = () => (Date.now() - startedAt) / 60_000;
  while (minuteNow() < options.minutes) {
    await delay(options['every-seconds'] * 1_000);
    const line: string[] = [];
    for (const [name, pid] of await processesOf(cluster)) {
      const { pssBytes } = await usageOf(pid, { withEnded: false });
      const of = readings.get(name) ?? [];
      of.push({ minute: minuteNow(), bytes: pssBytes });
      readings.set(name, of);
      line.push(`${name} ${megabytes(pssBytes)} MB`);
    }
    progress(`${rounded(minuteNow(), 1)} min: ${line.join(', ')}`);
  }
  await Promise.all(people.map((person) => person.stop()));
  await Promise.all(people.map(({ client }) => client?.leave(false)));
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
report('soak', options, rows);
process.exit();
