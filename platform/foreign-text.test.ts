import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, headerText, shortFileName, shortText } from './foreign-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('text that came from outside', () => {
  it('[WO88] is text that the database and XML take, and stays the same otherwise', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = cleanText(text);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]/);
        expect(cleanText(clean)).toBe(clean);
      }),
    );
    const names = ['Änne', '\u5409\u91ce', '\u{20bb7}\u91ce', 'ann🙂', 'שם\u200f', "O'Neil, a/b"];
    expect(names.map(cleanText)).toEqual(names);
    expect(cleanText('a\u0000b\u{1ffff}c\ufdd0\ud83d')).toBe('abc\ufffd');
  });

  it('[WO88] goes into a header whatever it is, and not at all where it is too long', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(headerText(text)).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
    expect(headerText('\u{20bb7}\u91ce, ann')).toBe('%F0%A0%AE%B7%E9%87%8E, ann');
    expect(headerText('x'.repeat(10_000))).toBeNull();
  });

  it('[WO88] is cut between characters, and a name before its extension', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), (text, most) => {
        const short = shortText(text.toWellFormed(), most);
        expect(short.length).toBeLessThanOrEqual(most);
        expect(short.isWellFormed()).toBe(true);
      }),
    );
    expect(shortFileName(`${'🙂'.repeat(10)}.docx`, 12)).toBe('🙂🙂🙂.docx');
    expect(shortFileName('a.docx', 12)).toBe('a.docx');
    expect(shortFileName('x'.repeat(20), 12)).toBe('x'.repeat(12));
  });
});
