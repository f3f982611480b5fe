import { execFileSync } from 'node:child_process';

/** Name of the environment variable with the seed of a run's properties; set it to try others. */
export const seedVariable = 'QUIRE_TEST_SEED';

/**
 * The seed of properties, a 32-bit integer: the given one, or one made of the committed tree, so that a
 * commit passes or fails for good. Outside of a repository it is always the same.
 *
 * @param given value of the variable above
 * @param tree the hash of the committed tree, hexadecimal
 * @throws when what is given is no integer
 */
export function propertySeed(given: string | undefined, tree = committedTree()): number {
  if (given === undefined || given === '') return Number.parseInt(tree.slice(0, 8), 16) | 0;
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`${seedVariable} is no integer: ${given}`);
  return seed;
}

function committedTree(): string {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: import.meta.dirname, stdio }).toString();
  } catch {
    return '0';
  }
}
