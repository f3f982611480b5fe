/**
 * Departures: what it costs when everybody leaves at once.
 *
 *     node dist/bench/departures.js [--documents 300] [--saves 4] [--rounds 2]
 *
 * One editor in each document saves some changes; then all leave. The window ends when the callback of the last document
 * has come. Meanwhile the metrics are read every second. Besides the CPU time of each part, it counts the database's transactions and the times it waited for its disk.
 */
import './support/help.ts';

import pg from 'pg';
import { authorName } from '../load/frame-template.ts';
import { Saver } from '../load/saver.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { WordBatches } from '../load/word-batches.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { openWindow } from './support/load-window.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ documents: 300, saves: 4, rounds: 2 });
const changesPerSave = 25;
const openAtOnce = 8;
const scrapeEveryMs = 1_000;
/** Nothing waits for editors who might come back. */
const noGrace = { environment: { CLOSING_GRACE_MS: '0' } };

/** Opens a document and saves changes in it. Resolves with its editor. */
async function edit({ server, sources }: Bench, key: string, author: number): Promise<LeanClient> {
  const client = await LeanClient.connect(localTarget(server.port), key);
  await client.signIn({
    ...{ key, userId: `u${author}-`, model: 'word' },
    ...{ documentUrl: sources.url(), callbackUrl: sources.callbackUrl },
  });
  const saver = new Saver(client, key, new WordBatches('websocket', changesPerSave).of(authorName(author)));
  await new Promise<void>((resolve) => {
    saver.onSaved = () => {
      if (saver.acknowledged === options.saves) resolve();
    };
    for (let number = 0; number < options.saves; number += 1) saver.save(performance.now());
  });
  return client;
}

/** Transactions of the database, and how often it waited for its log to be on disk. */
async function countsOf(database: pg.Client): Promise<{ transactions: number; syncs: number }> {
  const { rows } = await database.query<{ transactions: number; syncs: number }>(
    `SELECT (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS transactions,
       (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS syncs`,
  );
  return rows[0]!;
}

await runBench(async (bench) => {
  const database = new pg.Client({ connectionString: bench.server.databaseUrl });
  await database.connect();
  const rows: Row[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const editors: LeanClient[] = [];
    const saved: Promise<void>[] = [];
    await inParallel(options.documents, openAtOnce, async (number) => {
      const key = `departures-${round}-${number}`;
      saved.push(bench.sources.saved(key));
      editors.push(await edit(bench, key, round * options.documents + number));
    });
    progress(`Round ${round}: all leave`);
    const before = await countsOf(database);
    const close = await openWindow(bench.server);
    const scraping = setInterval(() => {
      fetch(`http://127.0.0.1:${bench.server.port}/metrics`).then(
        (page) => page.text(),
        () => undefined,
      );
    }, scrapeEveryMs);
    await Promise.all([...editors.map((client) => client.close()), ...saved]);
    clearInterval(scraping);
    const window = await close();
    const after = await countsOf(database);
    const each = (ms: number) => rounded(ms / options.documents);
    rows.push({
      round,
      'files/s': rounded((options.documents * 1_000) / window.elapsedMs, 1),
      'service ms/file': each(window.serviceMs),
      'database ms/file': each(window.databaseMs),
      'converter ms/file': each(window.converterMs),
      'all ms/file': each(window.serviceMs + window.databaseMs + window.converterMs),
      'transactions/file': each(after.transactions - before.transactions),
      'syncs of the log/file': each(after.syncs - before.syncs),
      'other cores': rounded(window.otherMs / window.elapsedMs),
    });
  }
  await database.end();
  report('departures', options, rows);
}, noGrace);
