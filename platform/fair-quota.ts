/** One unit of a {@link FairQuota}. */
export interface QuotaSlot {
  /** Its holder has sent something: those of its group that have not are evicted first. */
  heard(): void;
  release(): void;
}

interface Group {
  name: string;
  /** In the order in which they came. */
  silent: Set<Holder>;
  heard: Set<Holder>;
}

/** Slots are kept for as long as their connections, so each is one small object. */
class Holder implements QuotaSlot {
  readonly #quota: FairQuota;
  readonly group: Group;
  evict: () => void;
  isHeard = false;
  isHeld = true;

  constructor(quota: FairQuota, group: Group, evict: () => void) {
    this.#quota = quota;
    this.group = group;
    this.evict = evict;
  }

  heard(): void {
    if (!this.isHeld || this.isHeard) return;
    this.isHeard = true;
    this.group.silent.delete(this);
    this.group.heard.add(this);
  }

  release(): void {
    this.#quota.release(this);
  }
}

const nothing = (): void => undefined;

const sizeOf = ({ silent, heard }: Group): number => silent.size + heard.size;

/**
 * A number of units that no group can take from all others. Nobody is refused: when all units are taken, the group that
 * has the most loses one, first the oldest of those that have sent nothing, then the oldest of all. Each step takes the
 * same time for any number of units.
 */
export class FairQuota {
  readonly #limit: number;
  readonly #groups = new Map<string, Group>();
  /** Groups by their size, at the index of which they are. */
  readonly #bySize: Set<Group>[] = [new Set()];
  #largest = 0;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes a unit. `evict` is called when it is taken away for another one. */
  acquire(groupName: string, evict: () => void): QuotaSlot {
    const group = this.#groups.get(groupName) ?? { name: groupName, silent: new Set(), heard: new Set() };
    if (this.#taken >= this.#limit) this.#evictOne(group);
    this.#groups.set(groupName, group);
    const holder = new Holder(this, group, evict);
    const before = sizeOf(group);
    group.silent.add(holder);
    this.#taken += 1;
    this.#resized(group, before);
    return holder;
  }

  /** What `release` of a slot does. */
  release(holder: Holder): void {
    if (!holder.isHeld) return;
    holder.isHeld = false;
    holder.evict = nothing;
    const { group } = holder;
    const before = sizeOf(group);
    (holder.isHeard ? group.heard : group.silent).delete(holder);
    this.#taken -= 1;
    this.#resized(group, before);
    if (sizeOf(group) === 0) this.#groups.delete(group.name);
  }

  /** Where several groups have the most, the newcomer's own group gives one up. */
  #evictOne(newcomers: Group): void {
    const [oldest] = this.#bySize[this.#largest]!;
    const { silent, heard } = sizeOf(newcomers) === this.#largest ? newcomers : oldest!;
    const [holder] = silent.size > 0 ? silent : heard;
    const { evict } = holder!;
    this.release(holder!);
    evict();
  }

  /** A group has one holder more or one fewer. */
  #resized(group: Group, before: number): void {
    const size = sizeOf(group);
    this.#bySize[before]?.delete(group);
    if (size > 0) {
      this.#bySize[size] ??= new Set();
      this.#bySize[size].add(group);
    }
    if (size > this.#largest) this.#largest = size;
    else if (before === this.#largest && this.#bySize[before]!.size === 0) this.#largest = size;
  }
}
