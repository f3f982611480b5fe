import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longCharacters } from '../ports/peer.ts';
import { bytesInTurns, utf8InTurns } from './utf8.ts';

test('[SV39] the bytes of a long text that are made in turns are those of the text', async () => {
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  const signs = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00'), maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(signs, signs, fc.integer({ min: -6, max: 1 }), async (one, other, beside) => {
      const text = [one, other].map((some) => 'j'.repeat(longCharacters + beside) + some).join('');
      const bytes = Buffer.from(text);
      expect(await bytesInTurns(text, turn)).toBe(bytes.length);
      expect((await utf8InTurns(text, turn)).equals(bytes)).toBe(true);
    }),
    { numRuns: 50 },
  );
  expect(turns).toBeGreaterThan(0);
});
