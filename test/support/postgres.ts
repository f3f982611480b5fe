import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openPool } from '../../db/pool.ts';
import type { PostgresTold } from './postgres-server.ts';
import { serverOfRun } from './shared-server.ts';

/** A database with every migration applied. */
export interface TestDatabase {
  url: string;
  pool: pg.Pool;
  /** Ends the pool and drops the database, also when others are still connected to it. */
  close(): Promise<void>;
}

/** Creates a database on the PostgreSQL of this run by copying a migrated one. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = await serverOfRun<PostgresTold>('postgres');
  const { url, drop } = await createDatabase(adminUrl, template);
  const pool = openTestPool(url);
  return {
    url,
    pool,
    close: async () => {
      await pool.end();
      await drop();
    },
  };
}

/** Connections to a database, which are made when they are used. */
export const openTestPool = (url: string): pg.Pool =>
  openPool({ url, max: 10, statementTimeoutMs: 30_000, log: { warn: () => {} } });

/** Creates a database without any table, for tests of the migrations themselves. */
export async function openEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl } = await serverOfRun<PostgresTold>('postgres');
  return createDatabase(adminUrl, 'template0');
}

async function createDatabase(adminUrl: string, template: string) {
  const name = `quire_test_${randomBytes(6).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** What a statement gives, over a connection of its own. The server may end while it is there. */
export async function rowsOf(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function execute(url: string, statement: string): Promise<void> {
  await rowsOf(url, statement);
}
