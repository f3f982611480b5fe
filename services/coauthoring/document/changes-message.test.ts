import fc from 'fast-check';
import { expect, test } from 'vitest';
import { broadcastsOf, fitsAsSent, piecesOf, quoteAlone } from './changes-message.ts';

const turn = async () => undefined;
const author = { uniqueId: 'ann1', userId: 'ann', name: 'Ann' };
const signs = fc.constantFrom('"', '\\', '\n', '\u0001', 'a', 'é', '漢', '😀');
const change = fc.oneof(
  fc.string({ unit: signs, maxLength: 40 }),
  fc.string({ unit: signs, maxLength: 40 }).map((text) => JSON.stringify({ c: text })),
);
/** JSON of a list as some clients write it: with spaces, and with signs escaped that need not be. */
const clumsy = (changes: readonly string[]) => JSON.stringify(changes, null, 1).replaceAll('a', '\\u0061');

test('[SV34] whether a batch fits is said of exactly what others are sent, however its sender wrote it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 8 }),
      fc.boolean(),
      fc.integer({ min: -3, max: 3 }),
      async (changes, isClumsy, more) => {
        const text = isClumsy ? clumsy(changes) : JSON.stringify(changes);
        const batch = {
          firstIndex: 0,
          nextIndex: changes.length,
          author,
          savedAtMs: Date.now(),
          changes: JSON.stringify(changes),
        };
        const pieces = [...piecesOf('key', batch, changes)];
        // Behind each change there is a sign that parts it from the next.
        const bytes = pieces.reduce(
          (sum, { objects }) => sum + Buffer.byteLength(objects.join('')),
          changes.length > 0 ? 1 : 0,
        );
        const fits = await fitsAsSent('key', author, { text, changes, beside: 0 }, bytes + more, turn);
        expect(fits).toBe(more >= 0);
      },
    ),
  );
});

test('[SV39] many signs that have to be quoted are counted in turns', async () => {
  const changes = ['"'.repeat(200_000)];
  const text = JSON.stringify(changes);
  const sent = { text, changes, beside: 0 };
  let turns = 0;
  const inTurn = async () => {
    turns += 1;
  };
  expect(await fitsAsSent('key', author, sent, 1_000_000, inTurn)).toBe(true);
  expect(turns).toBe(7);
});

test('[SV5] a change that is a batch of its own, or the rest of one, is quoted as it is beside others', () => {
  const quoted = (batched: readonly string[], changes: readonly string[]) => {
    const text = JSON.stringify(batched);
    const batch = { firstIndex: 3, nextIndex: 3 + batched.length, author, savedAtMs: 1, changes: text };
    const [piece] = [...piecesOf('key', batch, changes)];
    return (JSON.parse(`[${piece!.objects.join('')}]`) as { change: string }[]).map((one) =>
      JSON.parse(one.change),
    );
  };
  const [first, last] = ['{"c":"é\\"\n"}', '漢'];
  expect(quoted([first], [first])).toEqual([first]);
  expect(quoted([first, last], [last])).toEqual([last]);
  expect(quoted([first, last], [first, last])).toEqual([first, last]);
});

test('[SV39] a long change that is quoted in turns is sent as it is when it is quoted at once', async () => {
  const changes = [`${'"j'.repeat(200_000)}漢😀`];
  const stored = { firstIndex: 3, nextIndex: 4, author, savedAtMs: 1, changes: JSON.stringify(changes) };
  const details = { isLast: true, locks: [], excelAdditionalInfo: null };
  const [inTurns, atOnce] = [await quoteAlone(stored, turn), null].map((quoted) => [
    ...broadcastsOf('key', stored, changes, details, quoted),
  ]);
  expect(inTurns!.length).toBe(1);
  expect(inTurns![0]!.parts.length).toBeGreaterThan(4);
  expect(inTurns![0]!.json === atOnce![0]!.json).toBe(true);
});
