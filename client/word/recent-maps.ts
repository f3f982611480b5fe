import type { StepMap } from 'prosemirror-transform';

/** Positions older than this many changes are not followed. */
const kept = 1_000;

/** How the last changes of the log moved positions: places that others name in an older version are found by it. */
export class RecentMaps {
  #end: number;
  #maps: StepMap[] = [];

  /** `version`: that of the document before the first map. */
  constructor(version: number) {
    this.#end = version;
  }

  add(maps: readonly StepMap[]): void {
    this.#end += maps.length;
    this.#maps = [...this.#maps, ...maps].slice(-kept);
  }

  /** Maps of the changes from a version on, or null if that is too old or has not come yet. */
  since(version: number): readonly StepMap[] | null {
    const start = this.#maps.length - (this.#end - version);
    return start < 0 || start > this.#maps.length ? null : this.#maps.slice(start);
  }
}
