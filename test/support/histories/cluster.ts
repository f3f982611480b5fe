import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../../../db/migrate.ts';
import { RestartablePostgres } from '../fault-postgres.ts';
import { TestIntegrator } from '../integrator.ts';
import { TestNginx } from '../nginx.ts';
import { QuireProcess } from '../quire-process.ts';
import { startRedis, startRedisCluster } from '../redis.ts';
import { installAudit } from './audit.ts';
import { mayMakeNetworks, NodeNetwork } from './node-network.ts';
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
  /** Null where there is one node without Redis, or a cluster of Redis. */
  readonly redis: TcpProxy | null;
  /** What connects it to everything else, where it has a network of its own. */
  readonly cable: NodeNetwork | null;
}

/** Redis as faults need it: one server, or three that make a cluster. */
interface ClusterRedis {
  /** For nodes; null: through a proxy to this port. */
  readonly url: string | null;
  readonly port: number;
  /** Each of the servers. */
  readonly servers: readonly { kill(): Promise<void>; startAgain(): Promise<void> }[];
  stop(): Promise<void>;
}

/** What else a cluster may be asked for. */
export interface ClusterOptions {
  /** Is given the directory of blobs before the first node starts; what it gives undoes it. */
  readonly prepareFiles?: (blobs: string) => Promise<(() => Promise<void>) | null>;
  readonly redisCluster?: boolean;
  /** What distributes connections: each to the next node, or nginx as it is shipped, by the document. */
  readonly front?: 'turns' | 'nginx';
  /** Whether the last node has a network of its own, where this process may make one. */
  readonly hasCable?: boolean;
}

/** Nodes on one PostgreSQL, one Redis and one directory of files, and what a test needs to harm each of them. */
export class Cluster {
  readonly integrator: TestIntegrator;
  readonly postgres: RestartablePostgres;
  readonly redis: ClusterRedis | null;
  readonly nodes: readonly ClusterNode[];
  readonly dataDir: string;
  readonly network: NodeNetwork | null;
  #front: TestNginx | TcpProxy | null = null;
  #undoFiles: (() => Promise<void>) | null = null;

  private constructor(
    parts: Pick<Cluster, 'integrator' | 'postgres' | 'redis' | 'nodes' | 'dataDir' | 'network'>,
  ) {
    this.integrator = parts.integrator;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.nodes = parts.nodes;
    this.dataDir = parts.dataDir;
    this.network = parts.network;
  }

  /** `environment` goes to every node. */
  static async start(
    size: number,
    environment: Readonly<Record<string, string>> = {},
    { prepareFiles, redisCluster = false, front = 'turns', hasCable = false }: ClusterOptions = {},
  ): Promise<Cluster> {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-cluster-'));
    // The servers of a cluster of Redis tell each node their addresses, which are of this machine alone.
    const mayHaveCable = hasCable && !redisCluster && size > 1 && mayMakeNetworks;
    const network = mayHaveCable ? await NodeNetwork.make() : null;
    const [integrator, postgres] = await Promise.all([
      TestIntegrator.start(network?.hostAddress),
      RestartablePostgres.start(),
    ]);
    const redis = size > 1 ? await openRedis(redisCluster) : null;
    const nodes: ClusterNode[] = [];
    const cluster = new Cluster({ integrator, postgres, redis, nodes, dataDir, network });
    try {
      await migrate({ url: postgres.url });
      await installAudit(postgres.url);
      cluster.#undoFiles = (await prepareFiles?.(path.join(dataDir, 'blobs'))) ?? null;
      for (let number = 0; number < size; number += 1) {
        nodes.push(await startNode(number, cluster, environment, number === size - 1 ? network : null));
      }
      cluster.#front = front === 'nginx' ? await nginxTo(nodes) : await turnsTo(nodes);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Where clients and integrator find the servers. */
  get address(): string {
    return `http://127.0.0.1:${this.#front!.port}`;
  }

  /** Where long-polling sessions find their node: with connections in turn, each has one of its own. */
  stickyAddress(random: () => number): string {
    if (this.#front instanceof TestNginx) return this.address;
    return `http://127.0.0.1:${this.nodes[Math.floor(random() * this.nodes.length)]!.clients.port}`;
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
    await Promise.all(this.nodes.map(({ quire }) => quire.kill()));
    // One that was paused does not notice that its node has gone.
    for (const pid of converters) if (this.#isOurs(pid)) process.kill(pid, 'SIGKILL');
    await Promise.all(this.nodes.map(({ quire }) => quire.remove()));
    await Promise.all([
      this.#front?.close(),
      this.integrator.close(),
      this.redis?.stop(),
      ...this.nodes.flatMap(({ clients, database, redis }) => [
        clients.close(),
        database.close(),
        redis?.close(),
      ]),
    ]);
    await this.network?.remove();
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

/** In turn, as a simple load balancer does: who refuses connections is left out. */
const turnsTo = (nodes: readonly ClusterNode[]): Promise<TcpProxy> =>
  TcpProxy.start(() => nodes.filter(({ quire }) => quire.isRunning).map(({ clients }) => clients.port));

const nginxTo = (nodes: readonly ClusterNode[]): Promise<TestNginx> =>
  TestNginx.start(nodes.map(({ clients }) => clients.port));

async function openRedis(isCluster: boolean): Promise<ClusterRedis> {
  if (!isCluster) {
    const server = await startRedis();
    return { url: null, port: server.port, servers: [server], stop: () => server.stop() };
  }
  const { url, nodes, stop } = await startRedisCluster();
  return { url, port: nodes[0]!.port, servers: nodes, stop };
}

async function startNode(
  number: number,
  { postgres, redis, dataDir }: Cluster,
  environment: Readonly<Record<string, string>>,
  cable: NodeNetwork | null,
): Promise<ClusterNode> {
  // What a node with a network of its own talks to is at the other end of its cable.
  const host = cable?.hostAddress ?? '127.0.0.1';
  const database = await TcpProxy.start(() => [Number(new URL(postgres.url).port)], host);
  const toRedis = redis && redis.url === null ? await TcpProxy.start(() => [redis.port], host) : null;
  const redisUrl = toRedis ? `redis://${host}:${toRedis.port}` : redis?.url;
  const databaseUrl = new URL(postgres.url);
  databaseUrl.host = `${host}:${database.port}`;
  const quire = await QuireProcess.start(
    {
      ...settings,
      DATA_DIR: dataDir,
      BLOB_DIR: path.join(dataDir, 'blobs'),
      DATABASE_URL: databaseUrl.href,
      ...(redisUrl && { REDIS_URL: redisUrl }),
      ...(cable && { HOST: cable.nodeAddress }),
      CONVERTER_PROCESSES: number < 2 ? '1' : '0',
      ...environment,
    },
    cable ? { within: cable.command } : {},
  );
  const { hostname, port } = new URL(quire.address);
  const clients = await TcpProxy.start(() => [{ host: hostname, port: Number(port) }]);
  return { name: `node ${number}`, quire, clients, database, redis: toRedis, cable };
}
