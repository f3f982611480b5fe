import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../../../db/migrate.ts';
import { RestartablePostgres } from '../fault-postgres.ts';
import { TestIntegrator } from '../integrator.ts';
import { QuireProcess } from '../quire-process.ts';
import { startRedis, type TestRedis } from '../redis.ts';
import { installAudit } from './audit.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Short times, and long enough for clients to come back in them. */
const settings = {
  JWT_ENABLED: 'false',
  ALLOW_PRIVATE_IP_ADDRESS: 'true',
  CLOSING_GRACE_MS: '500',
  RECONNECT_GRACE_MS: '5000',
  CALLBACK_TIMEOUT_MS: '4000',
  EXAMPLE_ENABLED: 'false',
  NODE_LEASE_MS: '3000',
};

/** One server of a cluster, with proxies between it and the parts it uses. */
export interface ClusterNode {
  readonly name: string;
  readonly quire: QuireProcess;
  /** Between clients and the node. */
  readonly clients: TcpProxy;
  readonly database: TcpProxy;
  /** Null where there is one node without Redis. */
  readonly redis: TcpProxy | null;
}

/** Nodes on one PostgreSQL, one Redis and one directory of files, and what a test needs to harm each of them. */
export class Cluster {
  readonly integrator: TestIntegrator;
  readonly postgres: RestartablePostgres;
  readonly redis: TestRedis | null;
  readonly nodes: readonly ClusterNode[];
  /** Round robin over the nodes that take connections: where clients and integrator find the servers. */
  readonly front: TcpProxy;
  readonly dataDir: string;
  #undoFiles: (() => Promise<void>) | null = null;

  private constructor(
    parts: Pick<Cluster, 'integrator' | 'postgres' | 'redis' | 'nodes' | 'front' | 'dataDir'>,
  ) {
    this.integrator = parts.integrator;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.nodes = parts.nodes;
    this.front = parts.front;
    this.dataDir = parts.dataDir;
  }

  /** `environment` goes to every node; `prepareFiles` is given the directory of blobs before the first node starts; what it gives undoes it. */
  static async start(
    size: number,
    environment: Readonly<Record<string, string>> = {},
    prepareFiles: (blobs: string) => Promise<(() => Promise<void>) | null> = async () => null,
  ): Promise<Cluster> {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-cluster-'));
    const [integrator, postgres] = await Promise.all([TestIntegrator.start(), RestartablePostgres.start()]);
    const redis = size > 1 ? await startRedis() : null;
    const nodes: ClusterNode[] = [];
    const front = await TcpProxy.start(() => nodes.map(({ clients }) => clients.port));
    const cluster = new Cluster({ integrator, postgres, redis, nodes, front, dataDir });
    try {
      await migrate({ url: postgres.url });
      await installAudit(postgres.url);
      cluster.#undoFiles = await prepareFiles(path.join(dataDir, 'blobs'));
      for (let number = 0; number < size; number += 1) {
        nodes.push(await startNode(number, cluster, environment));
      }
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Address of the front. */
  get address(): string {
    return `http://127.0.0.1:${this.front.port}`;
  }

  /** Process numbers of the converters that run. */
  converterPids(): number[] {
    const lines = this.nodes.flatMap(({ quire }) =>
      quire.log.filter(({ msg }) => msg === 'A converter is ready'),
    );
    return [...new Set(lines.map(({ pid }) => Number(pid)))].filter((pid) => this.#isOurs(pid));
  }

  async close(): Promise<void> {
    for (const { quire } of this.nodes) quire.signal('SIGCONT');
    const converters = this.converterPids();
    await Promise.all(this.nodes.map(({ quire }) => quire.remove()));
    for (const pid of converters) if (this.#isOurs(pid)) process.kill(pid, 'SIGKILL');
    await Promise.all([
      this.front.close(),
      this.integrator.close(),
      this.redis?.kill(),
      ...this.nodes.flatMap(({ clients, database, redis }) => [
        clients.close(),
        database.close(),
        redis?.close(),
      ]),
    ]);
    await this.postgres.remove();
    await this.#undoFiles?.();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Whether a process lives and belongs to this cluster; its number may be another program's by now. */
  #isOurs(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${this.dataDir}\0`);
    } catch {
      return false;
    }
  }
}

async function startNode(
  number: number,
  { postgres, redis, dataDir }: Cluster,
  environment: Readonly<Record<string, string>>,
): Promise<ClusterNode> {
  const database = await TcpProxy.start(() => [Number(new URL(postgres.url).port)]);
  const toRedis = redis ? await TcpProxy.start(() => [redis.port]) : null;
  const quire = await QuireProcess.start({
    ...settings,
    DATA_DIR: dataDir,
    BLOB_DIR: path.join(dataDir, 'blobs'),
    DATABASE_URL: throughProxy(postgres.url, database),
    ...(toRedis && { REDIS_URL: `redis://127.0.0.1:${toRedis.port}` }),
    CONVERTER_PROCESSES: number < 2 ? '1' : '0',
    ...environment,
  });
  const port = Number(new URL(quire.address).port);
  const clients = await TcpProxy.start(() => [port]);
  return { name: `node ${number}`, quire, clients, database, redis: toRedis };
}

function throughProxy(address: string, proxy: TcpProxy): string {
  const url = new URL(address);
  url.port = String(proxy.port);
  return url.href;
}
