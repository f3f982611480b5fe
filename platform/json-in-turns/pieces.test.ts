import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longCharacters } from '../ports/peer.ts';
import { joinedParts, shortPieces } from './pieces.ts';

test('[SV39] parts that are put together are the same text, and are not long unless they were', () => {
  const length = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: longCharacters + 3 }));
  fc.assert(
    fc.property(fc.array(length, { maxLength: 8 }), (lengths) => {
      const parts = lengths.map((one, number) => String(number).repeat(one));
      const joined = joinedParts(parts);
      expect(joined.join('') === parts.join('')).toBe(true);
      for (const part of joined) expect(part.length <= longCharacters || parts.includes(part)).toBe(true);
      for (const [number, part] of joined.slice(1).entries())
        expect(joined[number]!.length + part.length).toBeGreaterThan(longCharacters);
    }),
    { numRuns: 50 },
  );
});

test('[SV39] a text in short pieces is the same text', () => {
  const text = `${'j'.repeat(longCharacters - 1)}${'😀'.repeat(longCharacters)}`;
  const pieces = [...shortPieces(text)];
  expect(pieces.join('') === text).toBe(true);
  expect(pieces.map(({ length }) => length)).toEqual([
    longCharacters + 1,
    longCharacters,
    longCharacters - 2,
  ]);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});
