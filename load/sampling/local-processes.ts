import { readdir, readFile, readlink } from 'node:fs/promises';
import { childrenByParent, descendantsIn } from '../process-usage.ts';
import type { ProcessUsage } from '../result.ts';

type Role = ProcessUsage['role'];

/** Processes that are shown as one: a program with what it has started, but for what has a name of its own. */
export interface LocalProcess {
  role: Role;
  /** What operators call it, without a number. */
  title: string;
  /** The first of them. */
  pid: number;
  /** Those that it has started. */
  others: readonly number[];
}

/** A socket of this machine as `/proc/net/tcp` has it: proc_net(5). */
interface TcpSocket {
  localPort: number;
  remotePort: number;
  isListening: boolean;
  inode: string;
}

const titles: Readonly<Record<Role, string>> = {
  service: 'service',
  converter: 'converter',
  database: 'PostgreSQL',
  redis: 'Redis',
  generator: 'generator',
  other: 'other',
};

const listeningState = '0A';

/** How programs of databases are called, and what they are here. */
const databasePrograms: Readonly<Record<string, Role>> = {
  postgres: 'database',
  postmaster: 'database',
  'redis-server': 'redis',
  'valkey-server': 'redis',
  'keydb-server': 'redis',
};

/**
 * Finds the processes of a target that run on this machine, by the ports at which its nodes listen: the service (each worker is
 * one), the converters that it has started, and the PostgreSQL and Redis that it is connected to over TCP or has started. What runs
 * elsewhere, or in a container with a network of its own, is not found.
 *
 * Reading the open files of all processes takes long on a machine with many connections: look for nodes before these come.
 */
export class LocalProcesses {
  readonly #ports: ReadonlySet<number>;
  /** The nodes, and databases that they have not started themselves. */
  #roots: readonly { role: Role; pid: number }[] = [];

  /** @param ports of the nodes, and of converters with a port of their own */
  constructor(ports: readonly number[]) {
    this.#ports = new Set(ports);
  }

  /** Looks for the nodes and their databases. */
  async find(): Promise<void> {
    const [sockets, owners, children] = await Promise.all([tcpSockets(), socketOwners(), childrenByParent()]);
    const listeners = new Map<number, number[]>();
    for (const { localPort, isListening, inode } of sockets) {
      if (isListening)
        listeners.set(localPort, [...(listeners.get(localPort) ?? []), ...(owners.get(inode) ?? [])]);
    }
    const nodes = [...this.#ports].flatMap((port) => firstOf(listeners.get(port) ?? [], children));
    const roots = new Map<number, Role>();
    for (const pid of nodes) {
      const role = await roleOf(pid);
      if (role === 'service' || role === 'converter') roots.set(pid, role);
    }
    const family = new Set([...roots.keys()].flatMap((pid) => [pid, ...descendantsIn(children, pid)]));
    for (const { remotePort, isListening, inode } of sockets) {
      if (isListening || !(owners.get(inode) ?? []).some((pid) => family.has(pid))) continue;
      for (const pid of firstOf(listeners.get(remotePort) ?? [], children)) {
        const role = await roleOf(pid);
        if ((role === 'database' || role === 'redis') && !family.has(pid)) roots.set(pid, role);
      }
    }
    this.#roots = [...roots].map(([pid, role]) => ({ pid, role }));
  }

  /** Those that run now. */
  async list(): Promise<LocalProcess[]> {
    const children = await childrenByParent();
    const found: LocalProcess[] = [];
    for (const { pid, role } of this.#roots) {
      if (role !== 'service') {
        found.push({ role, title: titles[role], pid, others: descendantsIn(children, pid) });
        continue;
      }
      found.push({ role, title: titles[role], pid, others: [] });
      for (const child of children.get(pid) ?? []) {
        const childRole = await roleOf(child);
        const isWorker = childRole === 'service';
        const title = isWorker ? 'worker' : titles[childRole];
        found.push({
          role: childRole,
          title,
          pid: child,
          others: isWorker ? [] : descendantsIn(children, child),
        });
      }
    }
    return found;
  }
}

/** Of processes that have the same socket, those that no other of them has started. */
function firstOf(pids: readonly number[], children: ReadonlyMap<number, readonly number[]>): number[] {
  const below = new Set(pids.flatMap((pid) => descendantsIn(children, pid)));
  return [...new Set(pids)].filter((pid) => !below.has(pid));
}

/** What a process is, by its program and arguments. */
async function roleOf(pid: number): Promise<Role> {
  const [program, commandLine] = await Promise.all([
    readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
  ]);
  const database = databasePrograms[program.trim()];
  if (database !== undefined) return database;
  const words = commandLine.split('\0');
  const script = words.findIndex((word) => /(?:^|\/)quire(?:\.js)?$/.test(word));
  if (script === -1) return 'other';
  return words[script + 1] === 'worker' ? 'converter' : 'service';
}

async function tcpSockets(): Promise<TcpSocket[]> {
  const texts = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return texts.flatMap((text) =>
    text
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
        if (local === undefined || remote === undefined || inode === undefined) return [];
        return [
          {
            localPort: portOf(local),
            remotePort: portOf(remote),
            isListening: state === listeningState,
            inode,
          },
        ];
      }),
  );
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);

/** The processes that have a socket open, by its inode; of other users' only where the system lets us look. */
async function socketOwners(): Promise<Map<string, number[]>> {
  const owners = new Map<string, number[]>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const directory = `/proc/${pid}/fd`;
    const names = await readdir(directory).catch(() => []);
    const targets = await Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
    for (const target of targets) {
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode !== undefined) owners.set(inode, [...(owners.get(inode) ?? []), Number(pid)]);
    }
  }
  return owners;
}
