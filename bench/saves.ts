/**
 * Acknowledged saves: how many a second at most, and what one costs. One editor per document, saves of 25 changes.
 *
 *     node dist/bench/saves.js [--seconds 15] [--rate 370] [--users 2220] …
 *
 * Without `--rate` it measures the plateau (closed loop, rising numbers of documents), then an open loop at 370 and at
 * 1,667 saves a second with as many users as make these rates at ten saves a minute each. Every run ends with a
 * comparison of the logs in the database with the acknowledgements.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import type { Saver, SaveTimes } from '../load/saver.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { type LoadWindow, openWindow } from './support/load-window.ts';
import { changesPerSave, checkLogs, opaqueSaver, saveAtRate } from './support/opaque-saves.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const savesPerUserAndMinute = 10;
const joiningAtOnce = 16;

const options = numbersFrom({ seconds: 15, 'warm-up': 4, rate: 0, users: 0, documents: 0 });
const plateau = options.documents > 0 ? [options.documents] : [16, 64, 256];
const rates = options.rate > 0 ? [options.rate] : [370, 1_667];

class Load {
  readonly savers: Saver[] = [];
  readonly clients: LeanClient[] = [];
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Opens documents until there are `count`. */
  async grow(count: number): Promise<void> {
    const { server, sources } = this.#bench;
    const present = this.savers.length;
    await inParallel(Math.max(0, count - present), joiningAtOnce, async (number) => {
      const key = `saves-${present + number}`;
      const client = await LeanClient.connect(localTarget(server.port), key);
      await client.signIn({
        key,
        userId: `u${present + number}-`,
        documentUrl: sources.url(),
        callbackUrl: sources.callbackUrl,
      });
      this.clients.push(client);
      this.savers.push(opaqueSaver(client, key, present + number));
    });
  }

  /** Saves as fast as `documents` savers can, each waiting for its acknowledgement. Returns what ends it. */
  closedLoop(documents: number, onSaved: (times: SaveTimes) => void): () => void {
    let running = true;
    for (const saver of this.savers.slice(0, documents)) {
      saver.onSaved = (times) => {
        onSaved(times);
        if (running) saver.save(performance.now());
      };
      saver.save(performance.now());
    }
    return () => {
      running = false;
    };
  }

  /** Saves at a steady rate, whether or not the server keeps up. Returns what ends it. */
  openLoop(perSecond: number, onSaved: (times: SaveTimes) => void): () => void {
    for (const saver of this.savers) saver.onSaved = onSaved;
    return saveAtRate(this.savers, perSecond);
  }

  async settled(): Promise<void> {
    while (this.savers.some((saver) => saver.busy)) await delay(10);
  }
}

async function measure(
  bench: Bench,
  load: Load,
  name: string,
  start: (onSaved: (times: SaveTimes) => void) => () => void,
): Promise<Row> {
  let times: SaveTimes[] = [];
  const stop = start((saved) => times.push(saved));
  await delay(options['warm-up'] * 1_000);
  const close = await openWindow(bench.server);
  times = [];
  await delay(options.seconds * 1_000);
  const measured = times;
  const window = await close();
  stop();
  await load.settled();
  return rowOf(name, load.savers.length, measured, window);
}

function rowOf(name: string, users: number, times: readonly SaveTimes[], window: LoadWindow): Row {
  const perSave = (spentMs: number) => rounded(spentMs / times.length, 3);
  const ofMachine = (spentMs: number) => rounded(spentMs / window.elapsedMs);
  return {
    run: name,
    users,
    'saves/s': Math.round((times.length * 1_000) / window.elapsedMs),
    'service ms/save': perSave(window.serviceMs),
    'postgres ms/save': perSave(window.databaseMs),
    'ms/save': perSave(window.serviceMs + window.databaseMs),
    ...timesOf(
      'save',
      times.map(({ savedMs }) => savedMs),
    ),
    'with lock p99 ms': timesOf(
      '',
      times.map(({ totalMs }) => totalMs),
    )[' p99 ms']!,
    'load cores': ofMachine(window.loadMs),
    'other cores': ofMachine(window.otherMs),
  };
}

await runBench(async (bench) => {
  const load = new Load(bench);
  const rows: Row[] = [];
  if (options.rate === 0) {
    for (const documents of plateau) {
      progress(`Closed loop with ${documents} documents`);
      await load.grow(documents);
      const start = (onSaved: (times: SaveTimes) => void) => load.closedLoop(documents, onSaved);
      rows.push(await measure(bench, load, `closed, ${documents} at once`, start));
    }
  }
  if (options.documents === 0) {
    for (const rate of rates) {
      const users = options.users || Math.round((rate * 60) / savesPerUserAndMinute);
      progress(`Open loop at ${rate} saves a second: ${users} users come in`);
      await load.grow(users);
      const start = (onSaved: (times: SaveTimes) => void) => load.openLoop(rate, onSaved);
      rows.push(await measure(bench, load, `open, ${rate}/s`, start));
    }
  }
  const batchesChecked = await checkLogs(bench.server.databaseUrl, load.savers);
  report('saves', { ...options, changesPerSave }, rows, { batchesChecked });
});
