import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openPool } from '../../db/pool.ts';
import { testServerVariable } from './postgres-server.ts';

/** A database of its own with every migration applied. */
export interface TestDatabase {
  url: string;
  pool: pg.Pool;
  /** Ends the pool and drops the database, also when others are still connected to it. */
  close(): Promise<void>;
}

/** Creates a database on the server of this run (`postgres-server.ts`) by copying a migrated one. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = await testServer();
  const { url, drop } = await createDatabase(adminUrl, template);
  const pool = openPool({ url, max: 10, statementTimeoutMs: 30_000, log: { warn: () => {} } });
  return {
    url,
    pool,
    close: async () => {
      await pool.end();
      await drop();
    },
  };
}

/** Creates a database without any table, for tests of the migrations themselves. */
export async function openEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { adminUrl } = await testServer();
  return createDatabase(adminUrl, 'template0');
}

async function createDatabase(adminUrl: string, template: string) {
  const name = `quire_test_${randomBytes(6).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function testServer(): Promise<{ adminUrl: string; template: string }> {
  const address = process.env[testServerVariable];
  if (!address) {
    throw new Error(
      'No test server: vitest.config.ts has to name test/support/postgres-server.ts as globalSetup.',
    );
  }
  const response = await fetch(address);
  const body = await response.text();
  if (!response.ok) throw new Error(`The test server did not start: ${body}`);
  return JSON.parse(body);
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
