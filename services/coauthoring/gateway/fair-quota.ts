/** Somebody's place in a {@link FairQuota}. */
export interface QuotaSlot {
  /** Whoever has it has said something: of its group those go first who have not. */
  heard(): void;
  leave(): void;
}

interface Guest {
  group: Group;
  evict: () => void;
  isHeard: boolean;
  isIn: boolean;
}

interface Group {
  name: string;
  /** In the order in which they came. */
  silent: Set<Guest>;
  heard: Set<Guest>;
}

const sizeOf = ({ silent, heard }: Group): number => silent.size + heard.size;

/**
 * Room for so many, which one group cannot take from the others: nobody is refused, and when it is full somebody of the
 * group that has the most goes, the oldest of those who have said nothing before the oldest of all. Each step takes the same
 * time, however many there are.
 */
export class FairQuota {
  readonly #places: number;
  readonly #groups = new Map<string, Group>();
  /** Groups by their size, at the index of which they are. */
  readonly #bySize: Set<Group>[] = [new Set()];
  #largest = 0;
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Lets somebody in. `evict` is called when they have to go, and their place is free then. */
  enter(groupName: string, evict: () => void): QuotaSlot {
    const group = this.#groups.get(groupName) ?? { name: groupName, silent: new Set(), heard: new Set() };
    if (this.#taken >= this.#places) this.#makeRoom(group);
    this.#groups.set(groupName, group);
    const guest: Guest = { group, evict, isHeard: false, isIn: true };
    const before = sizeOf(group);
    group.silent.add(guest);
    this.#taken += 1;
    this.#resized(group, before);
    return {
      heard: () => {
        if (!guest.isIn || guest.isHeard) return;
        guest.isHeard = true;
        guest.group.silent.delete(guest);
        guest.group.heard.add(guest);
      },
      leave: () => this.#leave(guest),
    };
  }

  #leave(guest: Guest): void {
    if (!guest.isIn) return;
    guest.isIn = false;
    const { group } = guest;
    const before = sizeOf(group);
    (guest.isHeard ? group.heard : group.silent).delete(guest);
    this.#taken -= 1;
    this.#resized(group, before);
    if (sizeOf(group) === 0) this.#groups.delete(group.name);
  }

  /** Of several groups that have the most it is the newcomer's own that makes room. */
  #makeRoom(newcomers: Group): void {
    const [oldest] = this.#bySize[this.#largest]!;
    const { silent, heard } = sizeOf(newcomers) === this.#largest ? newcomers : oldest!;
    const [guest] = silent.size > 0 ? silent : heard;
    this.#leave(guest!);
    guest!.evict();
  }

  /** A group has one guest more or one fewer. */
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
