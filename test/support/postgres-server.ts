import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { partitionTables } from '../../db/partitions.ts';
import type { SharedServer } from './shared-server.ts';

/** What test files are told of the PostgreSQL of the run. */
export interface PostgresTold {
  /** The address of a database in which others can be created. */
  adminUrl: string;
  /** The name of a database with every migration applied, to copy from. */
  template: string;
}

/**
 * Starts the PostgreSQL of a run. With `TEST_DATABASE_URL` set, it is that server and nothing is started. With
 * `TEST_DATABASE_PARTITIONS` set, the tables of documents are parted into so many.
 */
export async function startPostgres(): Promise<SharedServer<PostgresTold>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return withTemplate(given, async () => {});
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-postgres-'));
  let server: EmbeddedPostgres | undefined;
  const leave = async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    server = await startEmbeddedPostgres({ directory, log: { info: () => {}, error: console.error } });
    await waitForNoDisk(server.url);
    return await withTemplate(server.url, leave);
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Has commits and dropped databases wait for no disk: what the server holds goes with the run, and nothing cuts its power. */
async function waitForNoDisk(url: string): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) await run(url, `ALTER SYSTEM SET ${setting} = off`);
  await run(url, 'SELECT pg_reload_conf()');
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Creates a migrated database to copy from; it is dropped again before the server is left. */
async function withTemplate(
  adminUrl: string,
  leave: () => Promise<void>,
): Promise<SharedServer<PostgresTold>> {
  const template = `quire_template_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  const drop = () => run(adminUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await run(adminUrl, `CREATE DATABASE ${template} TEMPLATE template0`);
  try {
    await migrate({ url: url.href });
    const partitions = Number(process.env.TEST_DATABASE_PARTITIONS ?? 0);
    if (partitions > 0) await partitionTables({ url: url.href, partitions });
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    told: { adminUrl, template },
    // Databases of files that are under way are in it: without it they fail, whatever is started in its place.
    isRunning: () => true,
    stop: async () => {
      await drop();
      await leave();
    },
  };
}
