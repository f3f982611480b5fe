import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { inTime } from './in-time.ts';

/** A Redis server of a test's own: in memory, on a free port. */
export interface TestRedis {
  url: string;
  port: number;
  pid(): number;
  /** Ends it as a power cut would; `startAgain` has an empty one on the same port. */
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  /** What a command answers, as `redis-cli` writes it. */
  cli(...command: readonly string[]): Promise<string>;
  /** Stops it in the middle of what it does, and lets it go on. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Whether this machine has Redis; without it, tests that need one are skipped, which vitest says. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** `options` are further arguments of `redis-server`. */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const open = () => spawnRedis(['--port', String(port), '--bind', '127.0.0.1', ...inMemory, ...options]);
  let child = await open();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      child = await open();
    },
    pid: () => child.pid!,
    cli: (...command) => redisCli(port, ...command),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
  };
}

/** A cluster of three masters, which share the slots evenly. */
export interface TestRedisCluster {
  url: string;
  nodes: readonly TestRedis[];
  /** Gives the slot of a key to another node of the cluster. No other key of the slot may hold anything. */
  moveSlotOf(key: string): Promise<void>;
  stop(): Promise<void>;
}

const slots = 16_384;

export async function startRedisCluster(): Promise<TestRedisCluster> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-redis-'));
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const clusterPort = await freePort();
      return startRedis([
        ...[
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(clusterPort),
          '--cluster-node-timeout',
          '2000',
        ],
        ...['--dir', directory, '--cluster-config-file', `${name}.conf`],
      ]);
    }),
  );
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  const share = slots / nodes.length;
  for (const [at, node] of nodes.entries()) {
    const range = [Math.ceil(at * share), Math.ceil((at + 1) * share) - 1].map(String);
    await redisCli(node.port, 'CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
    await redisCli(node.port, 'CLUSTER', 'ADDSLOTSRANGE', ...range);
  }
  const clusterPortOf = async (node: TestRedis) =>
    (await redisCli(node.port, 'CONFIG', 'GET', 'cluster-port')).split('\n')[1]!;
  for (const node of nodes.slice(1)) {
    await redisCli(
      nodes[0]!.port,
      'CLUSTER',
      'MEET',
      '127.0.0.1',
      String(node.port),
      await clusterPortOf(node),
    );
  }
  for (const node of nodes) {
    await eventually(
      () => redisCli(node.port, 'CLUSTER', 'INFO'),
      (info) => info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3'),
    );
  }
  const moveSlotOf = async (key: string) => {
    const [first] = nodes;
    const slot = await first!.cli('CLUSTER', 'KEYSLOT', key);
    const owners = await Promise.all(
      nodes.map(async (node) => [node, await node.cli('CLUSTER', 'MYID')] as const),
    );
    const at = owners.findIndex((_node, index) => Math.floor(Number(slot) / share) === index);
    const [to, id] = owners[(at + 1) % owners.length]!;
    const [from, fromId] = owners[at]!;
    await to.cli('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await from.cli('CLUSTER', 'SETSLOT', slot, 'MIGRATING', id);
    for (const node of [to, from, ...nodes]) await node.cli('CLUSTER', 'SETSLOT', slot, 'NODE', id);
  };
  return {
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    ...{ nodes, moveSlotOf, stop },
  };
}

/** What a command answers, as `redis-cli` writes it. */
export async function redisCli(port: number, ...command: readonly string[]): Promise<string> {
  const child = spawn('redis-cli', ['-p', String(port), ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answer = '';
  child.stdout.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await once(child, 'close');
  if (/^(\(error\)|ERR )/.test(answer)) throw new Error(`redis-cli ${command.join(' ')}: ${answer}`);
  return answer.trim();
}

const inMemory = ['--save', '', '--appendonly', 'no'];

async function spawnRedis(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const ready = (async () => {
    for await (const line of lines) if (line.includes('Ready to accept connections')) break;
  })();
  await inTime('Redis to be ready', ready);
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
  child.stdout.resume();
  return child;
}

/** A master, its replica and one sentinel that watches them. */
export interface TestSentinel {
  url: string;
  /** Has the replica take the place of the master. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSentinel(): Promise<TestSentinel> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-sentinel-'));
  const files = ['--dir', directory, '--repl-diskless-sync-delay', '0'];
  const master = await startRedis([...files, '--dbfilename', 'master.rdb']);
  const replica = await startRedis([
    ...files,
    ...['--dbfilename', 'replica.rdb', '--replicaof', '127.0.0.1', String(master.port)],
  ]);
  const port = await freePort();
  const file = path.join(directory, 'sentinel.conf');
  await writeFile(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      `sentinel monitor main 127.0.0.1 ${master.port} 1`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000',
    ].join('\n'),
  );
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  const told = (...command: string[]) => redisCli(port, ...command);
  const ofReplica = (answer: string) => answer.includes(String(replica.port));
  await eventually(() => told('SENTINEL', 'REPLICAS', 'main'), ofReplica);
  await eventually(
    () => replica.cli('INFO', 'replication'),
    (info) => info.includes('master_link_status:up'),
  );
  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    failOver: async () => {
      await master.kill();
      await eventually(() => told('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main'), ofReplica);
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await Promise.all([master.stop(), replica.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
