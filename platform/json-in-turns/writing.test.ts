import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longCharacters } from '../ports/peer.ts';
import { listInTurns, quotedInTurns } from './writing.ts';

const sign = fc.constantFrom('"', '\\', '\n', 'a', 'é', '漢', '😀', '\ud83d', '\ude00');
const short = fc.string({ unit: sign, maxLength: 5 });
/** A text whose signs stand at the places where it may be cut. */
const long = fc
  .tuple(fc.integer({ min: -3, max: 1 }), short, short)
  .map(([beside, one, other]) =>
    [one, other].map((signs) => 'j'.repeat(longCharacters + beside) + signs).join(''),
  );

test('[SV39] the JSON of long texts that is made in turns is the JSON of these texts', async () => {
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(short, short, long), { maxLength: 6 }), async (texts) => {
      const json = JSON.stringify(texts);
      for (const likely of [
        '',
        json,
        `${json} `,
        json.slice(0, -2),
        `[ ${json.slice(1)}`,
        json.replace('j', 'k'),
      ])
        expect((await listInTurns(texts, turn, likely)) === json).toBe(true);
      for (const text of texts)
        expect((await quotedInTurns(text, turn)).join('') === JSON.stringify(text)).toBe(true);
    }),
    { numRuns: 100 },
  );
  expect(turns).toBeGreaterThan(0);
});

test('[SV39] no character is cut in two, also behind half of another', async () => {
  const turn = async () => undefined;
  for (const end of ['😀', '\ud83d😀', '\ud83d\ud83d', '\ude00', '😀😀']) {
    for (const beside of [0, 1, 2]) {
      const text = `${'j'.repeat(longCharacters - beside)}${end}j`;
      expect((await quotedInTurns(text, turn)).join('') === JSON.stringify(text), `${end} ${beside}`).toBe(
        true,
      );
    }
  }
});

test('[SV39] between two turns no more than a long piece is made', async () => {
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  await quotedInTurns('j'.repeat(10 * longCharacters), turn);
  expect(turns).toBe(10);
  turns = 0;
  await listInTurns(Array<string>(100).fill('j'.repeat(longCharacters / 10)), turn);
  expect(turns).toBeGreaterThanOrEqual(9);
  turns = 0;
  await listInTurns(['a', 'b'], turn);
  expect(turns).toBe(0);
});
