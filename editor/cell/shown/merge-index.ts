import { type Area, intersection } from '../../../model/cell/area.ts';

/** Merged cells of a sheet, found by their rows. */
export class MergeIndex {
  static readonly none = new MergeIndex([]);
  /** By their first row. */
  readonly #merges: readonly Area[];
  readonly #highest: number;

  constructor(merges: readonly Area[]) {
    this.#merges = merges.toSorted((one, other) => one[0] - other[0]);
    this.#highest = merges.reduce((highest, [top, , bottom]) => Math.max(highest, bottom - top + 1), 0);
  }

  at(row: number, column: number): Area | null {
    for (const merge of this.#between(row, row)) {
      if (row <= merge[2] && column >= merge[1] && column <= merge[3]) return merge;
    }
    return null;
  }

  in(range: Area): readonly Area[] {
    if (this.#merges.length === 0) return this.#merges;
    return [...this.#between(range[0], range[2])].filter((merge) => intersection(merge, range));
  }

  /** Those that may have a part of some rows. */
  *#between(from: number, to: number): Iterable<Area> {
    const all = this.#merges;
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle]![0] < from - this.#highest + 1) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < all.length && all[at]![0] <= to; at++) yield all[at]!;
  }
}
