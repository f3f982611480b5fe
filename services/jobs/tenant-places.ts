/**
 * Places for jobs that somebody waits for. A tenant alone may have `count` of them. There are half as many more, so another
 * tenant's first job begins at once however long the others go on; a tenant with half of `count` begins no more of them while
 * all of `count` are taken.
 */
export class TenantPlaces {
  readonly #count: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<{ tenant: string; admit: () => void }>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Whether a job of this tenant may begin. */
  hasRoom(tenant: string): boolean {
    return (this.#running.get(tenant) ?? 0) < half(this.#count) || this.#total < this.#count;
  }

  /** Takes a place; false when there is none for this tenant within a time, milliseconds. */
  async enter(tenant: string, patienceMs: number): Promise<boolean> {
    if (this.hasRoom(tenant)) {
      this.#add(tenant, 1);
      return true;
    }
    return new Promise((resolve) => {
      const waiter = {
        tenant,
        admit: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          this.#add(tenant, 1);
          resolve(true);
        },
      };
      this.#waiting.add(waiter);
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        resolve(false);
      }, patienceMs);
    });
  }

  leave(tenant: string): void {
    this.#add(tenant, -1);
    for (const waiter of this.#waiting) if (this.hasRoom(waiter.tenant)) waiter.admit();
  }

  get #total(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  #add(tenant: string, change: number): void {
    const count = (this.#running.get(tenant) ?? 0) + change;
    if (count > 0) this.#running.set(tenant, count);
    else this.#running.delete(tenant);
  }
}

const half = (count: number): number => Math.max(1, Math.floor(count / 2));

/** The most jobs at once: so many of one tenant, and half as many, one at least, of others beside them. */
export const mostAtOnce = (count: number): number => count + Math.ceil(count / 2);
