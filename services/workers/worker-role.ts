import process from 'node:process';
import type { Environment } from '../../platform/config.ts';
import { SessionForwarding } from './session-forwarding.ts';
import { WorkerLink } from './worker-link.ts';
import { workerVariable } from './worker-processes.ts';

/** Directory of the sockets over which workers forward requests to each other. */
export const socketsVariable = 'QUIRE_WORKER_DOORS';

/** What a process is to others of the same server: one of several workers behind one port. */
export interface WorkerRole {
  /** From 1. */
  number: number;
  link: WorkerLink;
  forwarding: SessionForwarding;
}

/** The role of this process; null when no primary process has started it. */
export function workerRole(environment: Environment, ownMetrics: () => Promise<object[]>): WorkerRole | null {
  const number = Number(environment[workerVariable]);
  const directory = environment[socketsVariable];
  if (!number || !directory || !process.send) return null;
  const link = new WorkerLink(
    {
      send: (message) => {
        if (process.connected) process.send!(message, undefined, undefined, () => undefined);
      },
      onMessage: (listener) => process.on('message', listener),
    },
    { metrics: ownMetrics },
  );
  return { number, link, forwarding: new SessionForwarding(directory, number) };
}
