/**
 * The database at size: how the statements of the server are carried out when there is very much in the tables, and
 * whether saves wait while what nobody needs any more is removed.
 *
 *     node dist/bench/database.js [--documents 100000] [--batches 5000000] [--parts 0] [--plans 0]
 *
 * A tenth of the documents is being edited and has all the batches; the others are at rest, most of them due to be
 * removed. Each statement is taken from the code that sends it, run once, and then explained with what it costs. `parts`:
 * the tables are parted into so many; `plans 1` prints whole plans.
 */
import './support/help.ts';

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { PostgresChangeLog } from '../db/change-log.ts';
import { Checkpoints } from '../db/checkpoints.ts';
import { Closing } from '../db/closing.ts';
import { Documents } from '../db/documents.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import { ForcedSaves } from '../db/forced-saves.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { migrate } from '../db/migrate.ts';
import { Outbox } from '../db/outbox.ts';
import { partitionTables } from '../db/partitions.ts';
import { openPool } from '../db/pool.ts';
import { Tidying } from '../db/tidying.ts';
import { kinds } from '../model/kinds.ts';
import { numbersFrom } from './support/bench-run.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ documents: 100_000, batches: 5_000_000, parts: 0, plans: 0 });
const silent = { info: () => {}, warn: () => {}, error: console.error };
const open = Math.floor(options.documents / 10);
const batchesEach = Math.floor(options.batches / open);

interface Sent {
  step: string;
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Total Time': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-bench-'));
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log: silent });
await migrate({ url: postgres.url });
if (options.parts > 0) await partitionTables({ url: postgres.url, partitions: options.parts });
const pool = openPool({ url: postgres.url, max: 8, statementTimeoutMs: 0, log: silent });
const sent: Sent[] = [];
let step = '';
pool.on('connect', (client) => {
  const send = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((first: unknown, ...others: unknown[]) => {
    if (step !== '' && typeof first !== 'function') {
      const given =
        typeof first === 'string' ? { text: first, values: others[0] } : (first as pg.QueryConfig);
      sent.push({ step, text: given.text, values: Array.isArray(given.values) ? given.values : [] });
    }
    return send(first, ...others);
  }) as typeof client.query;
});

const fill = async () => {
  const run = async (what: string, statement: string, values: unknown[] = []) => {
    const startedAt = performance.now();
    await pool.query(statement, values);
    progress(`${what}: ${rounded((performance.now() - startedAt) / 1_000, 1)} s`);
  };
  await run(
    'documents',
    `INSERT INTO documents (key, state, state_since, epoch, next_index, user_index, model, model_version, file_type, title,
       source_url, source_hash, base_url, opened_at, unsaved_since, store_within_ms)
     SELECT 'document-' || n, CASE WHEN n < $1 THEN 'open' WHEN n % 3 = 0 THEN 'idle' ELSE 'closed' END,
       now() - (CASE WHEN n % 10 = 0 THEN 1 ELSE 40 END) * interval '1 hour', 1 + n % 9,
       CASE WHEN n < $1 THEN $2 ELSE 0 END, 2, 'word', 2, 'docx', 'Document ' || n, 'https://host.test/files/' || n,
       md5('source ' || n / 2), 'https://quire.test', now() - interval '40 hours',
       CASE WHEN n < $1 THEN now() - (n % 600) * interval '1 second' END, CASE WHEN n % 2 = 0 THEN 600000 END
     FROM generate_series(0, $3::int - 1) AS n`,
    [open, batchesEach * 25, options.documents],
  );
  await run(
    'openings',
    `INSERT INTO openings (key, user_index, user_id, unique_id, user_name, callback_url, opened_at)
     SELECT 'document-' || n, u, 'user' || u, 'user' || u || u, 'User', 'https://host.test/callback?key=' || n,
       now() - interval '40 hours' FROM generate_series(0, $1::int - 1) AS n, generate_series(1, 2) AS u`,
    [options.documents],
  );
  await run(
    'saves',
    `INSERT INTO saves (key, epoch, status, state, callback_url, base_url, end_index, result_hash, created_at, ended_at,
       next_attempt_at)
     SELECT 'document-' || n, 1, 2, CASE WHEN n % 500 = 0 THEN 'pending' ELSE 'delivered' END, 'https://host.test/',
       'https://quire.test', 10, md5('result ' || n), now() - interval '39 hours',
       CASE WHEN n % 500 <> 0 THEN now() - interval '39 hours' END, now() - interval '1 minute'
     FROM generate_series($1::int, $2::int - 1) AS n, generate_series(1, 2)`,
    [open, options.documents],
  );
  await run(
    'opened sources',
    `INSERT INTO opened_sources (source_hash, model, model_version, files, opened_at)
     SELECT md5('source ' || n), 'word', 2, jsonb_build_object('Editor.bin', md5('model ' || n)),
       now() - interval '40 hours' FROM generate_series(0, $1::int) AS n`,
    [Math.floor(options.documents * 0.75)],
  );
  const atATime = 500;
  const changes = JSON.stringify(Array.from({ length: 25 }, () => '{"c":"abcdef","n":1,"s":{}}'));
  const startedAt = performance.now();
  for (let first = 0; first < open; first += atATime) {
    await pool.query(
      `INSERT INTO batches (key, first_index, next_index, unique_id, user_id, user_name, saved_at, changes)
       SELECT 'document-' || n, b * 25, b * 25 + 25, 'user11', 'user1', 'User', now() - interval '1 hour', $4
       FROM generate_series($1::int, $2::int - 1) AS n, generate_series(0, $3::int - 1) AS b`,
      [first, Math.min(open, first + atATime), batchesEach, changes],
    );
  }
  progress(`batches: ${rounded((performance.now() - startedAt) / 1_000, 1)} s`);
  await run('vacuum analyze', 'VACUUM (ANALYZE)');
};

const log = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
const [documents, closing, outbox] = [
  new Documents(pool),
  new Closing(pool),
  new Outbox(pool, 'bench', 60_000),
];
const [forced, checkpoints] = [new ForcedSaves(pool), new Checkpoints(pool, kinds.models)];

const batchAt = (firstIndex: number) => ({
  ...{ firstIndex, nextIndex: firstIndex + 1, savedAtMs: Date.now(), changes: '["x"]' },
  author: { uniqueId: 'user11', userId: 'user1', name: 'User' },
});

/** Every call that the server makes while people work, once. */
const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  'enter a document': () =>
    documents.enter({
      ...{ key: 'document-50', editor: true, userId: 'x', userName: 'X', callbackUrl: null, title: '' },
      ...{ baseUrl: '', fileType: 'docx', source: { url: null, vouched: false } },
    }),
  'find a document': () => documents.find('document-60'),
  'append 50 batches': () =>
    Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        log.append({ key: `document-${100 + at}`, batch: batchAt(batchesEach * 25) }),
      ),
    ),
  'read the end of a log': async () => {
    const end = batchesEach * 25;
    for await (const _page of log.read('document-70', end - 100, end));
  },
  'size of a log': () => log.sizeOf('document-70', 1_000_000),
  'newest saves of others': () => documents.newestSavesOfOthers('document-70', 'nobody'),
  'opened by many': () => documents.openedByMany('document-70'),
  'callback of an opening': () => documents.openingOf('document-70', 1, Date.now()),
  'find a checkpoint': async () => checkpoints.find((await documents.find('document-70'))!, 1_000_000),
  'ask for a forced save': () =>
    forced.request({ key: 'document-71', type: 0, initiator: null, userData: null }),
  'begin a forced save': () => forced.begin('document-71'),
  'last editor left': () => closing.lastEditorLeft('document-72', { userId: 'x', callbackUrl: null }, 0),
  'assemble and deliver': async () => {
    const document = (await closing.beginAssembly('document-72'))!;
    const result = { hash: 'f', fileType: 'docx' };
    await closing.finishAssembly(document, { result, changesHash: null, history: null, skipped: 0 });
    const claimed = await outbox.claim(1_000);
    await outbox.delivered(claimed.find(({ key }) => key === 'document-72')!);
  },
  'next callback': () => outbox.nextDueInMs(),
  'saves due (timer)': () => forced.due(),
  'saves unfinished (sweep)': () => forced.unfinished(),
  'checkpoints due (timer)': () => checkpoints.due(1_000_000, 20),
  'documents unfinished (sweep)': () => closing.unfinished(),
  'documents open (sweep)': () => closing.openKeys(),
  'oldest unsaved (metrics)': () => forced.oldestUnsavedMs(),
};

const scansOf = (node: PlanNode): string[] => {
  const own = node['Relation Name']
    ? [`${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`]
    : [];
  const index = !node['Relation Name'] && node['Index Name'] ? [node['Index Name']] : [];
  return [...own, ...index, ...(node.Plans ?? []).flatMap(scansOf)];
};

async function explain({ step: name, text, values }: Sent): Promise<Row | null> {
  if (!/^\s*(SELECT|UPDATE|INSERT|DELETE|WITH)/i.test(text)) return null;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'] as [
      { Plan: PlanNode; 'Execution Time': number },
    ];
    if (options.plans > 0) progress(`${name}\n${text}\n${JSON.stringify(plan, null, 1)}`);
    const scans = [...new Set(scansOf(plan).map((scan) => scan.replace(/_\d+(_|$)/, '_n$1')))];
    return {
      step: name,
      statement: text.replace(/\s+/g, ' ').trim().slice(0, 44),
      ms: rounded(ms, 2),
      blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      scans: scans.filter((scan) => !/^CTE|^Function/.test(scan)).join(', '),
    };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

try {
  await fill();
  for (const [name, run] of Object.entries(steps)) {
    step = name;
    await run();
  }
  step = '';
  const table: Row[] = [];
  for (const one of sent) {
    const row = await explain(one);
    if (row) table.push(row);
  }

  progress('saves beside the removal of what nobody needs');
  const ends = new Map<string, number>();
  const saveUntil = async (isOver: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (!isOver()) {
      const key = `document-${Math.floor(open / 2) + (times.length % Math.floor(open / 3))}`;
      const end = ends.get(key) ?? batchesEach * 25;
      const startedAt = performance.now();
      const { kind } = await log.append({ key, batch: batchAt(end) });
      if (kind !== 'appended') throw new Error(`a save was refused: ${kind}`);
      ends.set(key, end + 1);
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b);
  };
  const aloneUntil = performance.now() + 5_000;
  const alone = await saveUntil(() => performance.now() > aloneUntil);
  let over = false;
  const removed: Row[] = [];
  const tidying = Tidying.run(pool, async (tidying) => {
    const timed = async (what: string, run: () => Promise<number>) => {
      const startedAt = performance.now();
      const count = await run();
      removed.push({ what, count, seconds: rounded((performance.now() - startedAt) / 1_000, 1) });
    };
    const dayMs = 86_400_000;
    await timed('documents', async () => {
      let count = 0;
      for (let after: string | null = ''; after !== null; ) {
        const round: { last: string | null; removed: number } = await tidying.removeDocuments(
          { olderThanMs: dayMs, after, limit: 500 },
          () => false,
        );
        count += round.removed;
        after = round.last;
      }
      return count;
    });
    const repeated = async (remove: () => Promise<number>) => {
      let count = 0;
      for (let some = 500; some === 500; count += some) some = await remove();
      return count;
    };
    await timed('saves', () => repeated(() => tidying.removeSaves(dayMs, 500)));
    await timed('opened sources', () => repeated(() => tidying.removeOpenedSources(dayMs, 500)));
    await timed('noting of references', async () => {
      await tidying.noteReferences();
      return 1;
    });
  }).finally(() => {
    over = true;
  });
  const beside = await saveUntil(() => over);
  await tidying;
  const at = (times: number[], share: number) => rounded(times[Math.floor(times.length * share)] ?? 0, 1);
  const saves = {
    alone: { saves: alone.length, p50: at(alone, 0.5), p99: at(alone, 0.99), max: rounded(alone.at(-1)!, 1) },
    beside: {
      saves: beside.length,
      p50: at(beside, 0.5),
      p99: at(beside, 0.99),
      max: rounded(beside.at(-1)!, 1),
    },
  };
  const { rows } = await pool.query(`SELECT pg_size_pretty(pg_database_size(current_database())) AS size`);
  report('database', options, table, { postgres: postgres.version, size: rows[0].size, removed, saves });
} finally {
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
