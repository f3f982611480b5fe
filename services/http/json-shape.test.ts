import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isParsedSoon } from './json-shape.ts';

const check = (text: string) => isParsedSoon(Buffer.from(text));

test('[RA28] a body of many values, or of many levels, is not parsed, however few bytes each has', () => {
  expect(check(`[${'{},'.repeat(19_000 / 2)}0]`)).toBe(true);
  expect(check(`[${'{},'.repeat(349_000)}0]`)).toBe(false);
  expect(check(`[${'0,'.repeat(30_000)}0]`)).toBe(false);
  expect(check(`{"users":[${'"a",'.repeat(30_000)}"b"]}`)).toBe(false);
  expect(check('['.repeat(60) + ']'.repeat(60))).toBe(true);
  expect(check('['.repeat(65))).toBe(false);
  expect(check('{"a":'.repeat(65))).toBe(false);
});

test('[RA28] what stands in texts is not counted, whatever is escaped there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('[', '{', ',', ':', '"', '\\', 'ü', '😀', '\u0000', 'x')),
      (parts) => {
        const text = parts.join('').repeat(1_000);
        expect(check(JSON.stringify({ token: text }))).toBe(true);
        expect(check(JSON.stringify({ [text]: [text, text] }))).toBe(true);
      },
    ),
  );
});
