import { execFile } from 'node:child_process';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster, ClusterNode } from './cluster.ts';
import { pick } from './editor-client.ts';
import type { HistoryStorage } from './storage.ts';
import type { Passage } from './tcp-proxy.ts';

const run = promisify(execFile);
const metricsMs = 2_000;

/** What a fault is injected into, and where its numbers come from. */
export interface FaultTarget {
  readonly cluster: Cluster;
  readonly storage: HistoryStorage;
  readonly random: () => number;
  /** Times for which harm stays are multiplied by this. */
  readonly pace: number;
  /** Whether the blob directory is a small file system of its own, which can be filled. */
  readonly hasSmallDisk: boolean;
  /** Harm that lasts while other faults come and go; all of it is over before the run comes to rest. */
  readonly meanwhile: (harm: Promise<void>) => void;
}

/** Does harm, stays for a while, and takes it back. `tell` is what it did, for the history. */
export type Fault = (target: FaultTarget, tell: (detail: string) => void) => Promise<void>;

const between = ({ random, pace }: FaultTarget, leastMs: number, mostMs: number) =>
  Math.round((leastMs + random() * (mostMs - leastMs)) * pace);

/** Restarts a node that was killed, however long it takes to come up. */
async function restart({ quire }: ClusterNode): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (!quire.isRunning) await quire.restart();
      return;
    } catch (error) {
      if (attempt === 4) throw error;
      await delay(500);
    }
  }
}

/** The worker processes of a node, as its metrics name them; none where it is one process or does not answer. */
async function workerPids({ quire }: ClusterNode): Promise<number[]> {
  try {
    const response = await fetch(`${quire.address}/metrics`, { signal: AbortSignal.timeout(metricsMs) });
    return [...(await response.text()).matchAll(/^quire_worker_pid{[^}]*} (\d+)$/gm)].map(([, pid]) =>
      Number(pid),
    );
  } catch {
    return [];
  }
}

async function cut(
  target: FaultTarget,
  tell: (detail: string) => void,
  what: string,
  set: (passage: Passage) => void,
): Promise<void> {
  const passage: Passage = target.random() < 0.5 ? 'refuses' : 'silent';
  const ms = between(target, 500, 9_000);
  tell(`${what} ${passage} for ${ms} ms`);
  set(passage);
  await delay(ms);
  set('passes');
}

/** Every kind of fault by its name. */
export const faults = {
  /** kill -9 of a node, which is started again after a while. */
  kill: async (target, tell) => {
    const { cluster, random } = target;
    const node = pick(cluster.nodes, random);
    const ms = between(target, 0, 3_000);
    tell(`${node.name}, back after ${ms} ms`);
    await node.quire.kill();
    await delay(ms);
    await restart(node);
  },
  /** kill -9 of one of the processes that a server with `WORKERS` consists of; it is started again. */
  worker: async ({ cluster, random }, tell) => {
    const node = pick(cluster.nodes, random);
    const pids = await workerPids(node);
    if (pids.length === 0) return tell('there is none');
    const pid = pick(pids, random);
    tell(`process ${pid} of ${node.name}`);
    process.kill(pid, 'SIGKILL');
  },
  /** kill -9 of a converter, which its server starts again. */
  converter: async ({ cluster, random }, tell) => {
    const pids = cluster.converterPids();
    if (pids.length === 0) return tell('none runs');
    const pid = pick(pids, random);
    tell(`process ${pid}`);
    process.kill(pid, 'SIGKILL');
  },
  /** kill -9 of Redis, or of one of a cluster of it, which comes back and has forgotten everything. */
  redis: async (target, tell) => {
    const { cluster, random } = target;
    if (!cluster.redis) return tell('there is none');
    const server = pick(cluster.redis.servers, random);
    const ms = between(target, 0, 4_000);
    tell(`back and empty after ${ms} ms`);
    await server.kill();
    await delay(ms);
    await server.startAgain();
  },
  /** The database is ended, in one of three ways, and started again. */
  postgres: async (target, tell) => {
    const { cluster, random } = target;
    const signal = pick(['SIGINT', 'SIGQUIT', 'SIGKILL'] as const, random);
    const ms = between(target, 0, 2_000);
    tell(`${signal}, back after ${ms} ms`);
    await cluster.postgres.end(signal);
    await delay(ms);
    await cluster.postgres.startAgain();
  },
  /** SIGSTOP of a node, at times for longer than its lease, then SIGCONT. */
  pause: async (target, tell) => {
    const { cluster, random } = target;
    const node = pick(cluster.nodes, random);
    const ms = between(target, 300, random() < 0.5 ? 3_000 : 16_000);
    tell(`${node.name} for ${ms} ms`);
    node.quire.signal('SIGSTOP');
    await delay(ms);
    node.quire.signal('SIGCONT');
  },
  /** A node and Redis do not reach each other. */
  'cut-redis': async (target, tell) => {
    const node = pick(target.cluster.nodes, target.random);
    if (!node.redis) return tell('there is none, or a cluster');
    await cut(target, tell, `${node.name} and Redis`, (passage) => node.redis?.set(passage));
  },
  /** A node and the database do not reach each other. */
  'cut-postgres': async (target, tell) => {
    const node = pick(target.cluster.nodes, target.random);
    await cut(target, tell, `${node.name} and PostgreSQL`, (passage) => node.database.set(passage));
  },
  /** A node and its clients do not reach each other. */
  'cut-clients': async (target, tell) => {
    const node = pick(target.cluster.nodes, target.random);
    await cut(target, tell, `${node.name} and its clients`, (passage) => node.clients.set(passage));
  },
  /** No file can be written: the disk is full or, where that takes rights this process lacks, not there. */
  disk: async (target, tell) => {
    const { cluster, hasSmallDisk } = target;
    const ms = between(target, 1_000, 6_000);
    const blobs = path.join(cluster.dataDir, 'blobs');
    tell(`${hasSmallDisk ? 'full' : 'not there'} for ${ms} ms`);
    const back = hasSmallDisk ? await fill(blobs) : await takeAway(blobs);
    await delay(ms);
    await back();
  },
  /** The integrator's storage refuses, is silent, or loses its answers. */
  storage: async (target, tell) => {
    const { storage, random } = target;
    const ms = between(target, 2_000, 12_000);
    storage.mood = pick(['refuses', 'is silent', 'loses its answers'] as const, random);
    tell(`${storage.mood} for ${ms} ms`);
    await delay(ms);
    storage.mood = 'takes';
  },
  /** The integrator's storage answers every file with an error for minutes, whatever else happens. */
  outage: async (target, tell) => {
    const { storage, meanwhile } = target;
    if (storage.isAway) return tell('is one already');
    const ms = between(target, 60_000, 150_000);
    tell(`errors for ${ms} ms`);
    storage.isAway = true;
    const end = delay(ms).then(() => {
      storage.isAway = false;
    });
    meanwhile(end);
  },
  /** The cable of a node is pulled: nothing it sends arrives anywhere, nothing reaches it. */
  isolate: async (target, tell) => {
    const node = target.cluster.nodes.find(({ cable }) => cable !== null);
    if (!node?.cable) return tell('no node has a network of its own here');
    const ms = between(target, 500, target.random() < 0.5 ? 3_000 : 12_000);
    tell(`${node.name} for ${ms} ms`);
    await node.cable.pull();
    await delay(ms);
    await node.cable.plugIn();
  },
  /** All nodes are stopped in order, one after the other or at once, and started again. */
  drain: async ({ cluster, random }, tell) => {
    const rolling = random() < 0.6;
    tell(rolling ? 'one after the other' : 'all at once');
    const again = async (node: ClusterNode) => {
      await node.quire.stop();
      await restart(node);
    };
    if (rolling) for (const node of cluster.nodes) await again(node);
    else await Promise.all(cluster.nodes.map(again));
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[];

/** Fills a file system until nothing more can be written. Returns what makes room again. */
async function fill(directory: string): Promise<() => Promise<void>> {
  const filler = path.join(directory, 'filler');
  const file = await open(filler, 'w');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    const piece = Buffer.alloc(size);
    for (let written = size; written === size; ) {
      written = (await file.write(piece).catch(() => ({ bytesWritten: 0 }))).bytesWritten;
    }
  }
  await file.close();
  return () => rm(filler, { force: true });
}

/** Puts a file in the place of a directory, so that everything in it fails. Returns what puts it back. */
async function takeAway(directory: string): Promise<() => Promise<void>> {
  const aside = `${directory}-aside`;
  await mkdir(directory, { recursive: true });
  await rename(directory, aside);
  await writeFile(directory, '');
  return async () => {
    await rm(directory, { recursive: true, force: true });
    await rename(aside, directory);
  };
}

const smallDiskBytes = 48 * 2 ** 20;

/** Mounts a small file system on a directory, where the system lets this process. Null where it does not. */
export async function mountSmallDisk(directory: string): Promise<(() => Promise<void>) | null> {
  await mkdir(directory, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${smallDiskBytes}`, 'tmpfs', directory]);
  } catch {
    return null;
  }
  return async () => {
    await run('umount', ['-l', directory]);
  };
}
