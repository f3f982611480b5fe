/** A job that goes on for longer is a slow one, milliseconds. */
const slowMs = 1_000;
/** How long a tenant counts as slow after its last slow job, and as present after its last job, milliseconds. */
const rememberedMs = 60_000;

interface Tenant {
  /** When each of its jobs began that are under way. */
  readonly beganAt: number[];
  seenAt: number;
  slowUntil: number;
}

/**
 * Places for jobs that somebody waits for. A tenant alone may have `count` of them. There are half as many more, so another
 * tenant's first job begins at once however long the others go on; a tenant with half of `count` begins no more of them
 * while all of `count` are taken. A tenant with slow jobs has only half of `count` while others are present, so that these
 * find processors, too.
 */
export class TenantPlaces {
  readonly #count: number;
  readonly #now: () => number;
  readonly #tenants = new Map<string, Tenant>();
  readonly #waiting = new Set<{ tenant: string; admit: () => void }>();

  /** @param now the time, in milliseconds since whenever */
  constructor(count: number, now: () => number = () => performance.now()) {
    this.#count = count;
    this.#now = now;
  }

  /** Whether a job of this tenant may begin. */
  hasRoom(tenant: string): boolean {
    if ((this.#tenants.get(tenant)?.beganAt.length ?? 0) < half(this.#count)) return true;
    return this.#total < this.#count && !(this.#isSlow(tenant) && this.#hasOthersThan(tenant));
  }

  /** Takes a place; false when there is none for this tenant within a time, milliseconds. */
  async enter(tenant: string, patienceMs: number): Promise<boolean> {
    this.#seen(tenant);
    if (this.hasRoom(tenant)) {
      this.#begin(tenant);
      return true;
    }
    return new Promise((resolve) => {
      const waiter = {
        tenant,
        admit: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          this.#begin(tenant);
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

  /** A job of this tenant is over: the one that began first, as far as that matters. */
  leave(tenant: string): void {
    const one = this.#seen(tenant);
    const now = this.#now();
    const beganAt = one.beganAt.shift() ?? now;
    if (now - beganAt > slowMs) one.slowUntil = now + rememberedMs;
    this.#forget(now);
    for (const waiter of this.#waiting) if (this.hasRoom(waiter.tenant)) waiter.admit();
  }

  get #total(): number {
    return [...this.#tenants.values()].reduce((sum, { beganAt }) => sum + beganAt.length, 0);
  }

  #isSlow(tenant: string): boolean {
    const { beganAt = [], slowUntil = 0 } = this.#tenants.get(tenant) ?? {};
    const now = this.#now();
    return slowUntil > now || beganAt.some((at) => now - at > slowMs);
  }

  #hasOthersThan(tenant: string): boolean {
    const now = this.#now();
    for (const [name, { seenAt }] of this.#tenants) {
      if (name !== tenant && now - seenAt < rememberedMs) return true;
    }
    return false;
  }

  #seen(tenant: string): Tenant {
    const seenAt = this.#now();
    const one = this.#tenants.get(tenant) ?? { beganAt: [], seenAt, slowUntil: 0 };
    one.seenAt = seenAt;
    this.#tenants.set(tenant, one);
    return one;
  }

  #begin(tenant: string): void {
    this.#seen(tenant).beganAt.push(this.#now());
  }

  #forget(now: number): void {
    for (const [name, { beganAt, seenAt, slowUntil }] of this.#tenants) {
      const isOver = beganAt.length === 0 && now - seenAt >= rememberedMs && slowUntil <= now;
      if (isOver) this.#tenants.delete(name);
    }
  }
}

const half = (count: number): number => Math.max(1, Math.floor(count / 2));

/** The most jobs at once: `count` of one tenant, and beside them half as many, at least one, of others. */
export const mostAtOnce = (count: number): number => count + Math.ceil(count / 2);
