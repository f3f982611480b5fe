import type { Node } from 'prosemirror-model';
import { StepMap } from 'prosemirror-transform';
import { IdentityMap, withoutIdentity } from './identity-map.ts';

/** How one version of a file lies in another. */
export interface DocumentAlignment {
  /** From positions of the old version to those of the new one; what differs counts as replaced. */
  readonly map: StepMap;
  readonly identity: IdentityMap;
}

/**
 * Finds what two versions of a file share, although ids and the like are others in each: by blocks, and inside of
 * blocks that changed by their first and last difference.
 */
export function alignDocuments(old: Node, now: Node): DocumentAlignment {
  const alignment = new Aligning();
  old.descendants((node) => alignment.identity.know(node));
  alignment.children(old, now, 0);
  return { map: new StepMap(alignment.ranges), identity: alignment.identity };
}

/** Both versions say the same, whatever their parts are called. */
export function sameContent(one: Node, other: Node): boolean {
  return withoutIdentity(one).eq(withoutIdentity(other));
}

class Aligning {
  readonly identity = new IdentityMap();
  /** Start and size in the old version and size in the new one, of each difference, in order. */
  readonly ranges: number[] = [];

  /** Aligns the children of two nodes; the content of the old one begins at `start`. */
  children(old: Node, now: Node, start: number): void {
    const [olds, nows] = [old.children, now.children];
    const anchors = [...sharedBlocks(olds, nows), [olds.length, nows.length] as const];
    let [oldAt, nowAt] = [0, 0];
    let position = start;
    for (const [oldNext, nowNext] of anchors) {
      position = this.#gap(olds.slice(oldAt, oldNext), nows.slice(nowAt, nowNext), position);
      const anchor = olds[oldNext];
      if (anchor) {
        this.#equal(anchor, nows[nowNext]!);
        position += anchor.nodeSize;
      }
      [oldAt, nowAt] = [oldNext + 1, nowNext + 1];
    }
  }

  /** Nothing in here is the same; as many on each side are taken for changed one by one. Returns where it ends. */
  #gap(olds: readonly Node[], nows: readonly Node[], start: number): number {
    if (olds.length !== nows.length) {
      this.ranges.push(start, sizeOf(olds), sizeOf(nows));
      return start + sizeOf(olds);
    }
    let position = start;
    for (const [at, old] of olds.entries()) {
      this.#changed(old, nows[at]!, position);
      position += old.nodeSize;
    }
    return position;
  }

  #changed(old: Node, now: Node, position: number): void {
    if (old.type !== now.type || old.isLeaf) {
      this.ranges.push(position, old.nodeSize, now.nodeSize);
      return;
    }
    this.identity.pairNodes(old, now);
    if (!old.isTextblock) {
      this.children(old, now, position + 1);
      return;
    }
    const [before, after] = [withoutIdentity(old).content, withoutIdentity(now).content];
    const from = before.findDiffStart(after);
    const to = before.findDiffEnd(after);
    if (from === null || !to) {
      this.#inline(old, now);
      return;
    }
    const overlap = Math.max(0, from - Math.min(to.a, to.b));
    this.ranges.push(position + 1 + from, to.a + overlap - from, to.b + overlap - from);
  }

  #equal(old: Node, now: Node): void {
    this.identity.pairNodes(old, now);
    if (old.inlineContent) this.#inline(old, now);
    else for (const [at, child] of old.children.entries()) this.#equal(child, now.child(at));
  }

  /** Text of the same letters may lie in other pieces, because marks that divide it differ. */
  #inline(old: Node, now: Node): void {
    let offset = 0;
    for (const child of old.children) {
      const same = now.nodeAt(offset);
      if (same) {
        this.identity.pairNodes(child, same);
        this.identity.pairMarks(child.marks, same.marks);
      }
      offset += child.nodeSize;
    }
  }
}

function sizeOf(nodes: readonly Node[]): number {
  return nodes.reduce((size, node) => size + node.nodeSize, 0);
}

/** Pairs of indexes of blocks that are the same on both sides, rising on both. */
function sharedBlocks(olds: readonly Node[], nows: readonly Node[]): (readonly [number, number])[] {
  const same = (old: number, now: number) => withoutIdentity(olds[old]!).eq(withoutIdentity(nows[now]!));
  const shortest = Math.min(olds.length, nows.length);
  let start = 0;
  while (start < shortest && same(start, start)) start += 1;
  let end = 0;
  while (end < shortest - start && same(olds.length - 1 - end, nows.length - 1 - end)) end += 1;
  const head = Array.from({ length: start }, (_, at) => [at, at] as const);
  const tail = Array.from(
    { length: end },
    (_, at) => [olds.length - end + at, nows.length - end + at] as const,
  );
  const middle = uniqueBlocks(olds.slice(start, olds.length - end), nows.slice(start, nows.length - end));
  return [...head, ...middle.map(([old, now]) => [old + start, now + start] as const), ...tail];
}

/** Of the blocks that occur once on each side, the most that are in the same order on both. */
function uniqueBlocks(olds: readonly Node[], nows: readonly Node[]): (readonly [number, number])[] {
  const places = uniqueTexts(nows);
  const pairs = [...uniqueTexts(olds)].flatMap(([text, old]) => {
    const now = places.get(text);
    return now === undefined ? [] : [[old, now] as const];
  });
  return longestRising(pairs);
}

function uniqueTexts(nodes: readonly Node[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, node] of nodes.entries()) {
    const text = JSON.stringify(withoutIdentity(node).toJSON());
    if (places.has(text)) repeated.add(text);
    places.set(text, at);
  }
  for (const text of repeated) places.delete(text);
  return places;
}

/** The longest run of pairs, not necessarily adjacent, whose second members rise. The first members do. */
function longestRising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** For each length, the pair with the least end that such a run can have. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, [, now]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < now) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  }
  const run: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(pairs[at]!);
  return run.reverse();
}
