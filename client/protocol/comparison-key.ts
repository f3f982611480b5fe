/**
 * Keys under which an editor opens a file to compare its document with: the embedding page gives such a file no key. Nobody
 * guesses one, so nobody comes into somebody else's comparison.
 */
export const comparisonKeyPattern = /^quire-compare-[0-9a-f]{32}$/;

/** A key that nobody else has. */
export function newComparisonKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `quire-compare-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
