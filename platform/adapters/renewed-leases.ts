import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { nodeIdOf } from '../ports/cluster.ts';
import type { NodeLeases } from '../ports/coordination.ts';

/** A lease is longer by so many times the longest that the event loop, or a renewal's answer, was late for of late. */
const latenessInLease = 3;
/** Most by which a lease is longer, milliseconds. */
const longerAtMostMs = 20_000;
/** What is of late: the last one to two minutes, milliseconds. */
const ofLateMs = 60_000;

/** Where the leases of nodes are kept. It throws when the place does not answer. */
export interface LeaseStore {
  /** Gives a node a lease of this length from now. `ran`: it had one until now. `living`: all whose lease runs. */
  renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }>;
  /** The node is known to be gone: the others need not wait for its lease to run out. */
  end?(nodeId: string): void;
  /** The node does not renew its lease any more, and nobody is to do so for it. */
  letGo?(nodeId: string): void;
  /** Until when another process has kept the lease of a node that is late, by `performance.now()`; 0 when none has. Answers at once. */
  keptUntilMs?(nodeId: string): number;
}

/** How long a lease is, and how often it is renewed, milliseconds. */
export interface LeaseTerms {
  leaseMs: number;
  renewEveryMs: number;
}

interface Watcher {
  died(nodeId: string): void;
  lapsed(): void;
}

/**
 * Keeps the lease of this process. Every renewal returns who lives, so the death of a node is known within a lease and the
 * time between two renewals. The own lease counts from before it was asked for: it is over here before it is over for the others.
 *
 * A process that is short of CPU asks for longer leases: one that is taken for dead for being late has to send everybody away, and
 * has the more to do when they all come back.
 */
export class RenewedLeases implements NodeLeases {
  readonly nodeId: string;
  readonly #store: LeaseStore;
  readonly #terms: LeaseTerms;
  readonly #log: Logger;
  readonly #watchers = new Set<Watcher>();
  #living: ReadonlySet<string> = new Set();
  readonly #lateness = new RecentMaximum(ofLateMs);
  #heldUntil = 0;
  #hasLapsed = false;
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> | null = null;
  #closed = false;

  private constructor(store: LeaseStore, terms: LeaseTerms, log: Logger, name: string) {
    this.nodeId = nodeIdOf(name, randomBytes(6));
    this.#store = store;
    this.#terms = terms;
    this.#log = log;
  }

  /**
   * Takes a lease and keeps it. `name`: what operators call this node.
   * @throws Error when the store does not answer
   */
  static async open(
    store: LeaseStore,
    terms: LeaseTerms,
    log: Logger,
    name = 'node',
  ): Promise<RenewedLeases> {
    const leases = new RenewedLeases(store, terms, log, name);
    await leases.#take(true);
    leases.#schedule();
    return leases;
  }

  isHeld(): boolean {
    if (performance.now() < this.#heldUntil) return true;
    const keptUntilMs = this.#hasLapsed ? 0 : (this.#store.keptUntilMs?.(this.nodeId) ?? 0);
    if (performance.now() < keptUntilMs) {
      this.#heldUntil = keptUntilMs;
      return true;
    }
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
    this.#store.letGo?.(this.nodeId);
  }

  #schedule(): void {
    if (this.#closed) return;
    const inMs = this.#terms.renewEveryMs;
    const dueAt = performance.now() + inMs;
    const isLate = () => this.#lateness.add(performance.now() - dueAt);
    this.#timer = setTimeout(() => {
      isLate();
      this.isHeld();
      this.#renew()
        .catch((error: unknown) =>
          this.#log.warn({ reason: String(error) }, 'The lease of this node is not renewed'),
        )
        .finally(() => {
          isLate();
          this.#schedule();
        });
    }, inMs);
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#take(false).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #take(isFirst: boolean): Promise<void> {
    const askedAt = performance.now();
    const longerByMs = Math.min(longerAtMostMs, latenessInLease * this.#lateness.value);
    const wantedMs = this.#terms.leaseMs + Math.round(longerByMs);
    // Never shorter than what is left: one that is given though its answer is lost would be over for the others before it is here.
    const leaseMs = Math.max(wantedMs, Math.ceil(this.#heldUntil - askedAt));
    const { ran, living } = await this.#store.renew(this.nodeId, leaseMs);
    // The others have taken this node for dead, whatever its own clock says.
    if (!isFirst && !ran) this.#lapse();
    this.#heldUntil = askedAt + leaseMs;
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

/** The highest of the values that were added in the last one to two spans of time. */
class RecentMaximum {
  readonly #spanMs: number;
  #begunAt = performance.now();
  #before = 0;
  #now = 0;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  get value(): number {
    return Math.max(this.#before, this.#now);
  }

  add(value: number): void {
    if (performance.now() - this.#begunAt >= this.#spanMs) {
      this.#begunAt = performance.now();
      this.#before = this.#now;
      this.#now = 0;
    }
    this.#now = Math.max(this.#now, value);
  }
}
