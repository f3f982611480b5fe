import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts } from '../../../../model/word/attributes.ts';
import * as values from '../../../../model/word/values.ts';
import { fontName, halfPoints, hexColor, twips } from './css-values.ts';

describe('values of CSS in pasted HTML', () => {
  it.for([
    ['12pt', 24],
    ['16px', 24],
    ['1em', 22],
    ['1.5rem', 33],
    ['medium', null],
    ['0pt', null],
    ['9999pt', null],
  ] as const)('[VW20] size %s', ([value, expected]) => {
    expect(halfPoints(value)).toBe(expected);
  });

  it.for([
    ['#abc', 'AABBCC'],
    ['#1f5fd6', '1F5FD6'],
    ['rgb(255, 0, 10)', 'FF000A'],
    ['rgba(0,0,0,0)', null],
    ['Red', 'FF0000'],
    ['windowtext', null],
    ['var(--x)', null],
  ] as const)('[VW20] colour %s', ([value, expected]) => {
    expect(hexColor(value)).toBe(expected);
  });

  it('[VW20] lengths are twips within what a document can hold', () => {
    expect(twips('36.0pt')).toBe(720);
    expect(twips('1in')).toBe(1_440);
    expect(twips('90000px')).toBeNull();
    expect(twips('10%')).toBeNull();
  });

  it('[VW20] the first font that is one', () => {
    expect(fontName('"Times New Roman", serif')).toBe('Times New Roman');
    expect(fontName('-apple-system, system-ui, "Segoe UI"')).toBe('Segoe UI');
    expect(fontName('inherit')).toBeNull();
  });

  it('[VW20] whatever CSS says, the model accepts what comes of it', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer()).map(String);
    const length = fc
      .tuple(number, fc.constantFrom('pt', 'px', 'em', 'cm', '%', ''))
      .map(([n, unit]) => n + unit);
    fc.assert(
      fc.property(
        length,
        fc.oneof(fc.constantFrom('__proto__', 'constructor'), fc.string()),
        (text, other) => {
          for (const one of [text, other, `rgb(${text}, 3, 4)`]) {
            const found = [
              [values.halfPoints, halfPoints(one)],
              [values.signedTwips, twips(one)],
              [values.hexColor, hexColor(one)],
            ] as const;
            for (const [check, value] of found) if (value !== null) expect(accepts(check, value)).toBe(true);
          }
        },
      ),
    );
  });
});
