/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of several walks that differ by their seed alone, the first, or all where `ALL_SEEDS` is set. */
export const seedsOf = <Seed>(...seeds: readonly [Seed, ...Seed[]]): Seed[] =>
  process.env.ALL_SEEDS ? [...seeds] : [seeds[0]];
