import { type CellRange, intersectionOf } from '../grid/cell-range.ts';

/** Merged cells of a sheet, found by their rows. */
export class MergeIndex {
  static readonly none = new MergeIndex([]);
  /** By their first row. */
  readonly #merges: readonly CellRange[];
  readonly #highest: number;

  constructor(merges: readonly CellRange[]) {
    this.#merges = merges.toSorted((one, other) => one.top - other.top);
    this.#highest = merges.reduce((highest, { top, bottom }) => Math.max(highest, bottom - top + 1), 0);
  }

  at(row: number, column: number): CellRange | null {
    for (const merge of this.#between(row, row)) {
      if (row <= merge.bottom && column >= merge.left && column <= merge.right) return merge;
    }
    return null;
  }

  in(range: CellRange): readonly CellRange[] {
    if (this.#merges.length === 0) return this.#merges;
    return [...this.#between(range.top, range.bottom)].filter((merge) => intersectionOf(merge, range));
  }

  /** Those that may have a part of some rows. */
  *#between(from: number, to: number): Iterable<CellRange> {
    const all = this.#merges;
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle]!.top < from - this.#highest + 1) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < all.length && all[at]!.top <= to; at++) yield all[at]!;
  }
}
