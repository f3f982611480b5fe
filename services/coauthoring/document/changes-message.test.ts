import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsAsSent, piecesOf } from './changes-message.ts';

const author = { uniqueId: 'ann1', userId: 'ann', name: 'Ann' };
const signs = fc.constantFrom('"', '\\', '\n', '\u0001', 'a', 'é', '漢', '😀');
const change = fc.oneof(
  fc.string({ unit: signs, maxLength: 40 }),
  fc.string({ unit: signs, maxLength: 40 }).map((text) => JSON.stringify({ c: text })),
);
/** JSON of a list as some clients write it: with spaces, and with signs escaped that need not be. */
const clumsy = (changes: readonly string[]) => JSON.stringify(changes, null, 1).replaceAll('a', '\\u0061');

test('[SV34] whether a batch fits is said of exactly what others are sent, however its sender wrote it', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 8 }),
      fc.boolean(),
      fc.integer({ min: -3, max: 3 }),
      (changes, isClumsy, more) => {
        const text = isClumsy ? clumsy(changes) : JSON.stringify(changes);
        const batch = {
          firstIndex: 0,
          nextIndex: changes.length,
          author,
          savedAtMs: Date.now(),
          changes: text,
        };
        const pieces = [...piecesOf('key', batch, changes)];
        // Behind each change there is a sign that parts it from the next.
        const bytes = pieces.reduce(
          (sum, { objects }) => sum + Buffer.byteLength(objects),
          changes.length > 0 ? 1 : 0,
        );
        const fits = fitsAsSent('key', author, { text, changes, beside: 0 }, bytes + more);
        expect(fits).toBe(more >= 0);
      },
    ),
  );
});
