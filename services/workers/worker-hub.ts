import { MemoryBusHub, MemorySharedValues } from '../../platform/adapters/memory-coordination.ts';
import type { VersionedValue } from '../../platform/adapters/shared-coordination.ts';
import type { SharedList } from '../../platform/ports/coordination.ts';
import { type Handlers, IpcChannel, type IpcTransport } from './ipc-channel.ts';
import type { KeptLeases } from './kept-leases.ts';

/** One worker as the primary process knows it. */
interface ConnectedWorker {
  channel: IpcChannel;
  /** Called when its process is gone. */
  disconnected(): void;
}

/** Keeps in the primary process the leases of the workers, and what those without Redis share: shared values and the bus. */
export class WorkerHub {
  readonly #values = new MemorySharedValues();
  readonly #leases: KeptLeases;
  readonly #hub = new MemoryBusHub();

  constructor(leases: KeptLeases) {
    this.#leases = leases;
  }

  /** `handlers`: further requests of the worker. */
  connect(transport: IpcTransport, handlers: Handlers = {}): ConnectedWorker {
    const nodeIds = new Set<string>();
    const ends = new Map<string, () => void>();
    const channel = new IpcChannel(transport, {
      ...handlers,
      put: (key: string, name: string, expected: string, content: VersionedValue | null) =>
        this.#values.compareAndPut(key, name, expected, content),
      append: (key: string, list: SharedList, entry: string) => this.#values.append(key, list, entry),
      entries: (key: string, name: string) => this.#values.entries(key, name),
      clear: (key: string, name: string) => this.#values.clear(key, name),
      renew: (nodeId: string, leaseMs: number) => {
        nodeIds.add(nodeId);
        return this.#leases.renew(nodeId, leaseMs);
      },
      letGo: (nodeId: string) => this.#leases.letGo(nodeId),
      publish: (nodeId: string, key: string, text: string) => this.#hub.busOf(nodeId).publish(key, text),
      publishConfirmed: (nodeId: string, key: string, text: string) =>
        this.#hub.busOf(nodeId).publishConfirmed(key, text),
      listen: async (nodeId: string, key: string) => {
        const end = await this.#hub.busOf(nodeId).listen(key, {
          received: (from, text) => channel.notify('received', key, from, text),
          interrupted: () => channel.notify('interrupted', key),
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
        channel.close();
        for (const end of ends.values()) end();
        for (const nodeId of nodeIds) this.#leases.end(nodeId);
      },
    };
  }
}
