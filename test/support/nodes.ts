import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TcpProxy } from './histories/tcp-proxy.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** Several servers that are nodes of one installation, and one address in front of them. */
export interface TestNodes {
  /** Round robin over the nodes that run, a turn for every TCP connection. */
  readonly address: string;
  readonly nodes: readonly QuireProcess[];
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  close(): Promise<void>;
}

const settings = {
  JWT_ENABLED: 'false',
  ALLOW_PRIVATE_IP_ADDRESS: 'true',
  EXAMPLE_ENABLED: 'false',
  NODE_LEASE_MS: '15000',
};

/**
 * Starts `count` server processes on one PostgreSQL, one Redis and one directory of files; each has a data directory of
 * its own, and the first one the converter. `environment` goes to all of them.
 */
export async function startNodes(
  count: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestNodes> {
  const blobDir = await mkdtemp(path.join(os.tmpdir(), 'quire-test-blobs-'));
  const [database, redis] = await Promise.all([openTestDatabase(), startRedis()]);
  const nodes: QuireProcess[] = [];
  const leave = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
    await Promise.all([database.close(), redis.stop(), rm(blobDir, { recursive: true, force: true })]);
  };
  try {
    const started = await Promise.allSettled(
      Array.from({ length: count }, (_, number) =>
        QuireProcess.start({
          ...settings,
          DATABASE_URL: database.url,
          REDIS_URL: redis.url,
          BLOB_DIR: blobDir,
          CONVERTER_PROCESSES: number === 0 ? '1' : '0',
          ...environment,
        }),
      ),
    );
    for (const one of started) if (one.status === 'fulfilled') nodes.push(one.value);
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    const front = await TcpProxy.start(() => nodes.map(({ address }) => Number(new URL(address).port)));
    return {
      address: `http://127.0.0.1:${front.port}`,
      ...{ nodes, database, redis },
      close: async () => {
        await front.close();
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}
