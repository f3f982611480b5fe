/** A job that goes on for longer is a long one, milliseconds. */
const longMs = 1_000;
/** How long who had a long job is expected to have more, and who had any counts as present, milliseconds. */
const rememberedMs = 60_000;

/** Whose a job is: an application, and in it a person. Jobs of nobody in particular have no person. */
export interface PlaceOwner {
  readonly tenant: string;
  readonly person: string;
  /** Whether the source of this job is large: the job is expected to be long, whatever its person had. */
  readonly isLarge?: boolean;
}

/** A job that is under way. */
export interface TakenPlace {
  readonly tenant: string;
  readonly person: string;
  readonly beganAt: number;
  /** Its source is large, or its person, or its tenant where it has none, had long jobs when it began. */
  readonly isExpectedLong: boolean;
}

/** What is remembered of a tenant, or of a person of one. */
interface Known {
  seenAt: number;
  /** Until then its jobs are expected to be long. */
  longUntil: number;
}

interface Tenant extends Known {
  readonly people: Map<string, Known>;
  /** When a job of it that is expected to be long was last refused a place; none has begun since. */
  refusedLongAt: number;
}

/**
 * Places for jobs that somebody waits for. A tenant alone may have `count` of them. There are half as many more, so another
 * tenant's first job begins at once however long the others go on; a tenant with half of `count` begins no more of them
 * while all of `count` are taken. A tenant with long jobs has only half of `count` while others are present, so that these
 * find processors, too.
 *
 * Within a tenant one place is left for short work: neither long work nor one person takes it, and work is long by the size of its
 * source, by what its person had in the last minute and by how long it has been under way. Nor does short work take the last place of long work that waits.
 */
export class TenantPlaces {
  readonly #count: number;
  readonly #now: () => number;
  readonly #tenants = new Map<string, Tenant>();
  readonly #taken = new Set<TakenPlace>();
  readonly #waiting = new Set<{ owner: PlaceOwner; admit: () => void }>();

  /** @param now the time, in milliseconds since whenever */
  constructor(count: number, now: () => number = () => performance.now()) {
    this.#count = count;
    this.#now = now;
  }

  /** Whether a job of this owner may begin. */
  hasRoom(owner: PlaceOwner): boolean {
    const own = this.#takenBy(owner.tenant);
    if (!this.#isWithinTenant(owner, own)) return false;
    return this.#isExpectedLong(owner) ? this.#hasLongRoom(owner, own) : this.#hasShortRoom(owner, own);
  }

  /** Takes a place; null when there is none for this owner within a time, milliseconds. */
  async enter(owner: PlaceOwner, patienceMs: number): Promise<TakenPlace | null> {
    this.#seen(owner);
    if (this.hasRoom(owner)) return this.#begin(owner);
    if (this.#isExpectedLong(owner)) this.#tenants.get(owner.tenant)!.refusedLongAt = this.#now();
    return new Promise((resolve) => {
      const waiter = {
        owner,
        admit: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(this.#begin(owner));
        },
      };
      this.#waiting.add(waiter);
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        resolve(null);
      }, patienceMs);
    });
  }

  /** The job that took this place is over. */
  leave(place: TakenPlace): void {
    this.#taken.delete(place);
    const now = this.#now();
    const { tenant, person } = this.#seen(place);
    if (this.#hasBeenLong(place)) {
      tenant.longUntil = now + rememberedMs;
      person.longUntil = now + rememberedMs;
    }
    this.#forget(now);
    for (const waiter of this.#waiting) if (this.hasRoom(waiter.owner)) waiter.admit();
  }

  #takenBy(tenant: string): TakenPlace[] {
    return [...this.#taken].filter((place) => place.tenant === tenant);
  }

  /** Whether the tenant may have one more place beside the other tenants. */
  #isWithinTenant(owner: PlaceOwner, own: readonly TakenPlace[]): boolean {
    if (own.length < half(this.#count)) return true;
    if (this.#taken.size >= this.#count) return false;
    if (!this.#isLongTenant(owner.tenant) || !this.#hasOthers(this.#tenants, owner.tenant)) return true;
    // The place for short work is there also then.
    return !this.#isExpectedLong(owner) && own.length < half(this.#count) + 1;
  }

  #hasLongRoom({ tenant, person }: PlaceOwner, own: readonly TakenPlace[]): boolean {
    if (person === '') return true;
    if (own.filter((place) => this.#isLong(place)).length >= butOne(this.#count)) return false;
    const people = this.#tenants.get(tenant)?.people ?? new Map<string, Known>();
    const most = this.#hasOthers(people, person) ? half(this.#count) : butOne(this.#count);
    return countOf(own, person) < most;
  }

  #hasShortRoom({ tenant, person }: PlaceOwner, own: readonly TakenPlace[]): boolean {
    if (person === '') return true;
    if (countOf(own, person) >= butOne(this.#count)) return false;
    const { refusedLongAt = Number.NEGATIVE_INFINITY } = this.#tenants.get(tenant) ?? {};
    const isLongWaiting = this.#now() - refusedLongAt < rememberedMs;
    return !isLongWaiting || own.some((place) => this.#isLong(place)) || own.length < butOne(this.#count);
  }

  #hasBeenLong({ beganAt }: TakenPlace): boolean {
    return this.#now() - beganAt > longMs;
  }

  #isLong(place: TakenPlace): boolean {
    return place.isExpectedLong || this.#hasBeenLong(place);
  }

  #isLongTenant(tenant: string): boolean {
    const { longUntil = 0 } = this.#tenants.get(tenant) ?? {};
    return longUntil > this.#now() || this.#takenBy(tenant).some((place) => this.#hasBeenLong(place));
  }

  #isExpectedLong({ tenant, person, isLarge = false }: PlaceOwner): boolean {
    if (isLarge) return true;
    if (person === '') return this.#isLongTenant(tenant);
    const { longUntil = 0 } = this.#tenants.get(tenant)?.people.get(person) ?? {};
    if (longUntil > this.#now()) return true;
    return this.#takenBy(tenant).some((place) => place.person === person && this.#hasBeenLong(place));
  }

  /** Whether anyone else is present. */
  #hasOthers(all: ReadonlyMap<string, Known>, name: string): boolean {
    const now = this.#now();
    return [...all].some(([other, { seenAt }]) => other !== name && now - seenAt < rememberedMs);
  }

  #seen(owner: PlaceOwner): { tenant: Tenant; person: Known } {
    const seenAt = this.#now();
    const tenant: Tenant = this.#tenants.get(owner.tenant) ?? {
      ...{ seenAt, longUntil: 0, people: new Map() },
      refusedLongAt: Number.NEGATIVE_INFINITY,
    };
    const person = tenant.people.get(owner.person) ?? { seenAt, longUntil: 0 };
    tenant.seenAt = seenAt;
    person.seenAt = seenAt;
    tenant.people.set(owner.person, person);
    this.#tenants.set(owner.tenant, tenant);
    return { tenant, person };
  }

  #begin(owner: PlaceOwner): TakenPlace {
    const isExpectedLong = this.#isExpectedLong(owner);
    const { tenant } = this.#seen(owner);
    if (isExpectedLong) tenant.refusedLongAt = Number.NEGATIVE_INFINITY;
    const place = { tenant: owner.tenant, person: owner.person, beganAt: this.#now(), isExpectedLong };
    this.#taken.add(place);
    return place;
  }

  #forget(now: number): void {
    const isOver = ({ seenAt, longUntil }: Known) => now - seenAt >= rememberedMs && longUntil <= now;
    for (const [name, tenant] of this.#tenants) {
      for (const [person, known] of tenant.people) if (isOver(known)) tenant.people.delete(person);
      if (isOver(tenant) && this.#takenBy(name).length === 0) this.#tenants.delete(name);
    }
  }
}

const countOf = (places: readonly TakenPlace[], person: string): number =>
  places.filter((place) => place.person === person).length;

const half = (count: number): number => Math.max(1, Math.floor(count / 2));

/** All places of a tenant but the one for short work. */
const butOne = (count: number): number => Math.max(1, count - 1);

/** The most jobs at once: `count` of one tenant, and beside them half as many, at least one, of others. */
export const mostAtOnce = (count: number): number => count + Math.ceil(count / 2);
