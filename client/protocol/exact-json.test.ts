import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson } from './exact-json.ts';

/** Whole numbers that are written with all of their digits, and have more than a number keeps. */
const asText = (_name: string, value: unknown): unknown =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  Math.abs(value) < 1e21
    ? String(value)
    : value;

describe('JSON of others', () => {
  it('[WO96] keeps whole numbers that would be rounded as texts', () => {
    const text = '{"a":1764000000000000001,"b":[-9007199254740993 ,9007199254740991],"c":0}';
    expect(exactJson(text)).toEqual({
      a: '1764000000000000001',
      b: ['-9007199254740993', 9_007_199_254_740_991],
      c: 0,
    });
  });

  it('[WO96] leaves texts, fractions and exponents as they are', () => {
    const text = String.raw`{"1764000000000000001":"\"1764000000000000001,\\","b":0.1234567890123456789,"c":1234567890123456789.5,"d":1e-0000000000000000001}`;
    expect(exactJson(text)).toEqual(JSON.parse(text));
  });

  it('[WO96] reads everything else as JSON says', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(exactJson(text)).toEqual(JSON.parse(text, asText));
      }),
    );
    expect(() => exactJson('{"a":1764000000000000001')).toThrow(SyntaxError);
    expect(() => exactJson('"1764000000000000001')).toThrow(SyntaxError);
  });

  it('[WO96] reads a long text of escaped characters in its turn', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(500_000), b: '1764000000000000001' });
    expect(exactJson(text)).toEqual(JSON.parse(text));
  });
});
