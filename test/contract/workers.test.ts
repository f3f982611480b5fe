import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { SharedCoordination } from '../../platform/adapters/shared-coordination.ts';
import type { Config } from '../../platform/config.ts';
import { openNodes } from '../../services/composition/nodes.ts';
import { Shutdown } from '../../services/composition/shutdown.ts';
import type { IpcTransport } from '../../services/workers/ipc-channel.ts';
import { WorkerHub } from '../../services/workers/worker-hub.ts';
import { WorkerLink, type WorkerRole } from '../../services/workers/worker-role.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeCoordination } from './coordination.ts';
import { describeDocumentBus } from './document-bus.ts';
import { describeNodeLeases } from './node-leases.ts';

const leaseMs = 600;
const terms = { leaseMs, renewEveryMs: leaseMs / 5 };
const ports: MessagePort[] = [];
afterAll(() => {
  for (const port of ports) port.close();
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
  return new WorkerLink(channelOf(port2));
}

describeCoordination('workers of one server', async () => {
  const hub = new WorkerHub();
  const worker = async () => {
    const link = linkTo(hub);
    const leases = await RenewedLeases.open(link, terms, silentLog);
    onTestFinished(() => leases.close());
    return SharedCoordination.withOwnership(link, link.busOf(leases.nodeId), leases);
  };
  return [await worker(), await worker()];
});

describeDocumentBus('workers of one server', async () => {
  const hub = new WorkerHub();
  const end = (nodeId: string) => ({ nodeId, bus: linkTo(hub).busOf(nodeId) });
  return [end('one'), end('two'), end('three')];
});

describeNodeLeases('workers of one server', leaseMs, () => {
  const hub = new WorkerHub();
  return () => RenewedLeases.open(linkTo(hub), terms, silentLog);
});

test('[WK20] a worker asks its primary process, which sees when it ends, for leases ten times as long as those of a node', async () => {
  const link = linkTo(new WorkerHub());
  const renew = vi.spyOn(link, 'renew');
  const shutdown = new Shutdown(silentLog);
  onTestFinished(() => shutdown.run());
  const config = { nodeName: 'house', nodeLeaseMs: 3_000, redisUrl: null } as unknown as Config;
  await openNodes(config, { number: 1, link } as WorkerRole, silentLog, shutdown);
  expect(renew).toHaveBeenCalledWith(expect.stringContaining('house-1'), 30_000);
});
