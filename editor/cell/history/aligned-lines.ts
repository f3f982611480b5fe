/** Which row, or column, of a newer version is which of an older one. */
export interface AlignedLines {
  /** Pairs of places, both rising. */
  readonly pairs: readonly (readonly [older: number, newer: number])[];
  /** Where a line of the older version would be now, also one that is empty or gone. */
  readonly placeNow: (older: number) => number;
}

export const alignedLines = (pairs: AlignedLines['pairs']): AlignedLines => ({
  pairs,
  placeNow: (line) => placeNow(pairs, line),
});

function placeNow(pairs: AlignedLines['pairs'], line: number): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle]![0] <= line) low = middle + 1;
    else high = middle;
  }
  const [older, newer] = pairs[low - 1] ?? [0, 0];
  return line + newer - older;
}
