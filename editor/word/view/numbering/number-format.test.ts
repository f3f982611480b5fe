import { describe, expect, it } from 'vitest';
import { symbolText } from '../../../kit/symbol-fonts.ts';
import { formatNumber } from './number-format.ts';

describe('numbers of lists', () => {
  it.for([
    [4, 'decimal', '4'],
    [4, 'decimalZero', '04'],
    [4, 'decimalZero3', '004'],
    [12345, 'decimalZero5', '12345'],
    [1994, 'upperRoman', 'MCMXCIV'],
    [9, 'lowerRoman', 'ix'],
    [1, 'lowerLetter', 'a'],
    [26, 'upperLetter', 'Z'],
    [28, 'lowerLetter', 'bb'],
    [22, 'ordinal', '22nd'],
    [3, 'decimalEnclosedCircle', '③'],
    [2, 'russianLower', 'б'],
    [10, 'chineseCounting', '十'],
    [21, 'chineseCounting', '二十一'],
    [110, 'chineseCountingThousand', '一百一十'],
    [1_005, 'chineseCountingThousand', '一千零五'],
    [20_300, 'taiwaneseCountingThousand', '二萬零三百'],
    [15, 'chineseLegalSimplified', '壹拾伍'],
    [111, 'japaneseCounting', '百十一'],
    [12, 'japaneseLegal', '壱拾弐'],
    [10_101, 'koreanCounting', '일만백일'],
    [21, 'koreanLegal', '스물하나'],
    [10, 'koreanDigital', '일영'],
    [20, 'ideographDigital', '二〇'],
    [11, 'ideographTraditional', '甲'],
    [12, 'ideographZodiac', '亥'],
    [13, 'ideographZodiacTraditional', '丙子'],
    [2, 'aiueo', 'ｲ'],
    [6, 'aiueoFullWidth', 'カ'],
    [3, 'irohaFullWidth', 'ハ'],
    [2, 'ganada', '나'],
    [15, 'chosung', 'ㄱㄱ'],
    [4, 'thaiLetters', 'ง'],
    [12, 'thaiNumbers', '๑๒'],
    [30, 'hindiNumbers', '३०'],
    [11, 'hebrew1', 'יא'],
    [15, 'hebrew1', 'טו'],
    [116, 'hebrew1', 'קטז'],
    [11, 'hebrew2', 'כ'],
    [23, 'hebrew2', 'תא'],
    [21, 'cardinalText', 'Twenty-one'],
    [312, 'ordinalText', 'Three hundred twelfth'],
    [40, 'ordinalText', 'Fortieth'],
    [3, 'decimalEnclosedParen', '⑶'],
    [20, 'decimalEnclosedFullstop', '⒛'],
    [21, 'decimalEnclosedParen', '21'],
    [7, 'ideographEnclosedCircle', '㊆'],
    [42, 'decimalFullWidth', '４２'],
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
