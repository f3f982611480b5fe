import {
  MemoryBusHub,
  MemoryLeases,
  MemorySharedValues,
} from '../../platform/adapters/memory-coordination.ts';

import type { VersionedValue } from '../../platform/adapters/shared-coordination.ts';
import { type Handlers, IpcChannel, type IpcTransport } from './ipc-channel.ts';

/** One worker as the primary process knows it. */
export interface ConnectedWorker {
  channel: IpcChannel;
  /** To be called when its process is gone. */
  disconnected(): void;
}

/** What workers without a Redis share, in the memory of their primary process: shared values, leases and the bus. */
export class WorkerHub {
  readonly #values = new MemorySharedValues();
  readonly #leases = new MemoryLeases();
  readonly #hub = new MemoryBusHub();

  /** `handlers`: what else the worker may ask. */
  connect(transport: IpcTransport, handlers: Handlers = {}): ConnectedWorker {
    const nodeIds = new Set<string>();
    const ends = new Map<string, () => void>();
    const channel = new IpcChannel(transport, {
      ...handlers,
      put: (key: string, name: string, expected: string, content: VersionedValue | null) =>
        this.#values.compareAndPut(key, name, expected, content),
      removeAll: (key: string) => this.#values.removeAll(key),
      renew: (nodeId: string, leaseMs: number) => {
        nodeIds.add(nodeId);
        return this.#leases.renew(nodeId, leaseMs);
      },
      say: (nodeId: string, key: string, text: string) => this.#hub.busOf(nodeId).publish(key, text),
      call: (nodeId: string, key: string, text: string) =>
        this.#hub.busOf(nodeId).publishConfirmed(key, text),
      listen: async (nodeId: string, key: string) => {
        const end = await this.#hub.busOf(nodeId).listen(key, {
          received: (from, text) => channel.tell('heard', key, from, text),
          interrupted: () => channel.tell('interrupted', key),
        });
        ends.set(key, end);
        return true;
      },
      unlisten: (key: string) => {
        ends.get(key)?.();
        ends.delete(key);
      },
    });
    return {
      channel,
      disconnected: () => {
        for (const end of ends.values()) end();
        for (const nodeId of nodeIds) this.#leases.end(nodeId);
      },
    };
  }
}
