import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSequences } from './sequence-diff.ts';

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

describe('the difference of two sequences', () => {
  it('[EH20] its stretches, put in the place of the old ones, make the new sequence', () => {
    fc.assert(
      fc.property(letters, letters, (older, newer) => {
        const made: string[] = [];
        let place = 0;
        for (const { oldFrom, oldTo, newFrom, newTo } of diffSequences(older, newer)) {
          made.push(...older.slice(place, oldFrom), ...newer.slice(newFrom, newTo));
          place = oldTo;
        }
        made.push(...older.slice(place));
        expect(made).toEqual(newer);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[EH20] no other stretches are shorter', () => {
    fc.assert(
      fc.property(letters, letters, (older, newer) => {
        const cost = diffSequences(older, newer).reduce(
          (sum, { oldFrom, oldTo, newFrom, newTo }) => sum + oldTo - oldFrom + newTo - newFrom,
          0,
        );
        expect(cost).toBe(older.length + newer.length - 2 * longestCommon(older, newer));
      }),
    );
  });

  it('[EH20] sequences with nothing in common are one stretch, however long', () => {
    const older = Array.from({ length: 20_000 }, (_, index) => `old ${index}`);
    const newer = Array.from({ length: 20_000 }, (_, index) => `new ${index}`);
    expect(diffSequences(older, newer)).toEqual([{ oldFrom: 0, oldTo: 20_000, newFrom: 0, newTo: 20_000 }]);
  });
});

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const item of one) {
    const next = [0];
    for (const [index, against] of other.entries()) {
      next.push(item === against ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}
