import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longCharacters } from '../ports/peer.ts';
import { foldJson, stringsInTurns } from './reading.ts';

const turn = async () => undefined;
const sign = fc.constantFrom('"', '\\', '\n', 'a', 'u', 'é', '漢', '😀', '\ud83d', '\ude00', ',', '\u0001');
const short = fc.string({ unit: sign, maxLength: 5 });
/** A text whose signs stand at the places where it may be cut. */
const long = fc
  .tuple(fc.integer({ min: -12, max: 2 }), short, short)
  .map(([beside, one, other]) =>
    [one, other].map((signs) => 'j'.repeat(longCharacters + beside) + signs).join(''),
  );
const string = fc.oneof(short, short, long);

/** JSON of a text with other escapes than `JSON.stringify` makes. */
const escaped = (json: string) =>
  json.replace(/[é漢]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('[SV39] what is read in turns is what the JSON says', async () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(string, fc.integer(), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(fc.oneof(short, fc.constant('__proto__'), long), tie('value'), { maxKeys: 3 }),
  })).value;
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(value, fc.boolean(), fc.constantFrom(undefined, 1), async (value, isEscaped, space) => {
      const json = JSON.stringify(value, null, space);
      const text = isEscaped ? escaped(json) : json;
      for (const given of text.isWellFormed() ? [text, Buffer.from(text)] : [text]) {
        const short = await foldJson(given, turn);
        if (!short) return;
        folded += 1;
        expect(short.text.length).toBeLessThan(text.length);
        expect(
          JSON.stringify(short.unfold(JSON.parse(short.text))) === JSON.stringify(JSON.parse(text)),
        ).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
  expect(folded).toBeGreaterThan(0);
});

test('[SV39] a list of texts is read in turns', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(string, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.constantFrom(undefined, 1),
      async (texts, isEscaped, space) => {
        const json = JSON.stringify(texts, null, space);
        const text = isEscaped ? escaped(json) : json;
        const read = await stringsInTurns(text, turn);
        expect(JSON.stringify(read) === JSON.stringify(JSON.parse(text))).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

test('[SV39] what is no list of texts is refused, wherever it is wrong', async () => {
  const text = 'j'.repeat(longCharacters + 1);
  const lists = [
    ...[
      '',
      '[]',
      '"',
      '["',
      '{"a":"b"}',
      '["a" "b"]',
      '["a",]',
      '[,"a"]',
      '["a"]x',
      'x["a"]',
      '["a",1]',
      '[["a"]]',
    ],
    ...['["\u0001"]', '["\\x"]', '["a",\u00a0"b"]', '["\\u12"]'],
  ];
  for (const list of lists) {
    const withLong = list.replace('a', text).replace('\u0001', `${text}\u0001`).replace('\\x', `${text}\\x`);
    for (const one of [list, withLong])
      await expect(stringsInTurns(one, turn), list).rejects.toThrow(SyntaxError);
  }
  for (const wrong of [`["${text}\u0001"]`, `["${text}\\x"]`, `["${text}`, `["${text}\\"]`]) {
    expect(await foldJson(wrong, turn)).toBeNull();
  }
});

test('[SV39] a text of backslashes is cut between escapes', async () => {
  for (const count of [longCharacters - 1, longCharacters, 2 * longCharacters + 1]) {
    for (const before of ['', 'j', '\n']) {
      const texts = [`${before}${'\\'.repeat(count)}\u0001`];
      expect((await stringsInTurns(JSON.stringify(texts), turn))[0] === texts[0]).toBe(true);
    }
  }
});

test('[SV39] between two turns no more than a long piece is read', async () => {
  let turns = 0;
  const counted = async () => {
    turns += 1;
  };
  const json = JSON.stringify(['j'.repeat(10 * longCharacters)]);
  await foldJson(`{"changes":${JSON.stringify(json)}}`, counted);
  expect(turns).toBeGreaterThanOrEqual(10);
  turns = 0;
  await stringsInTurns(json, counted);
  expect(turns).toBe(10);
  turns = 0;
  await stringsInTurns(JSON.stringify(Array<string>(100).fill('j'.repeat(longCharacters / 10))), counted);
  expect(turns).toBeGreaterThanOrEqual(10);
  turns = 0;
  await foldJson(JSON.stringify(Array<string>(10).fill('\\"'.repeat(longCharacters / 10))), counted);
  expect(turns).toBeGreaterThanOrEqual(2);
});
