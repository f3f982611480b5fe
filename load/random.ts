/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers below `count` in an order that is the same for the same seed (Fisher and Yates). */
export function shuffled(count: number, seed: number): number[] {
  const random = randomFrom(seed);
  const numbers = Array.from({ length: count }, (_, number) => number);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [numbers[last], numbers[other]] = [numbers[other]!, numbers[last]!];
  }
  return numbers;
}

/** Draws one of the entries by its weight. */
export function drawFrom<Name>(entries: readonly (readonly [Name, number])[], random: () => number): Name {
  let rest = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return entries.at(-1)![0];
}
