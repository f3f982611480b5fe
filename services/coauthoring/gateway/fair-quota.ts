/** One unit of a {@link FairQuota}. */
export interface QuotaSlot {
  /** Its holder has sent something: those of its group that have not are evicted first. */
  heard(): void;
  release(): void;
}

interface Holder {
  group: Group;
  evict: () => void;
  isHeard: boolean;
  isHeld: boolean;
}

interface Group {
  name: string;
  /** In the order in which they came. */
  silent: Set<Holder>;
  heard: Set<Holder>;
}

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
    const holder: Holder = { group, evict, isHeard: false, isHeld: true };
    const before = sizeOf(group);
    group.silent.add(holder);
    this.#taken += 1;
    this.#resized(group, before);
    return {
      heard: () => {
        if (!holder.isHeld || holder.isHeard) return;
        holder.isHeard = true;
        holder.group.silent.delete(holder);
        holder.group.heard.add(holder);
      },
      release: () => this.#release(holder),
    };
  }

  #release(holder: Holder): void {
    if (!holder.isHeld) return;
    holder.isHeld = false;
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
    this.#release(holder!);
    holder!.evict();
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
