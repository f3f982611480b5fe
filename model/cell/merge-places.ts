import { type Area, touches } from './area.ts';
import type { Item, ItemOf } from './items.ts';

type Merges = ReadonlyMap<string, Item>;

const areaOf = (merge: Item): Area => (merge as ItemOf<'merge'>).area;

/** Of so few it is faster to look at each. */
const fewMerges = 64;

/** Merged cells that are about as high and as wide as each other, by blocks of that size: each lies in four of these at most. */
interface SizeClass {
  readonly rowBits: number;
  readonly columnBits: number;
  readonly blocks: Map<number, string[]>;
}

/** The smallest power of two that is not below a number, as its exponent. */
const bitsFor = (count: number): number => 32 - Math.clz32(count - 1);

/** More than there are blocks beside each other. */
const blocksAcross = 2 ** 14;

/**
 * Where merged cells are, or were in another version: what is found here has to be asked whether it is there. So all versions of a list
 * share one, into which each puts what comes.
 */
class MergePlaces {
  readonly #classes = new Map<number, SizeClass>();
  /** How many were put in. */
  count = 0;

  add(id: string, area: Area): void {
    this.count++;
    const [r1, c1, r2, c2] = area;
    const { rowBits, columnBits, blocks } = this.#classFor(bitsFor(r2 - r1 + 1), bitsFor(c2 - c1 + 1));
    for (let row = r1 >> rowBits; row <= r2 >> rowBits; row++) {
      for (let column = c1 >> columnBits; column <= c2 >> columnBits; column++) {
        const block = row * blocksAcross + column;
        const there = blocks.get(block);
        if (there) there.push(id);
        else blocks.set(block, [id]);
      }
    }
  }

  /** The ids of all that may lie in an area, some perhaps several times. */
  *near([r1, c1, r2, c2]: Area): Generator<string> {
    for (const { rowBits, columnBits, blocks } of this.#classes.values()) {
      const [top, left, bottom, right] = [r1 >> rowBits, c1 >> columnBits, r2 >> rowBits, c2 >> columnBits];
      if ((bottom - top + 1) * (right - left + 1) > blocks.size) {
        for (const ids of blocks.values()) yield* ids;
        continue;
      }
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++)
          yield* blocks.get(row * blocksAcross + column) ?? [];
      }
    }
  }

  #classFor(rowBits: number, columnBits: number): SizeClass {
    const key = rowBits * 32 + columnBits;
    const found = this.#classes.get(key) ?? { rowBits, columnBits, blocks: new Map() };
    this.#classes.set(key, found);
    return found;
  }
}

/** By the lists of merged cells of which it is known. */
const known = new WeakMap<Merges, MergePlaces>();

/** Merged cells of which others were put in more often than there are any are counted anew. */
function placesOf(merges: Merges): MergePlaces {
  const found = known.get(merges);
  if (found && found.count <= merges.size * 2 + fewMerges) return found;
  const places = new MergePlaces();
  merges.forEach((merge, id) => {
    places.add(id, areaOf(merge));
  });
  known.set(merges, places);
  return places;
}

/** The ids of merged cells that an area has a part of. */
export function mergesTouching(merges: Merges, area: Area): ReadonlySet<string> {
  const found = new Set<string>();
  const take = (id: string, merge: Item | undefined) => {
    if (merge && touches(areaOf(merge), area)) found.add(id);
  };
  if (merges.size <= fewMerges) merges.forEach((merge, id) => void take(id, merge));
  else for (const id of placesOf(merges).near(area)) take(id, merges.get(id));
  return found;
}

/** A list has come of another one, with merged cells that came or have another place, or without some: it is found by what is known of that. */
export function keepMergePlaces(before: Merges, after: Merges, come: readonly string[] = []): void {
  const places = known.get(before);
  if (!places) return;
  for (const id of come) places.add(id, areaOf(after.get(id)!));
  known.set(after, places);
}
