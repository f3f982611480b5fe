import { describe, expect, it } from 'vitest';
import { formatNumber } from './number-format.ts';
import { symbolText } from './symbol-fonts.ts';

describe('numbers of lists', () => {
  it.for([
    [4, 'decimal', '4'],
    [4, 'decimalZero', '04'],
    [1994, 'upperRoman', 'MCMXCIV'],
    [9, 'lowerRoman', 'ix'],
    [1, 'lowerLetter', 'a'],
    [26, 'upperLetter', 'Z'],
    [28, 'lowerLetter', 'bb'],
    [22, 'ordinal', '22nd'],
    [3, 'decimalEnclosedCircle', '③'],
    [2, 'russianLower', 'б'],
    [5, 'none', ''],
    [5, 'somethingNew', '5'],
    [0, 'lowerLetter', '0'],
  ] as const)('[VW10] %d in the format %s is "%s"', ([value, format, text]) => {
    expect(formatNumber(value, format)).toBe(text);
  });

  it('[VW12] bullets of symbol fonts are ordinary characters', () => {
    expect(symbolText('\uf0b7', 'Symbol')).toBe('•');
    expect(symbolText('\uf0a7', 'Wingdings')).toBe('▪');
    expect(symbolText('ü', 'Wingdings')).toBe('✓');
    expect(symbolText('\uf0d8', 'Wingdings')).toBe('➢');
    expect(symbolText('o', 'Courier New')).toBe('o');
    expect(symbolText('\uf012', 'Webdings')).toBe('•');
  });
});
