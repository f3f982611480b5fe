import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../model/kinds.ts';
import { describeChangeLog } from '../test/contract/change-log.ts';
import { openEmptyDatabase } from '../test/support/postgres.ts';
import { PostgresChangeLog } from './change-log.ts';
import { Checkpoints } from './checkpoints.ts';
import { Closing } from './closing.ts';
import { Documents } from './documents.ts';
import { ForcedSaves } from './forced-saves.ts';
import { Forgotten } from './forgotten.ts';
import { GroupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { Outbox } from './outbox.ts';
import { partitionedTables, partitionTables } from './partitions.ts';
import { type BoundedPool, openPool } from './pool.ts';
import { Tidying } from './tidying.ts';

let url: string;
let drop: () => Promise<void>;
let pool: BoundedPool;
/** Names of indexes and constraints before and after. */
let namesBefore: string[];

const partitions = 4;
const connect = () => openPool({ url, max: 5, statementTimeoutMs: 30_000, log: { warn() {} } });

const names = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT conrelid::regclass || '.' || conname || ' ' || pg_get_constraintdef(oid) AS name FROM pg_constraint
     WHERE conrelid::regclass::text = ANY($1) AND contype <> 'n'
     UNION SELECT indexrelid::regclass || ' ' || replace(pg_get_indexdef(indexrelid), ' ONLY', '') FROM pg_index
     WHERE indrelid::regclass::text = ANY($1) ORDER BY 1`,
    [partitionedTables],
  );
  return rows.map(({ name }) => name);
};

const batch = (firstIndex: number, ...changes: string[]) => ({
  ...{ firstIndex, nextIndex: firstIndex + changes.length, savedAtMs: Date.now() },
  author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
  changes: JSON.stringify(changes),
});

async function open(key: string): Promise<void> {
  const documents = new Documents(pool);
  await documents.enter({
    ...{ key, editor: true, userId: 'ann', userName: 'Ann', callbackUrl: 'http://host.test/' },
    ...{ baseUrl: 'http://quire.test', fileType: 'docx', title: 'a', source: { url: null, vouched: false } },
  });
  const opened = {
    sourceHash: `source of ${key}`,
    model: 'word',
    fileType: 'docx',
    editorsPresent: true,
  } as const;
  await documents.opened(key, opened);
  const log = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
  await log.append({ key, batch: batch(0, 'a', 'b') });
}

const assembly = { result: { hash: 'f', fileType: 'docx' }, changesHash: null, history: null, skipped: 0 };

beforeAll(async () => {
  ({ url, drop } = await openEmptyDatabase());
  await migrate({ url });
  pool = connect();
  namesBefore = await names();
  for (let number = 0; number < 20; number += 1) await open(`before-${number}`);
  await expect(partitionTables({ url, partitions })).rejects.toThrow('Stop them first');
  await pool.end();
  expect(await partitionTables({ url, partitions })).toEqual([...partitionedTables]);
  expect(await partitionTables({ url, partitions })).toEqual([]);
  pool = connect();
});
afterAll(async () => {
  await pool?.end();
  await drop();
});

describe('parted tables', () => {
  describeChangeLog('PostgreSQL, parted', async () => ({
    log: new PostgresChangeLog(pool, new GroupCommit(pool, 1)),
    create: async (key, state) => {
      await pool.query(
        `INSERT INTO documents (key, state, file_type, title, base_url) VALUES ($1, $2, 'docx', '', '')`,
        [key, state],
      );
    },
    close: async () => undefined,
  }));

  it('[PG6] have all that was in the tables, spread over the parts, and their indexes and constraints by name', async () => {
    expect(await names()).toEqual(namesBefore);
    const { rows } = await pool.query(
      `SELECT count(*)::int AS documents, count(DISTINCT tableoid)::int AS parts FROM documents
       WHERE key LIKE 'before-%'`,
    );
    expect(rows).toEqual([{ documents: 20, parts: partitions }]);
    const log = new PostgresChangeLog(pool, new GroupCommit(pool, 0));
    expect(await log.append({ key: 'before-7', batch: batch(2, 'c') })).toEqual({ kind: 'appended' });
    const options = await pool.query(`SELECT reloptions FROM pg_class WHERE relname = 'documents_0'`);
    expect(options.rows[0].reloptions).toContain('fillfactor=80');
  });

  it('[PG7] carry documents through force save, closing, delivery, forgetting, and removal', async () => {
    const [closing, outbox, forced] = [
      new Closing(pool),
      new Outbox(pool, 'node', 60_000),
      new ForcedSaves(pool),
    ];
    const [documents, checkpoints] = [new Documents(pool), new Checkpoints(pool, kinds.models)];
    await open('life');
    const row = (await documents.find('life'))!;
    expect(await checkpoints.record(row, { endIndex: 2, hash: 'c' })).toBe(true);
    await forced.request({ key: 'life', type: 0, initiator: null, userData: null });
    const wanted = (await forced.begin('life'))!;
    expect(await forced.finish(wanted, assembly)).toBe(true);
    const [six] = (await outbox.claim(10)).filter(({ key }) => key === 'life');
    expect(await outbox.forcedDelivered(six!)).toMatchObject({ index: 2 });
    await closing.lastEditorLeft('life', { userId: 'ann', callbackUrl: null }, 0);
    expect(await closing.finishAssembly((await closing.beginAssembly('life'))!, assembly)).toBe(true);
    const [two] = (await outbox.claim(10)).filter(({ key }) => key === 'life');
    await outbox.retryLater(two!, 'refused', 0, new Date());
    const [again] = (await outbox.claim(10)).filter(({ key }) => key === 'life');
    await outbox.delivered(again!);
    expect(await documents.find('life')).toMatchObject({ state: 'closed', nextIndex: 0 });

    await open('lost');
    await closing.lastEditorLeft('lost', { userId: 'ann', callbackUrl: null }, 0);
    await closing.finishAssembly((await closing.beginAssembly('lost'))!, { ...assembly, result: null });
    const [three] = (await outbox.claim(10)).filter(({ key }) => key === 'lost');
    await outbox.giveUp(three!, 'refused');
    expect(await new Forgotten(pool).find('lost')).toMatchObject({ resultHash: null });
    await new Forgotten(pool).delete('lost');

    const removed = await Tidying.run(pool, async (tidying) => {
      await pool.query(`UPDATE openings SET opened_at = now() - interval '1 day'`);
      await tidying.removeDocuments({ olderThanMs: 0, after: '', limit: 100 }, () => false);
      await tidying.removeSaves(0, 100);
      await tidying.noteReferences();
    });
    expect(removed).toBe(true);
    expect(await documents.find('life')).toBeNull();
    expect(await documents.find('lost')).toBeNull();
  });

  it('[PG8] are reached by key in one part alone, by plans that are made once', async () => {
    const plan = async (statement: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await client.query('SET plan_cache_mode = force_generic_plan');
        await client.query(`PREPARE one (text) AS ${statement}`);
        const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE one ('before-3')`);
        return JSON.stringify(rows[0]['QUERY PLAN']);
      } finally {
        await client.end();
      }
    };
    for (const statement of [
      'SELECT next_index FROM documents WHERE key = $1 FOR UPDATE',
      'SELECT changes FROM batches WHERE key = $1 AND next_index > 0 ORDER BY first_index',
      `UPDATE saves SET vetoed = true WHERE key = $1 AND id = 5`,
      'DELETE FROM openings WHERE key = $1',
    ]) {
      expect(await plan(statement)).toContain(`"Subplans Removed":${partitions - 1}`);
    }
  });
});
