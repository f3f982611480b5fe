/** Somebody who waits to be let in. */
export interface Waiting {
  /** Whose people they are; the empty text where nobody knows. */
  readonly tenant: string;
  /** Whether they go on with a session that they had. */
  readonly isReturning: boolean;
  /** Since when, milliseconds. */
  readonly sinceMs: number;
}

/** Those of one tenant, each list with the oldest first. */
interface Lane<Item> {
  returning: Item[];
  others: Item[];
}

const sizeOf = <Item>({ returning, others }: Lane<Item>): number => returning.length + others.length;

/** Who waits: tenants take turns, and of each tenant those who return go first. */
export class WaitingLine<Item extends Waiting> {
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    const lane = this.#lanes.get(item.tenant) ?? { returning: [], others: [] };
    this.#lanes.set(item.tenant, lane);
    listOf(lane, item).push(item);
    this.#size += 1;
  }

  /** Returns whether the item was there. */
  remove(item: Item): boolean {
    const lane = this.#lanes.get(item.tenant);
    const list = lane && listOf(lane, item);
    const at = list?.indexOf(item) ?? -1;
    if (!lane || at < 0) return false;
    list!.splice(at, 1);
    this.#removed(item.tenant, lane);
    return true;
  }

  /** The next one, from the newest or from the oldest end; undefined when nobody waits. */
  take(end: 'newest' | 'oldest'): Item | undefined {
    const [next] = this.#lanes;
    if (!next) return undefined;
    const [tenant, lane] = next;
    const list = lane.returning.length > 0 ? lane.returning : lane.others;
    const item = end === 'newest' ? list.pop() : list.shift();
    this.#lanes.delete(tenant);
    this.#lanes.set(tenant, lane);
    this.#removed(tenant, lane);
    return item;
  }

  /** Takes out those who have waited since then or longer. */
  takeSince(timeMs: number): Item[] {
    const late: Item[] = [];
    for (const [tenant, lane] of this.#lanes) {
      for (const list of [lane.returning, lane.others]) {
        const young = list.findIndex(({ sinceMs }) => sinceMs > timeMs);
        late.push(...list.splice(0, young < 0 ? list.length : young));
      }
      if (sizeOf(lane) === 0) this.#lanes.delete(tenant);
    }
    this.#size -= late.length;
    return late;
  }

  /** Takes out the oldest of the tenant with the most who wait: somebody new rather than somebody who returns. */
  takeOfLargest(): Item | undefined {
    let largest: [string, Lane<Item>] | undefined;
    for (const one of this.#lanes) if (!largest || sizeOf(one[1]) > sizeOf(largest[1])) largest = one;
    if (!largest) return undefined;
    const [tenant, lane] = largest;
    const item = lane.others.shift() ?? lane.returning.shift();
    this.#removed(tenant, lane);
    return item;
  }

  #removed(tenant: string, lane: Lane<Item>): void {
    this.#size -= 1;
    if (sizeOf(lane) === 0) this.#lanes.delete(tenant);
  }
}

const listOf = <Item extends Waiting>(lane: Lane<Item>, { isReturning }: Item): Item[] =>
  isReturning ? lane.returning : lane.others;
