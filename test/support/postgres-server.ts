import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { partitionTables } from '../../db/partitions.ts';

/** Name of the environment variable that tells the workers of vitest where this run's server can be asked for. */
export const testServerVariable = 'QUIRE_TEST_SERVER';

interface TestServer {
  adminUrl: string;
  template: string;
  stop(): Promise<void>;
}

/**
 * vitest's global set-up: one PostgreSQL for the whole run, started when the first test file asks for a database,
 * so that runs without one cost nothing. With `TEST_DATABASE_URL` set, it is that server and nothing is started. With
 * `TEST_DATABASE_PARTITIONS` set, the tables of documents are parted into so many.
 *
 * @returns the teardown, which stops the server and removes its data
 */
export default async function setup(): Promise<() => Promise<void>> {
  let starting: Promise<TestServer> | undefined;
  const door = createServer(async (_request, response) => {
    starting ??= startServer();
    try {
      const { adminUrl, template } = await starting;
      response.end(JSON.stringify({ adminUrl, template }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  process.env[testServerVariable] = `http://127.0.0.1:${address.port}`;
  return async () => {
    door.close();
    door.closeAllConnections();
    const server = await starting?.catch(() => undefined);
    await server?.stop();
  };
}

async function startServer(): Promise<TestServer> {
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
    return await withTemplate(server.url, leave);
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Creates a migrated database to copy from; it is dropped again before the server is left. */
async function withTemplate(adminUrl: string, leave: () => Promise<void>): Promise<TestServer> {
  const template = `quire_template_${randomBytes(6).toString('hex')}`;
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const drop = () => run(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await run(`CREATE DATABASE ${template} TEMPLATE template0`);
  try {
    await migrate({ url: url.href });
    const partitions = Number(process.env.TEST_DATABASE_PARTITIONS ?? 0);
    if (partitions > 0) await partitionTables({ url: url.href, partitions });
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    adminUrl,
    template,
    stop: async () => {
      await drop();
      await leave();
    },
  };
}
