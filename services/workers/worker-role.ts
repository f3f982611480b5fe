import type { Socket } from 'node:net';
import process from 'node:process';
import type { LeaseStore } from '../../platform/adapters/renewed-leases.ts';
import type { SharedValueStore, VersionedValue } from '../../platform/adapters/shared-coordination.ts';
import type { Environment } from '../../platform/config.ts';
import type { Descriptors } from '../../platform/descriptors.ts';
import type { DocumentBus, DocumentListener, SharedList } from '../../platform/ports/coordination.ts';
import type { Busyness } from './busy-workers.ts';
import { type Handlers, IpcChannel, type IpcTransport } from './ipc-channel.ts';
import type { KeptAnswer } from './kept-leases.ts';
import { LeaseRuns, machineNowMs } from './lease-runs.ts';
import { SessionForwarding, type WrittenUpgrade } from './session-forwarding.ts';
import { workerVariable } from './worker-processes.ts';

/** A worker's end of the channel to its primary process: what the workers of one server share. */
export class WorkerLink implements SharedValueStore, LeaseStore {
  readonly #channel: IpcChannel;
  readonly #listeners = new Map<string, DocumentListener>();
  readonly #runs: LeaseRuns;
  /** Which run of its lease this worker knows of; 0 before it has one. */
  #run = 0;

  /** `runs`: where the primary process tells of leases that it keeps. `handlers`: further requests of the primary process. */
  constructor(transport: IpcTransport, runs: LeaseRuns, handlers: Handlers = {}) {
    this.#runs = runs;
    this.#channel = new IpcChannel(transport, {
      ...handlers,
      received: (key: string, from: string, text: string) => this.#listeners.get(key)?.received(from, text),
      interrupted: (key: string) => this.#listeners.get(key)?.interrupted(),
    });
  }

  /** Asks the primary process something that is not about documents. */
  ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#channel.ask(name, ...args);
  }

  notify(name: string, ...args: readonly unknown[]): void {
    this.#channel.notify(name, ...args);
  }

  /** Gives a connection to the primary process: see {@link IpcChannel.give}. */
  give(name: string, socket: Socket, ...args: readonly unknown[]): boolean {
    return this.#channel.give(name, socket, ...args);
  }

  async compareAndPut(
    documentKey: string,
    name: string,
    expected: string,
    content: VersionedValue | null,
  ): Promise<VersionedValue | null> {
    return (await this.ask('put', documentKey, name, expected, content)) as VersionedValue | null;
  }

  async append(documentKey: string, list: SharedList, entry: string): Promise<void> {
    await this.ask('append', documentKey, list, entry);
  }

  async entries(documentKey: string, name: string): Promise<readonly string[]> {
    return (await this.ask('entries', documentKey, name)) as readonly string[];
  }

  async clear(documentKey: string, name: string): Promise<void> {
    await this.ask('clear', documentKey, name);
  }

  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const { run, living } = (await this.ask('renew', nodeId, leaseMs)) as KeptAnswer;
    const ran = run === this.#run;
    this.#run = run;
    return { ran, living };
  }

  letGo(nodeId: string): void {
    this.notify('letGo', nodeId);
  }

  keptUntilMs(nodeId: string): number {
    const kept = this.#runs.read(nodeId);
    return kept?.run === this.#run ? kept.untilMs - machineNowMs() + performance.now() : 0;
  }

  busOf(nodeId: string): DocumentBus {
    return {
      publish: (key, text) => this.notify('publish', nodeId, key, text),
      publishConfirmed: async (key, text) =>
        (await this.ask('publishConfirmed', nodeId, key, text)) as boolean,
      isConnected: () => true,
      listen: async (key, listener) => {
        if (this.#listeners.has(key)) throw new Error('A document has one listener on a node');
        this.#listeners.set(key, listener);
        const end = () => {
          if (this.#listeners.get(key) !== listener) return;
          this.#listeners.delete(key);
          this.notify('unlisten', key);
        };
        try {
          await this.ask('listen', nodeId, key);
        } catch (error) {
          end();
          throw error;
        }
        return end;
      },
    };
  }
}

/** Directory of what the workers of a server share: the sockets over which they forward requests, and the file of their leases. */
export const sharedDirectoryVariable = 'QUIRE_WORKER_DOORS';

/** This process as one of several workers of a server behind one port. */
export interface WorkerRole {
  /** From 1. */
  number: number;
  link: WorkerLink;
  forwarding: SessionForwarding;
}

/** What the primary process may ask a worker for. */
interface WorkerAnswers {
  metrics(): Promise<object[]>;
  /** The primary process ends of an error that nobody caught: what was received is to be stored. */
  halt(): Promise<void>;
  /** A newcomer was turned away for another worker, to which more come than it can let in. */
  turnedAway(): void;
}

/** The role of this process as one of `workers`; null when no primary process has started it. */
export function workerRole(
  environment: Environment,
  workers: number,
  descriptors: Descriptors,
  { metrics, halt, turnedAway }: WorkerAnswers,
): WorkerRole | null {
  const number = Number(environment[workerVariable]);
  const directory = environment[sharedDirectoryVariable];
  if (!number || !directory || !process.send) return null;
  const link = new WorkerLink(
    {
      send: (message, socket, sent) => {
        if (process.connected) process.send!(message, socket, undefined, sent);
        else sent?.();
      },
      onMessage: (listener) =>
        process.on('message', (message, handle) => listener(message, handle as Socket | undefined)),
    },
    new LeaseRuns(directory),
    {
      metrics,
      halt,
      busy: (other: number, busyness: Busyness) =>
        forwarding.busy.learned(other, busyness, performance.now()),
      takeOver: (upgrade: WrittenUpgrade, socket?: Socket) => forwarding.takeOver(upgrade, socket),
    },
  );
  const handOver = (to: number, upgrade: WrittenUpgrade, socket: Socket) =>
    link.give('handOver', socket, to, upgrade);
  const forwarding = new SessionForwarding(directory, { number, workers }, descriptors, handOver, turnedAway);
  return { number, link, forwarding };
}
