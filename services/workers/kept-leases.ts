import type { Logger } from 'pino';
import type { LeaseStore, LeaseTerms } from '../../platform/adapters/renewed-leases.ts';
import { type LeaseRun, type LeaseRuns, machineNowMs } from './lease-runs.ts';

/** A worker is taken for dead when it was not heard of for so many times the length of a lease. */
const patience = 10;

interface Kept extends LeaseRun {
  /** How long a lease its worker asked for last. */
  leaseMs: number;
  heardAtMs: number;
  /** Null before the first time. */
  renewedAtMs: number | null;
}

/** What a worker is told when it renews. */
export interface KeptAnswer {
  run: number;
  living: readonly string[];
}

/**
 * The leases of a server's workers, in the primary process, which sees when one of them ends. Each worker renews its own; for one that
 * is late the primary process does. A worker that is taken for dead for being late has to send everybody away, which makes a server
 * that is short of CPU shorter of it.
 */
export class KeptLeases {
  readonly #store: LeaseStore;
  readonly #terms: LeaseTerms;
  readonly #runs: Pick<LeaseRuns, 'write'>;
  readonly #log: Logger;
  readonly #kept = new Map<string, Kept>();
  readonly #timer: NodeJS.Timeout;
  #lastRun = 0;
  #isClosed = false;
  /** What stands in the file is older than what there is to be told. */
  #hasNews = false;
  #telling: Promise<void> | null = null;

  /** `runs`: where a worker that was late finds how its lease runs. */
  constructor(store: LeaseStore, terms: LeaseTerms, runs: Pick<LeaseRuns, 'write'>, log: Logger) {
    this.#store = store;
    this.#terms = terms;
    this.#runs = runs;
    this.#log = log;
    this.#timer = setInterval(() => this.#keep(), terms.renewEveryMs);
  }

  /** A worker renews its lease. @throws Error when the place where leases are kept does not answer */
  async renew(nodeId: string, leaseMs: number): Promise<KeptAnswer> {
    const now = machineNowMs();
    const kept = this.#kept.get(nodeId) ?? this.#begin();
    this.#kept.set(nodeId, Object.assign(kept, { leaseMs, heardAtMs: now }));
    const living = await this.#renew(nodeId, kept);
    return { run: kept.run, living };
  }

  /** A worker stops in order: its lease runs out by itself. */
  letGo(nodeId: string): void {
    this.#kept.delete(nodeId);
  }

  /** The process is gone. */
  end(nodeId: string): void {
    this.#kept.delete(nodeId);
    this.#store.end?.(nodeId);
  }

  /** The leases run out by themselves. Resolves when no file is being written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#telling;
  }

  #begin(): Kept {
    this.#lastRun += 1;
    return { run: this.#lastRun, untilMs: 0, leaseMs: 0, heardAtMs: 0, renewedAtMs: null };
  }

  /** Renews for those that are late. */
  #keep(): void {
    const now = machineNowMs();
    for (const [nodeId, kept] of this.#kept) {
      if (now - kept.heardAtMs > patience * this.#terms.leaseMs) {
        this.#log.warn({ nodeId }, 'A worker was not heard of for so long that it is taken for dead');
        this.#kept.delete(nodeId);
      } else if (now - (kept.renewedAtMs ?? now) > this.#terms.renewEveryMs) {
        this.#renew(nodeId, kept).catch((error: unknown) =>
          this.#log.warn({ nodeId, reason: String(error) }, 'The lease of a worker is not renewed'),
        );
      }
    }
  }

  async #renew(nodeId: string, kept: Kept): Promise<readonly string[]> {
    const askedAtMs = machineNowMs();
    // Never shorter than what is left of it, which the worker may count on.
    const leaseMs = Math.max(kept.leaseMs, Math.ceil(kept.untilMs - askedAtMs));
    const isFirst = kept.renewedAtMs === null;
    kept.renewedAtMs = askedAtMs;
    const { ran, living } = await this.#store.renew(nodeId, leaseMs);
    if (!ran && !isFirst) {
      this.#lastRun += 1;
      kept.run = this.#lastRun;
    }
    kept.untilMs = askedAtMs + leaseMs;
    this.#tell();
    return living;
  }

  /**
   * Has the file say how the leases run, and does not wait for it: all connections come in by this process, and a disk may be slow.
   * What stands in the file meanwhile stays true, as no lease becomes shorter and one that has lapsed was over by then.
   */
  #tell(): void {
    if (this.#isClosed) return;
    this.#hasNews = true;
    this.#telling ??= this.#write();
  }

  async #write(): Promise<void> {
    while (this.#hasNews) {
      this.#hasNews = false;
      const runs = [...this.#kept].map(([nodeId, { run, untilMs }]) => [nodeId, { run, untilMs }] as const);
      try {
        await this.#runs.write(Object.fromEntries(runs));
      } catch (error) {
        this.#log.warn({ err: error }, 'Workers that are late cannot be told that their leases run');
      }
    }
    this.#telling = null;
  }
}
