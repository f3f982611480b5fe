/**
 * Joining late: what it costs to come into a long text document in which very much has been changed, with the whole log
 * and from a checkpoint.
 *
 *     node dist/bench/late-joining.js [--pages 40] [--small 20000] [--large 100000] [--every 5000] [--tail 2500]
 *         [--joins 5]
 *
 * An editor of the word model makes the changes, and checkpoints are made beside it as they always are. Then others come:
 * sessions of the client library as pages have them. The time is until the document can be edited, the cost the CPU time
 * of the service and of the newcomer, the size that of all messages and files a newcomer gets.
 */
import './support/help.ts';

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { socketIoDial } from '../client/index.ts';
import { WordSession } from '../client/word/word-session.ts';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { frameOf } from '../load/wire/frames.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { openWindow } from './support/load-window.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { Typist } from './support/typist.ts';

const options = numbersFrom({
  pages: 40,
  small: 20_000,
  large: 100_000,
  every: 5_000,
  tail: 2_500,
  joins: 5,
});
const changesPerSave = 100;
/** Longer than the server takes to look for documents that need a checkpoint, and to make one on a busy machine. */
const checkpointDeadlineMs = 300_000;

const source = longDocument(options.pages);
const storage = createServer((_request, response) => {
  response.setHeader('Content-Length', source.byteLength).end(source);
});
storage.listen(0, '127.0.0.1');
await once(storage, 'listening');
const documentUrl = `http://127.0.0.1:${(storage.address() as AddressInfo).port}/long.docx`;

async function save(client: LeanClient, changes: readonly string[]): Promise<void> {
  const granted = client.next('saveLock');
  client.send(frameOf({ type: 'isSaveLock' }));
  await granted;
  const acknowledged = client.next('unSaveLock');
  client.send(
    frameOf({
      ...{ type: 'saveChanges', changes: JSON.stringify(changes), deleteIndex: null, isCoAuthoring: false },
      ...{ startSaveChanges: true, endSaveChanges: true, releaseLocks: false },
    }),
  );
  await acknowledged;
}

/** Where the newest checkpoint of a document ends. */
async function checkpointOf(database: pg.Client, key: string): Promise<number> {
  const { rows } = await database.query<{ index: number }>(
    'SELECT end_index AS index FROM checkpoints WHERE key = $1',
    [key],
  );
  return rows[0]?.index ?? 0;
}

interface Joined {
  readyMs: number;
  bytes: number;
  version: number;
  close: () => void;
}

/** Somebody comes. `whole`: with an id that may have changes in the log, which makes the client ask for all of it. */
async function join(
  { server, sources }: Bench,
  key: string,
  whole: boolean,
  counts: boolean,
): Promise<Joined> {
  let bytes = 0;
  const url = `http://127.0.0.1:${server.port}`;
  const dial = socketIoDial({ url, key, engine: 'websocket' });
  const session = new WordSession({
    ...{ url, key },
    ...(counts && {
      transport: (credentials, handlers) =>
        dial(credentials, {
          ...handlers,
          message: (value) => {
            bytes += JSON.stringify(value).length;
            handlers.message(value);
          },
        }),
    }),
    auth: {
      user: { id: 'late' },
      documentCallbackUrl: sources.callbackUrl,
      openCmd: { format: 'docx', url: documentUrl, title: 'long.docx' },
    },
    download: async (address) => {
      const text = await (await fetch(address)).text();
      bytes += text.length;
      return text;
    },
    ...(whole && { clientId: 'whole' }),
  });
  const startedAt = performance.now();
  await session.open();
  const readyMs = performance.now() - startedAt;
  return { readyMs, bytes, version: session.version, close: () => session.client.abort() };
}

await runBench(
  async (bench) => {
    const database = new pg.Client({ connectionString: bench.server.databaseUrl });
    // It ends with the server when something fails.
    database.on('error', () => undefined);
    await database.connect();
    const rows: Row[] = [];
    for (const count of [options.small, options.large]) {
      const key = `late-${count}`;
      const { callbackUrl } = bench.sources;
      const writer = await LeanClient.connect(localTarget(bench.server.port), key);
      await writer.signIn({ ...{ key, documentUrl, callbackUrl }, userId: 'writer', model: 'word' });
      const typist = new Typist(openDocx(source).doc);
      progress(`${count} changes are made`);
      for (let made = 0; made < count; made += changesPerSave)
        await save(writer, typist.next(changesPerSave));
      progress('a checkpoint is waited for');
      const deadline = performance.now() + checkpointDeadlineMs;
      while ((await checkpointOf(database, key)) < count - options.every && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      for (let made = 0; made < options.tail; made += changesPerSave) {
        await save(writer, typist.next(changesPerSave));
      }
      const checkpoint = await checkpointOf(database, key);
      for (const whole of [true, false]) {
        const { bytes, version, close: leave } = await join(bench, key, whole, true);
        leave();
        const times: number[] = [];
        const close = await openWindow(bench.server);
        for (let number = 0; number < options.joins; number += 1) {
          const joined = await join(bench, key, whole, false);
          if (joined.version !== version) throw new Error('a newcomer has another document');
          times.push(joined.readyMs);
          joined.close();
        }
        const window = await close();
        const row = {
          changes: version,
          begins: whole ? 'with the whole log' : `at ${checkpoint}`,
          ...timesOf('ready', times),
          KB: rounded(bytes / 1_024, 0),
          'service ms/join': rounded(window.serviceMs / options.joins, 1),
          'database ms/join': rounded(window.databaseMs / options.joins, 1),
          'newcomer ms/join': rounded(window.loadMs / options.joins, 1),
        };
        rows.push(row);
        progress(JSON.stringify(row));
      }
      await writer.close();
    }
    await database.end();
    storage.close();
    report('late-joining', options, rows);
  },
  { environment: { CHECKPOINT_EVERY: String(options.every) } },
);
