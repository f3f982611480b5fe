import { MemoryBusHub } from '../../platform/adapters/memory-document-bus.ts';
import { MemoryLeases, MemorySharedValues } from '../../platform/adapters/memory-stores.ts';
import type { VersionedValue } from '../../platform/adapters/shared-coordination.ts';
import { type Handlers, IpcChannel, type IpcTransport } from './ipc-channel.ts';

/** One worker as the primary process knows it. */
export interface ConnectedWorker {
  conversation: IpcChannel;
  /** To be called when its process is gone. */
  leave(): void;
}

/** What workers without a Redis share, in the memory of their primary process: cells, leases and the bus. */
export class WorkerHub {
  readonly #cells = new MemorySharedValues();
  readonly #leases = new MemoryLeases();
  readonly #hub = new MemoryBusHub();

  /** `handlers`: what else the worker may ask. */
  attend(channel: IpcTransport, handlers: Handlers = {}): ConnectedWorker {
    const nodeIds = new Set<string>();
    const ends = new Map<string, () => void>();
    const conversation = new IpcChannel(channel, {
      ...handlers,
      put: (key: string, cell: string, expected: string, content: VersionedValue | null) =>
        this.#cells.compareAndPut(key, cell, expected, content),
      removeAll: (key: string) => this.#cells.removeAll(key),
      renew: (nodeId: string, leaseMs: number) => {
        nodeIds.add(nodeId);
        return this.#leases.renew(nodeId, leaseMs);
      },
      say: (nodeId: string, key: string, text: string) => this.#hub.busOf(nodeId).publish(key, text),
      call: (nodeId: string, key: string, text: string) =>
        this.#hub.busOf(nodeId).publishConfirmed(key, text),
      listen: async (nodeId: string, key: string) => {
        const end = await this.#hub.busOf(nodeId).listen(key, {
          received: (from, text) => conversation.tell('heard', key, from, text),
          interrupted: () => conversation.tell('interrupted', key),
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
      conversation,
      leave: () => {
        for (const end of ends.values()) end();
        for (const nodeId of nodeIds) this.#leases.end(nodeId);
      },
    };
  }
}
