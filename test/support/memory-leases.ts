import type { NodeLeases } from '../../platform/ports/coordination.ts';

interface Watcher {
  died(nodeId: string): void;
  lapsed(): void;
}

/** The leases of several nodes in one process: they run until somebody ends them. */
export class MemoryLeaseHub {
  readonly #living = new Set<string>();
  readonly #watchers = new Map<string, Set<Watcher>>();

  leasesOf(nodeId: string): NodeLeases {
    this.#living.add(nodeId);
    return {
      nodeId,
      isHeld: () => this.#living.has(nodeId),
      living: async () => new Set(this.#living),
      watch: (events) => {
        const watchers = this.#watchers.get(nodeId) ?? new Set();
        this.#watchers.set(nodeId, watchers.add(events));
        return () => watchers.delete(events);
      },
    };
  }

  /** A node is taken for dead by the others. */
  end(nodeId: string): void {
    if (!this.#living.delete(nodeId)) return;
    for (const [other, watchers] of this.#watchers) {
      if (other !== nodeId && this.#living.has(other)) for (const watcher of watchers) watcher.died(nodeId);
    }
  }

  /** A node finds out that its lease had ended, and has a new one. */
  renew(nodeId: string): void {
    this.#living.add(nodeId);
    for (const watcher of this.#watchers.get(nodeId) ?? []) watcher.lapsed();
  }
}
