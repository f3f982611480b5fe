import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { GroupCommit } from './group-commit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('[CG5] where one of them cannot be stored at all, each of those beside it has its own answer', async () => {
  const { pool } = database;
  for (const key of ['good', 'bad', 'late']) {
    await pool.query(
      `INSERT INTO documents (key, state, file_type, title, base_url) VALUES ($1, 'open', 'docx', '', '')`,
      [key],
    );
  }
  const groupSizes: number[] = [];
  const commit = new GroupCommit(pool, 1, (batches) => groupSizes.push(batches));
  const append = (key: string, firstIndex: number, changes: string) =>
    commit.append({
      key,
      batch: {
        ...{ firstIndex, nextIndex: firstIndex + 1, savedAtMs: 1_000, changes },
        author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
      },
    });
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
