import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { removeAll, removedAtOnce, removePast } from './removal.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('[PG9] what is past is removed in portions, and what somebody holds is left for the next time', async () => {
  const { pool } = database;
  const count = 2 * removedAtOnce + 10;
  await pool.query(
    `INSERT INTO conversion_requests (name, claim, ended_at)
     SELECT n, '', now() - interval '2 days' FROM generate_series(1, $1::int) AS n`,
    [count],
  );
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM conversion_requests WHERE name = '7' FOR UPDATE`);
  const statements: unknown[] = [];
  const sql = {
    query: (...given: [string, unknown[]]) => {
      statements.push(given);
      return pool.query(...given);
    },
  } as unknown as Parameters<typeof removePast>[0];
  const past = `ended_at < now() - interval '1 day'`;
  expect(await removePast(sql, 'conversion_requests', 'name', past)).toBe(count - 1);
  expect(statements).toHaveLength(3);
  await holder.query('COMMIT');
  holder.release();
  expect(await removePast(pool, 'conversion_requests', 'name', past)).toBe(1);
});

it('[PG10] a removal of very much stops where it is told to, between two portions', async () => {
  let portions = 0;
  const removed = await removeAll(
    async () => {
      portions += 1;
      return removedAtOnce;
    },
    () => portions === 3,
  );
  expect([portions, removed]).toEqual([3, 3 * removedAtOnce]);
});
