import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { GroupCommit } from './group-commit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const inOneTransaction = async (task: (client: pg.PoolClient) => Promise<void>) => {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await task(client);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
};

const openDocument = (key: string) =>
  database.pool.query(
    `INSERT INTO documents (key, state, file_type, title, base_url) VALUES ($1, 'open', 'docx', '', '')`,
    [key],
  );

const appendOf = (key: string, firstIndex: number, changes: string) => ({
  key,
  batch: {
    ...{ firstIndex, nextIndex: firstIndex + 1, savedAtMs: 1_000, changes },
    author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
  },
});

it('[CG5] where one of them cannot be stored at all, each of those beside it has its own answer', async () => {
  const { pool } = database;
  for (const key of ['good', 'bad', 'late']) await openDocument(key);
  const groupSizes: number[] = [];
  const commit = new GroupCommit(pool, 1, (batches) => groupSizes.push(batches));
  const append = (...what: Parameters<typeof appendOf>) => commit.append(appendOf(...what));
  const answers = await Promise.allSettled([
    append('good', 0, '["a"]'),
    append('late', 5, '["b"]'),
    // PostgreSQL has no place for this character.
    append('bad', 0, '["\u0000"]'),
  ]);
  expect(groupSizes).toEqual([3]);
  expect(answers).toEqual([
    { status: 'fulfilled', value: { kind: 'appended' } },
    { status: 'fulfilled', value: { kind: 'conflict', endIndex: 0, state: 'open' } },
    { status: 'rejected', reason: expect.any(Error) },
  ]);
  const { rows } = await pool.query('SELECT key, changes FROM batches');
  expect(rows).toEqual([{ key: 'good', changes: '["a"]' }]);
});

it('[CG12] who saves little waits for no large batch, and what was appended is committed when the server stops', async () => {
  for (const key of ['slow', 'slower', 'quick']) await openDocument(key);
  const commit = new GroupCommit(database.pool, 1);
  const large = JSON.stringify(['j'.repeat(300_000)]);
  const answered: string[] = [];
  const append = async (key: string, changes: string) => {
    const { kind } = await commit.append(appendOf(key, 0, changes));
    answered.push(`${key} ${kind}`);
  };
  let appends: Promise<void>[] = [];
  await inOneTransaction(async (client) => {
    await client.query(`SELECT FROM documents WHERE key = 'slow' FOR UPDATE`);
    appends = ['slow', 'slower'].map((key) => append(key, large));
    await append('quick', '["a"]');
    // Large ones are appended one at a time, in the order in which they came.
    expect(answered).toEqual(['quick appended']);
  });
  await commit.drained();
  await Promise.all(appends);
  expect(answered).toEqual(['quick appended', 'slow appended', 'slower appended']);
  const { rows } = await database.pool.query('SELECT key FROM batches WHERE changes = $1 ORDER BY key', [
    large,
  ]);
  expect(rows).toEqual([{ key: 'slow' }, { key: 'slower' }]);
});
