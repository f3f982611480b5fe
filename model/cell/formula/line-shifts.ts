import { type Area, type Axis, acrossOf, areaOf, lastOf, spanOf } from '../area.ts';
import type { DeleteLines, InsertLines } from '../operations.ts';

/** Whole lines that are put in or taken out. */
type LineChange = Pick<InsertLines | DeleteLines, 'op' | 'axis' | 'at' | 'count'>;

/** Lines that follow each other up to the next stretch, and where references to them begin and end now. */
interface Stretch {
  /** The first of them, as they were before everything. */
  readonly start: number;
  readonly isGone: boolean;
  /** Whether any change has moved them, also where they are back: references to them are written anew then. */
  readonly isMoved: boolean;
  /** How far they have moved; of lines that are gone, where a reference begins that began at one of them. */
  readonly first: number;
  /** The same; of lines that are gone, where a reference ends that ended at one of them. */
  readonly last: number;
}

/**
 * How references follow whole lines that are put in and taken out, any number of times one after the other: what they come to is
 * looked up at once, however many there were.
 */
export class LineShifts {
  readonly axis: Axis;
  readonly #changes: readonly LineChange[];
  readonly #stretches: readonly Stretch[];
  /** How many lines were put in. */
  readonly #inserted: number;

  private constructor(axis: Axis, changes: readonly LineChange[]) {
    this.axis = axis;
    this.#changes = changes;
    let stretches: readonly Stretch[] = [{ start: 0, isGone: false, isMoved: false, first: 0, last: 0 }];
    let inserted = 0;
    for (const change of changes) {
      if (change.op === 'insert') inserted += change.count;
      stretches = changedStretches(stretches, change);
    }
    this.#stretches = stretches;
    this.#inserted = inserted;
  }

  static of(change: LineChange): LineShifts {
    return new LineShifts(change.axis, [change]);
  }

  /** Some, each on the one before, all of one axis, at once. */
  static joined(some: readonly LineShifts[]): LineShifts {
    return new LineShifts(
      some[0]!.axis,
      some.flatMap((one) => one.#changes),
    );
  }

  /** Where a reference to an area leads; its very argument where none of the changes moves it, null: nowhere. */
  shift(area: Area): Area | null {
    const [from, to] = spanOf(area, this.axis);
    const end = lastOf(this.axis);
    if (from === 0 && to === end) return area;
    // What comes to the end of the sheet depends on each of the changes.
    if (to + this.#inserted >= end) return this.#oneByOne(area);
    const begins = this.#at(from);
    const ends = this.#at(to);
    const first = begins.isGone ? begins.first : from + begins.first;
    const last = ends.isGone ? ends.last : to + ends.last;
    if (!ends.isMoved) return area;
    return last < first ? null : areaOf(this.axis, first, last, ...spanOf(area, acrossOf(this.axis)));
  }

  #at(line: number): Stretch {
    let from = 0;
    let to = this.#stretches.length - 1;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#stretches[middle]!.start <= line) from = middle;
      else to = middle - 1;
    }
    return this.#stretches[from]!;
  }

  #oneByOne(area: Area): Area | null {
    let next: Area | null = area;
    for (const change of this.#changes) {
      if (next) next = change.op === 'insert' ? afterInsert(change, next) : afterDelete(change, next);
    }
    return next;
  }
}

function afterInsert({ axis, at, count }: LineChange, area: Area): Area | null {
  const [from, to] = spanOf(area, axis);
  const end = lastOf(axis);
  if (to < at || (from === 0 && to === end)) return area;
  const first = from >= at ? from + count : from;
  if (first > end) return null;
  return areaOf(axis, first, Math.min(to + count, end), ...spanOf(area, acrossOf(axis)));
}

function afterDelete({ axis, at, count }: LineChange, area: Area): Area | null {
  const [from, to] = spanOf(area, axis);
  if (to < at || (from === 0 && to === lastOf(axis))) return area;
  const end = at + count;
  const first = from < at ? from : Math.max(at, from - count);
  const last = to < end ? at - 1 : to - count;
  return last < first ? null : areaOf(axis, first, last, ...spanOf(area, acrossOf(axis)));
}

/** The stretches after one more change, which counts lines as they are now. */
function changedStretches(stretches: readonly Stretch[], change: LineChange): readonly Stretch[] {
  const { at, count } = change;
  const end = change.op === 'insert' ? at : at + count;
  const by = change.op === 'insert' ? count : -count;
  const next: Stretch[] = [];
  const add = (stretch: Stretch) => {
    const before = next.at(-1);
    const isSame =
      before?.isGone === stretch.isGone &&
      before.isMoved === stretch.isMoved &&
      before.first === stretch.first &&
      before.last === stretch.last;
    if (!isSame) next.push(stretch);
  };
  for (const [index, stretch] of stretches.entries()) {
    const { start, isGone, first, last } = stretch;
    if (isGone) {
      const moved = (line: number, gone: number) => (line < at ? line : line < end ? gone : line + by);
      add({ ...stretch, first: moved(first, at), last: moved(last, at - 1) });
      continue;
    }
    const behind = stretches[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const [goneFrom, goneTo] = [at - first, end - first];
    if (start < goneFrom) add(stretch);
    if (Math.max(start, goneFrom) < Math.min(behind, goneTo))
      add({ start: Math.max(start, goneFrom), isGone: true, isMoved: true, first: at, last: at - 1 });
    if (Math.max(start, goneTo) < behind)
      add({ ...stretch, start: Math.max(start, goneTo), isMoved: true, first: first + by, last: last + by });
  }
  return next;
}
