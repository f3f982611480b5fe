import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { openPool } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function open(statementTimeoutMs: number) {
  const warnings: unknown[] = [];
  const log = { warn: (...entry: unknown[]) => void warnings.push(entry) };
  return { pool: openPool({ url: database.url, max: 2, statementTimeoutMs, log }), warnings };
}

const cut = (pid: number) => database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
const ownPid = 'SELECT pg_backend_pid() AS pid';

describe('openPool', () => {
  it('[SU30] names itself quire and cancels statements that take too long', async () => {
    const { pool } = open(50);
    const { rows } = await pool.query(`SELECT current_setting('application_name') AS name`);
    expect(rows).toEqual([{ name: 'quire' }]);
    await expect(pool.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await pool.end();
  });

  it('[SU31] survives the loss of an idle connection', async () => {
    const { pool, warnings } = open(0);
    const { pid } = (await pool.query(ownPid)).rows[0];
    await cut(pid);
    await expect.poll(() => warnings.length).toBe(1);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('[SU31] survives the loss of a connection that is checked out and idle', async () => {
    const { pool, warnings } = open(0);
    const client = await pool.connect();
    const { pid } = (await client.query(ownPid)).rows[0];
    await cut(pid);
    await expect.poll(() => warnings.length).toBe(1);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
