import { type EngineLane, engineLanes } from './conversion-engine.ts';

/** A queue with lanes; in each, items are in the order in which they came. */
export class LaneQueue<Item extends { readonly lane: EngineLane }> {
  readonly #lanes: Readonly<Record<EngineLane, Set<Item>>> = {
    saving: new Set(),
    interactive: new Set(),
    batch: new Set(),
  };

  get size(): number {
    return engineLanes.reduce((sum, lane) => sum + this.#lanes[lane].size, 0);
  }

  waiting(lane: EngineLane): number {
    return this.#lanes[lane].size;
  }

  add(item: Item): void {
    this.#lanes[item.lane].add(item);
  }

  /** Whether it still waited. */
  remove(item: Item): boolean {
    return this.#lanes[item.lane].delete(item);
  }

  /** The next one: saves first, batches last; undefined when none waits. */
  take(lanes: readonly EngineLane[]): Item | undefined {
    for (const lane of engineLanes) {
      if (!lanes.includes(lane)) continue;
      for (const item of this.#lanes[lane]) {
        this.#lanes[lane].delete(item);
        return item;
      }
    }
    return undefined;
  }
}
