import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextLook } from './drawn-sheet.ts';
import { cachedMeasure, directionOf, layoutText, letterWidths, lineCount } from './text-layout.ts';

const look: TextLook = {
  family: 'Test',
  sizePx: 10,
  bold: false,
  italic: false,
  underline: 'none',
  strike: false,
  script: 'normal',
  color: null,
  lineFactor: 1.2,
};
const bold: TextLook = { ...look, bold: true };

/** Every letter is ten pixels wide, a bold one twelve. */
const measure = (text: string, font: string) => [...text].length * (font.includes('bold') ? 12 : 10);

const linesOf = (text: string, width: number | null) =>
  layoutText([{ text, look }], 1, width, measure).lines.map(({ pieces }) =>
    pieces.map((piece) => piece.text).join(''),
  );

describe('text in a cell', () => {
  it('[XS2] is broken at spaces, hyphens, its own line breaks, and inside a word that does not fit', () => {
    expect(linesOf('one two three', 80)).toEqual(['one two ', 'three']);
    expect(linesOf('one two three', null)).toEqual(['one two three']);
    expect(linesOf('a\nb\r\n\nc', null)).toEqual(['a', 'b', '', 'c']);
    expect(linesOf('well-known', 60)).toEqual(['well-', 'known']);
    expect(linesOf('abcdefgh i', 30)).toEqual(['abc', 'def', 'gh ', 'i']);
    expect(linesOf('日本語', 20)).toEqual(['日本', '語']);
    expect(linesOf('', 20)).toEqual(['']);
  });

  it('[XS2] keeps runs of several looks in their order, and lines as high as the highest of them', () => {
    const large: TextLook = { ...look, sizePx: 20 };
    const runs = [
      { text: 'ab ', look },
      { text: 'cd', look: bold },
      { text: ' ef', look: large },
    ];
    const { lines, width, height } = layoutText(runs, 1, null, measure);
    expect(lines[0]!.pieces.map(({ text, x }) => [text, x])).toEqual([
      ['ab ', 0],
      ['cd', 30],
      [' ef', 54],
    ]);
    expect([width, height]).toEqual([84, 24]);
  });

  it('[XS2] has the direction of its first letter that has one', () => {
    expect(directionOf('12 שלום abc')).toBe('rtl');
    expect(directionOf('abc שלום')).toBe('ltr');
    expect(directionOf('123')).toBe('ltr');
  });

  it('[XS2] is measured once, and forgotten when there is too much of it', () => {
    const asked: string[] = [];
    const cached = cachedMeasure((text, font) => {
      asked.push(text);
      return measure(text, font);
    }, 2);
    for (const text of ['a', 'a', 'bb', 'ccc', 'a']) cached(text, 'f');
    expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
  });

  it('[XS129] has as many lines as are counted by the widths of its letters', () => {
    const widthOf = letterWidths(measure)('10px Test');
    const letters = fc.constantFrom('a', 'b', 'c', ' ', '-', '\n', '字');
    fc.assert(
      fc.property(
        fc.string({ unit: letters, maxLength: 60 }),
        fc.integer({ min: 5, max: 120 }),
        (text, width) => {
          expect(lineCount(text, width, widthOf)).toBe(linesOf(text, width).length);
        },
      ),
    );
  });
});
