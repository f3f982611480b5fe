/** A stretch of a sequence that another stands in the place of. Ends are exclusive; either may be empty. */
export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Sequences that differ in more places than this count as wholly different: the search costs its square. */
const mostEdits = 800;

/**
 * The fewest replacements that make one sequence of another (E. W. Myers, An O(ND) Difference Algorithm, 1986), in
 * order. What is alike at the beginning and the end costs nothing.
 */
export function diffSequences(older: readonly string[], newer: readonly string[]): Hunk[] {
  let start = 0;
  const shorter = Math.min(older.length, newer.length);
  while (start < shorter && older[start] === newer[start]) start++;
  let oldEnd = older.length;
  let newEnd = newer.length;
  while (oldEnd > start && newEnd > start && older[oldEnd - 1] === newer[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const whole = { oldFrom: start, oldTo: oldEnd, newFrom: start, newTo: newEnd };
  if (start === oldEnd && start === newEnd) return [];
  if (start === oldEnd || start === newEnd) return [whole];
  const kept = commonPairs(older.slice(start, oldEnd), newer.slice(start, newEnd));
  return kept ? hunksBetween(kept, start, oldEnd, newEnd) : [whole];
}

type Pair = readonly [oldIndex: number, newIndex: number];

function hunksBetween(kept: readonly Pair[], start: number, oldEnd: number, newEnd: number): Hunk[] {
  const hunks: Hunk[] = [];
  let oldFrom = start;
  let newFrom = start;
  for (const [oldIndex, newIndex] of [...kept, [oldEnd - start, newEnd - start] as const]) {
    const oldTo = oldIndex + start;
    const newTo = newIndex + start;
    if (oldTo > oldFrom || newTo > newFrom) hunks.push({ oldFrom, oldTo, newFrom, newTo });
    oldFrom = oldTo + 1;
    newFrom = newTo + 1;
  }
  return hunks;
}

/** Indices of what both have, in order; null if there are too many differences. */
function commonPairs(older: readonly string[], newer: readonly string[]): Pair[] | null {
  const most = Math.min(mostEdits, older.length + newer.length);
  /** How far each diagonal (old index minus new index) is reached, after each number of edits. */
  const trace: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= most; edits++) {
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = reached.get(diagonal + 1) ?? -1;
      const right = (reached.get(diagonal - 1) ?? -2) + 1;
      let oldIndex = diagonal === -edits || (diagonal !== edits && right <= down) ? down : right;
      if (oldIndex < 0) continue;
      while (oldIndex < older.length && older[oldIndex] === newer[oldIndex - diagonal]) oldIndex++;
      next.set(diagonal, oldIndex);
      if (oldIndex >= older.length && oldIndex - diagonal >= newer.length) {
        return pairsOf([...trace, next], older.length, newer.length);
      }
    }
    trace.push(next);
    reached = next;
  }
  return null;
}

/** Walks back from the end through the rounds of the search. */
function pairsOf(trace: readonly Map<number, number>[], oldLength: number, newLength: number): Pair[] {
  const pairs: Pair[] = [];
  let oldIndex = oldLength;
  let newIndex = newLength;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const diagonal = oldIndex - newIndex;
    const before = trace[edits - 1];
    const down = before?.get(diagonal + 1) ?? -1;
    const right = (before?.get(diagonal - 1) ?? -2) + 1;
    const isDown = diagonal === -edits || (diagonal !== edits && right <= down);
    const from = edits === 0 ? 0 : isDown ? down : right;
    while (oldIndex > from) pairs.push([--oldIndex, --newIndex]);
    if (isDown) newIndex--;
    else oldIndex--;
  }
  return pairs.reverse();
}
