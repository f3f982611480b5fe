/** Who goes first: somebody waits for what is `interactive`. */
export type Lane = 'interactive' | 'batch';

/** Things in two lanes, each in the order in which they came. */
export class OfficeQueue<Item extends { readonly lane: Lane }> {
  readonly #lanes: Readonly<Record<Lane, Set<Item>>> = { interactive: new Set(), batch: new Set() };

  get size(): number {
    return this.#lanes.interactive.size + this.#lanes.batch.size;
  }

  waiting(lane: Lane): number {
    return this.#lanes[lane].size;
  }

  add(item: Item): void {
    this.#lanes[item.lane].add(item);
  }

  /** Whether it still waited. */
  remove(item: Item): boolean {
    return this.#lanes[item.lane].delete(item);
  }

  /** The next one: interactive before batch; undefined when none waits. */
  take(lanes: readonly Lane[]): Item | undefined {
    for (const lane of ['interactive', 'batch'] as const) {
      if (!lanes.includes(lane)) continue;
      for (const item of this.#lanes[lane]) {
        this.#lanes[lane].delete(item);
        return item;
      }
    }
    return undefined;
  }
}
