import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { nodeIdOf } from '../ports/cluster.ts';
import type { NodeLeases } from '../ports/coordination.ts';

const renewalsInLease = 5;

/** Where the leases of nodes are kept. It throws when the place does not answer. */
export interface LeaseStore {
  /** Gives a node a lease of this length from now. `ran`: it had one until now. `living`: all whose lease runs. */
  renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }>;
}

interface Watcher {
  died(nodeId: string): void;
  lapsed(): void;
}

/**
 * Keeps the lease of this process. Every renewal returns who lives, so the death of a node is known within a lease and a
 * fifth. The own lease counts from before it was asked for: it is over here before it is over for the others.
 */
export class RenewedLeases implements NodeLeases {
  readonly nodeId: string;
  readonly #store: LeaseStore;
  readonly #leaseMs: number;
  readonly #log: Logger;
  readonly #watchers = new Set<Watcher>();
  #living: ReadonlySet<string> = new Set();
  #heldUntil = 0;
  #hasLapsed = false;
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> | null = null;
  #closed = false;

  private constructor(store: LeaseStore, leaseMs: number, log: Logger, name: string) {
    this.nodeId = nodeIdOf(name, randomBytes(6));
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#log = log;
  }

  /**
   * Takes a lease of `leaseMs` and keeps it. `name`: what operators call this node.
   * @throws Error when the store does not answer
   */
  static async open(store: LeaseStore, leaseMs: number, log: Logger, name = 'node'): Promise<RenewedLeases> {
    const leases = new RenewedLeases(store, leaseMs, log, name);
    await leases.#take(true);
    leases.#schedule();
    return leases;
  }

  isHeld(): boolean {
    if (performance.now() < this.#heldUntil) return true;
    this.#lapse();
    return false;
  }

  async living(): Promise<ReadonlySet<string>> {
    await this.#renew();
    return this.#living;
  }

  watch(events: Watcher): () => void {
    this.#watchers.add(events);
    return () => this.#watchers.delete(events);
  }

  /** Does not renew the lease any more. It runs out by itself: until then, people who were here have time to come back. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#renewing?.catch(() => undefined);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.isHeld();
      this.#renew()
        .catch((error: unknown) =>
          this.#log.warn({ reason: String(error) }, 'The lease of this node is not renewed'),
        )
        .finally(() => this.#schedule());
    }, this.#leaseMs / renewalsInLease);
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#take(false).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #take(isFirst: boolean): Promise<void> {
    const askedAt = performance.now();
    const { ran, living } = await this.#store.renew(this.nodeId, this.#leaseMs);
    // The others have taken this node for dead, whatever its own clock says.
    if (!isFirst && !ran) this.#lapse();
    this.#heldUntil = askedAt + this.#leaseMs;
    this.#hasLapsed = false;
    const before = this.#living;
    this.#living = new Set(living);
    for (const id of before) {
      if (!this.#living.has(id)) for (const { died } of [...this.#watchers]) died(id);
    }
  }

  #lapse(): void {
    if (this.#hasLapsed) return;
    this.#hasLapsed = true;
    this.#log.warn('The lease of this node has lapsed: other nodes take it for dead');
    for (const { lapsed } of [...this.#watchers]) lapsed();
  }
}
