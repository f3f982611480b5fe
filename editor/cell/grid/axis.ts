/** Rows or columns that follow each other and are of one size. */
export interface AxisRun {
  readonly from: number;
  /** One more than the last. */
  readonly to: number;
  /** In pixels as they are at a zoom of 1; 0 for what is hidden. */
  readonly size: number;
}

export interface AxisOptions {
  /** How many rows or columns there are. */
  readonly count: number;
  /** Size of those that are in no run, in pixels at a zoom of 1. */
  readonly defaultSize: number;
  /** In order, none over another. */
  readonly runs: readonly AxisRun[];
  /** How large it is shown. */
  readonly zoom?: number;
  /** Pixels of the screen in one of CSS: every edge is on one of them, so that lines are sharp. */
  readonly pixelRatio?: number;
}

/** Rows or columns of one size, and where the first of them begins; both in pixels of the screen, which are whole. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly offset: number;
}

/** An offset that lies on an edge counts as that edge, whatever dividing has made of it. */
const tolerance = 1e-4;

/**
 * The rows or the columns of a sheet as lengths. Offsets are found by the few stretches of equal size, so a million rows
 * cost nothing but for those that somebody has made larger, smaller, or has hidden. Lengths are in pixels of CSS as shown.
 */
export class Axis {
  readonly count: number;
  /** Length of all of it. */
  readonly length: number;
  readonly #stretches: readonly Stretch[];
  readonly #ratio: number;

  constructor({ count, defaultSize, runs, zoom = 1, pixelRatio = 1 }: AxisOptions) {
    this.count = count;
    const shown = (size: number) => (size <= 0 ? 0 : Math.max(1, Math.round(size * zoom * pixelRatio)));
    const stretches: Stretch[] = [];
    let offset = 0;
    const add = (from: number, to: number, size: number) => {
      if (to <= from) return;
      const last = stretches.at(-1);
      if (last && last.size === size) stretches[stretches.length - 1] = { ...last, to };
      else stretches.push({ from, to, size, offset });
      offset += (to - from) * size;
    };
    let at = 0;
    for (const run of runs) {
      if (run.from >= count) break;
      add(at, run.from, shown(defaultSize));
      at = Math.min(run.to, count);
      add(run.from, at, shown(run.size));
    }
    add(at, count, shown(defaultSize));
    this.#stretches = stretches;
    this.#ratio = pixelRatio;
    this.length = offset / pixelRatio;
  }

  /** Where a row or column begins; the end of all for one past the last. */
  offsetOf(index: number): number {
    if (index <= 0) return 0;
    if (index >= this.count) return this.length;
    const { from, size, offset } = this.#stretchOf(index);
    return (offset + (index - from) * size) / this.#ratio;
  }

  sizeOf(index: number): number {
    return index < 0 || index >= this.count ? 0 : this.#stretchOf(index).size / this.#ratio;
  }

  isHidden(index: number): boolean {
    return this.sizeOf(index) === 0;
  }

  /** The one that is shown at an offset; the first or the last for what lies outside. */
  indexAt(offset: number): number {
    if (offset <= 0) return this.#first();
    const pixels = offset * this.#ratio + tolerance;
    const all = this.#stretches;
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (all[middle]!.offset <= pixels) low = middle;
      else high = middle - 1;
    }
    // Of several stretches with one offset all but the last are hidden; the last may be hidden at the end of the axis.
    const { from, to, size, offset: start } = all[low]!;
    if (size === 0) return this.previous(from) ?? from;
    return Math.min(to - 1, from + Math.floor((pixels - start) / size));
  }

  /** The next one after an index that is not hidden; null when there is none. */
  next(index: number): number | null {
    const at = index + 1;
    if (at >= this.count) return null;
    let number = this.#numberOf(at);
    const all = this.#stretches;
    if (all[number]!.size > 0) return at;
    while (++number < all.length) if (all[number]!.size > 0) return all[number]!.from;
    return null;
  }

  /** The one before an index that is not hidden; null when there is none. */
  previous(index: number): number | null {
    const at = index - 1;
    if (at < 0) return null;
    let number = this.#numberOf(at);
    const all = this.#stretches;
    if (all[number]!.size > 0) return at;
    while (--number >= 0) if (all[number]!.size > 0) return all[number]!.to - 1;
    return null;
  }

  #first(): number {
    return this.isHidden(0) ? (this.next(0) ?? 0) : 0;
  }

  #stretchOf(index: number): Stretch {
    return this.#stretches[this.#numberOf(index)]!;
  }

  #numberOf(index: number): number {
    const all = this.#stretches;
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (all[middle]!.from <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** On which sides of a row or column that is shown others are hidden; behind it only where none follows that has the mark before it. */
export function hiddenBeside(axis: Axis, index: number): { readonly isBefore: boolean }[] {
  const sides: { isBefore: boolean }[] = [];
  if (index > 0 && axis.isHidden(index - 1)) sides.push({ isBefore: true });
  if (index < axis.count - 1 && axis.next(index) === null) sides.push({ isBefore: false });
  return sides;
}
