import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
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

const quiet = { statementTimeoutMs: 0, log: { warn: () => {} } };

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

  it('[NC10] gives a connection to a save before those who came earlier', async () => {
    const { pool } = open(0);
    const busy = [await pool.connect(), await pool.connect()];
    const done: string[] = [];
    const noted = (name: string) => () => void done.push(name);
    const all = [
      pool.query('SELECT 1').then(noted('first')),
      pool.query('SELECT 1').then(noted('second')),
      pool.urgent.query('SELECT 1').then(noted('save')),
    ];
    expect(pool.waitingCount).toBe(3);
    // One connection, so that the order is that in which they get it.
    busy[0]!.release();
    await Promise.all(all);
    busy[1]!.release();
    expect(done).toEqual(['save', 'first', 'second']);
    await pool.end();
  });

  it('[SU31] survives the loss of an idle connection', async () => {
    const { pool, warnings } = open(0);
    const { pid } = (await pool.query(ownPid)).rows[0];
    await cut(pid);
    await eventually(() => expect(warnings.length).toBe(1));
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('[SU31] survives the loss of a connection that is checked out and idle', async () => {
    const { pool, warnings } = open(0);
    const client = await pool.connect();
    const { pid } = (await client.query(ownPid)).rows[0];
    await cut(pid);
    await eventually(() => expect(warnings.length).toBe(1));
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('[PG1] whoever finds no free connection in time is told so by a code, and is counted', async () => {
    const pool = openPool({ ...quiet, url: database.url, max: 1, waitMs: 50 });
    // On a busy machine the connection itself may take longer.
    const client = await eventually(() => pool.connect());
    const before = pool.timeouts;
    const busy = { name: 'DatabaseBusyError', code: 'database_busy' };
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(busy);
    await expect(pool.connect()).rejects.toMatchObject(busy);
    expect(pool.timeouts - before).toBe(2);
    client.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('[DR31] the wait for a connection that ends says that the database may not answer', async () => {
    const pool = openPool({ ...quiet, url: database.url, max: 1, waitMs: 50 });
    const client = await eventually(() => pool.connect());
    await expect(pool.query('SELECT 1')).rejects.toThrow(/PostgreSQL does not answer, or all/);
    client.release();
    await pool.end();
  });

  it('[PG2] statements with a name are prepared once, or never where that is switched off', async () => {
    for (const preparesStatements of [true, false]) {
      const pool = openPool({ ...quiet, url: database.url, max: 1, preparesStatements });
      const named = { name: 'a-name', text: 'SELECT $1::int AS given', values: [7] };
      expect((await pool.query(named)).rows).toEqual([{ given: 7 }]);
      expect((await pool.query(named)).rows).toEqual([{ given: 7 }]);
      const client = await pool.connect();
      expect((await client.query(named)).rows).toEqual([{ given: 7 }]);
      client.release();
      const { rows } = await pool.query('SELECT name FROM pg_prepared_statements');
      expect(rows).toEqual(preparesStatements ? [{ name: 'a-name' }] : []);
      await pool.end();
    }
  });

  it('[PG3] nothing but its name is set on a connection that a pooler shares', async () => {
    const pool = openPool({ ...quiet, statementTimeoutMs: 50, url: database.url, max: 1, isPooler: true });
    const { rows } = await pool.query(
      `SELECT current_setting('statement_timeout') AS timeout, current_setting('application_name') AS name`,
    );
    expect(rows).toEqual([{ timeout: '0', name: 'quire' }]);
    await pool.end();
  });
});
