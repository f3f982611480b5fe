import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, onTestFinished } from 'vitest';
import { MemoryLeases } from '../../platform/adapters/memory-coordination.ts';
import { RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { SharedCoordination } from '../../platform/adapters/shared-coordination.ts';
import type { IpcTransport } from '../../services/workers/ipc-channel.ts';
import { KeptLeases } from '../../services/workers/kept-leases.ts';
import { LeaseRuns } from '../../services/workers/lease-runs.ts';
import { WorkerHub } from '../../services/workers/worker-hub.ts';
import { WorkerLink } from '../../services/workers/worker-role.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeCoordination } from './coordination.ts';
import { describeDocumentBus } from './document-bus.ts';
import { describeNodeLeases } from './node-leases.ts';

const leaseMs = 600;
const terms = { leaseMs, renewEveryMs: leaseMs / 5 };
const directory = mkdtempSync(path.join(os.tmpdir(), 'quire-leases-'));
const runs = new LeaseRuns(directory);
const ports: MessagePort[] = [];
afterAll(() => {
  for (const port of ports) port.close();
  rmSync(directory, { recursive: true });
});

function channelOf(port: MessagePort): IpcTransport {
  ports.push(port);
  return {
    // As between processes: JSON.
    send: (message) => port.postMessage(JSON.stringify(message)),
    onMessage: (listener) => port.on('message', (text: string) => listener(JSON.parse(text))),
  };
}

function linkTo(hub: WorkerHub): WorkerLink {
  const { port1, port2 } = new MessageChannel();
  hub.connect(channelOf(port1));
  return new WorkerLink(channelOf(port2), runs);
}

function newHub(): WorkerHub {
  const leases = new KeptLeases(new MemoryLeases(), terms, runs, silentLog);
  onTestFinished(() => leases.close());
  return new WorkerHub(leases);
}

describeCoordination('workers of one server', async () => {
  const hub = newHub();
  const worker = async () => {
    const link = linkTo(hub);
    const leases = await RenewedLeases.open(link, terms, silentLog);
    onTestFinished(() => leases.close());
    return SharedCoordination.withOwnership(link, link.busOf(leases.nodeId), leases);
  };
  return [await worker(), await worker()];
});

describeDocumentBus('workers of one server', async () => {
  const hub = newHub();
  const end = (nodeId: string) => ({ nodeId, bus: linkTo(hub).busOf(nodeId) });
  return [end('one'), end('two'), end('three')];
});

describeNodeLeases('workers of one server', leaseMs, () => {
  const hub = newHub();
  return () => RenewedLeases.open(linkTo(hub), terms, silentLog);
});
