import type { LeaseStore } from '../../platform/adapters/renewed-leases.ts';

/** Leases in the memory of the primary process, for its workers. */
export class MemoryLeases implements LeaseStore {
  /** By node: when its lease ends. */
  readonly #endsAtMs = new Map<string, number>();

  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const now = performance.now();
    const ran = (this.#endsAtMs.get(nodeId) ?? 0) > now;
    this.#endsAtMs.set(nodeId, now + leaseMs);
    for (const [id, endsAtMs] of this.#endsAtMs) if (endsAtMs <= now) this.#endsAtMs.delete(id);
    return { ran, living: [...this.#endsAtMs.keys()] };
  }

  /** The process is known to be gone: the others need not wait. */
  end(nodeId: string): void {
    this.#endsAtMs.delete(nodeId);
  }
}
