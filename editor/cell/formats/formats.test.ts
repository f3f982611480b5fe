import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittingNumber, shownValue, showsDate, showsText } from '../../../model/cell/formats/shown-value.ts';
import { type TypedValue, typedValue } from '../../../model/cell/formats/typed-value.ts';
import { editedNumber } from './edited-text.ts';
import { isFormat, kindOfFormat } from './format-kinds.ts';

const english = { locale: 'en' };
const german = { locale: 'de' };

const number = (value: number, pattern: string | null = null): TypedValue => ({
  kind: 'number',
  number: value,
  pattern,
});

describe('a value by its number format', () => {
  it('[XS5] is written as the language writes it', () => {
    const shown = (value: number, pattern: string, settings = english) =>
      shownValue(value, pattern, settings).text;
    expect(shown(1234.5, '#,##0.00')).toBe('1,234.50');
    expect(shown(1234.5, '#,##0.00', german)).toBe('1.234,50');
    expect(shown(0.125, '0.0%')).toBe('12.5%');
    expect(shown(45_293, 'd mmmm yyyy', german)).toBe('2 Januar 2024');
    expect(shown(1.5, '[h]:mm')).toBe('36:00');
    expect(shown(1234.5678, 'General', german)).toBe('1234,5678');
    expect(shown(5, ';;;')).toBe('');
    expect(shownValue(45_293 - 1462, 'yyyy-mm-dd', { ...english, date1904: true }).text).toBe('2024-01-02');
    expect(shownValue('a', '"<"@">"', english).text).toBe('<a>');
  });

  it('[XS135] is shown as it is where the format is a name that all objects have', () => {
    for (const pattern of ['toString', 'constructor', 'valueOf', '__proto__', 'hasOwnProperty']) {
      expect([shownValue(1.5, pattern, english).text, shownValue('a', pattern, english).text]).toEqual([
        '1.5',
        'a',
      ]);
      expect([kindOfFormat(pattern), isFormat(pattern), showsDate(pattern), showsText(pattern)]).toEqual([
        ...['custom', false, false, false],
      ]);
    }
  });

  it('[XS310] has a small e where its format has one', () => {
    const shown = (value: number, pattern: string, settings = english) =>
      shownValue(value, pattern, settings).text;
    expect(shown(1234.5, '0.0e+0')).toBe('1.2e+3');
    expect(shown(1234.5, '0.00e-00', german)).toBe('1,23e03');
    expect(shown(-1234.5, '0.0E+0;[Red]0.0e+0')).toBe('1.2e+3');
    expect(shown(1234.5, '0.0E+0')).toBe('1.2E+3');
    expect(shown(12.5, '0.0" E+1"')).toBe('12.5 E+1');
    expect(shown(45_293, 'e')).toBe('2024');
    expect(shownValue(-5, '0e+0;[Red]-0e+0', english)).toMatchObject({ text: '-5e+0', color: '#ff0000' });
    expect([kindOfFormat('0.0e+0'), isFormat('0.0e+0'), showsDate('0.0e+0')]).toEqual([
      'scientific',
      true,
      false,
    ]);
  });

  it('[XS5] has the signs of the reader, whose language its currency is named with', () => {
    const shown = (pattern: string, settings = english) => shownValue(1234.5, pattern, settings).text;
    expect(shown('#,##0.00 [$€-407]')).toBe('1,234.50 €');
    expect(shown('[$R$-416]\\ #,##0.00')).toBe('R$ 1,234.50');
    expect(shown('[$-10407]#,##0.0')).toBe('1,234.5');
    expect(shown('#,##0.00\\ [$€-2]', german)).toBe('1.234,50 €');
    expect(shown('"[$€-407]"0')).toBe('[$€-407]1235');
    expect(shown('[$-407]d mmmm yyyy')).toBe('18 Mai 1903');
  });

  it('[XS5] counts days from 1904 where the workbook does, and no durations; days before the first have a minus', () => {
    const from1904 = { ...english, date1904: true };
    const shown = (value: number, pattern: string) => shownValue(value, pattern, from1904).text;
    expect(shown(0.5, '[h]:mm')).toBe('12:00');
    expect(shown(1.5, '[mm]:ss')).toBe('2160:00');
    expect(shown(-0.5, '[h]:mm')).toBe('-12:00');
    expect(shown(-0.5, 'h:mm')).toBe('-12:00');
    expect(shown(-1, 'yyyy-mm-dd')).toBe('-1904-01-02');
    expect(shown(1, '"[h]" yyyy-mm-dd')).toBe('[h] 1904-01-02');
    expect(editedNumber(1.5, '[h]:mm', from1904)).toBe('36:00:00');
    expect(typedValue('36:00', '[h]:mm', from1904)).toMatchObject({ number: 1.5 });
  });

  it('[XS5] has the colour that the format names, and is General where that cannot be read', () => {
    expect(shownValue(-1, '0;[Red]-0', english)).toEqual({ text: '-1', color: '#ff0000', general: null });
    expect(shownValue(1, '0;[Red]-0', english).color).toBeNull();
    expect(shownValue(1.5, '0.0[0[', english)).toEqual({ text: '1.5', color: null, general: 1.5 });
  });

  it('[XS5] has fewer digits where there is less room, and none where its whole part does not fit', () => {
    const within = (chars: number) => (value: number) =>
      fittingNumber(value, (text) => text.length <= chars, english);
    expect(within(6)(Math.PI)).toBe('3.1416');
    expect(within(4)(1234.5)).toBe('1235');
    expect(within(6)(123_456_789)).toBe('1E+08');
    expect(within(8)(0.000012345)).toBe('1.23E-05');
    expect(within(3)(123_456)).toBeNull();
  });
});

describe('what is typed into a cell', () => {
  it('[XS6] is a number, a day, an amount, a formula, an error or text', () => {
    const typed = (text: string, pattern = 'General', settings = english) =>
      typedValue(text, pattern, settings);
    expect(typed('')).toEqual({ kind: 'nothing' });
    expect(typed('12')).toEqual(number(12));
    expect(typed('1,234.5')).toMatchObject({ kind: 'number', number: 1234.5 });
    expect(typed('12%')).toEqual(number(0.12, '0%'));
    expect(typed('$12.50')).toMatchObject({ number: 12.5, pattern: expect.stringContaining('$') });
    expect(typed('1/2/2024')).toMatchObject({ number: 45_293 });
    expect(typed('1 1/2')).toEqual(number(1.5, '# ?/?'));
    expect(typed('true')).toEqual({ kind: 'boolean', on: true });
    expect(typed('#n/a')).toEqual({ kind: 'error', error: '#N/A' });
    expect(typed('=A1+1')).toEqual({ kind: 'formula', formula: 'A1+1' });
    expect(typed('=')).toEqual({ kind: 'text', text: '=' });
    expect(typed('+A1*2')).toEqual({ kind: 'formula', formula: 'A1*2' });
    expect(typed('-A1')).toEqual({ kind: 'formula', formula: '-A1' });
    expect(typed('- milk')).toEqual({ kind: 'text', text: '- milk' });
    expect(typed("'007")).toEqual({ kind: 'text', text: '007' });
    expect(typed('007', '@')).toEqual({ kind: 'text', text: '007' });
    expect(typed(' plain ')).toEqual({ kind: 'text', text: ' plain ' });
  });

  it('[XS165] is text behind a sign where words and numbers stand beside each other', () => {
    const kinds = (...texts: string[]) => texts.map((text) => typedValue(text, '', { locale: 'en' }).kind);
    expect(kinds('+1 (555) 123-4567', '+49 (170) 123', '- buy milk (2)', '-a b/c')).toEqual([
      ...['text', 'text', 'text', 'text'],
    ]);
    expect(kinds('+A1 + B1', '-(A1+2) * 3', '-A1&"x y"', '+SUM(A1, B2)', '+A1:A3 *2')).toEqual([
      ...['formula', 'formula', 'formula', 'formula', 'formula'],
    ]);
    expect(kinds("+'Sheet 2'!A1", '-Sheet2!A1', '-$A$1', "+'tis", '+5')).toEqual([
      ...['formula', 'formula', 'formula', 'text', 'number'],
    ]);
  });

  it('[XS6] is read as the language writes it', () => {
    const typed = (text: string) => typedValue(text, 'General', german);
    expect(typed('1.234,5')).toMatchObject({ kind: 'number', number: 1234.5 });
    expect(typed('2.1.2024')).toEqual(number(45_293, 'dd.mm.yyyy'));
    expect(typed('2.1.24')).toEqual(number(45_293, 'dd.mm.yyyy'));
    expect(typed('31.2.2024')).toEqual({ kind: 'text', text: '31.2.2024' });
    expect(typed('wahr')).toEqual({ kind: 'boolean', on: true });
  });

  it('[XS6] is text where its signs are those of another language, never a number of another size', () => {
    const typed = (text: string, locale: string) => typedValue(text, 'General', { locale });
    for (const text of ['1,5', '1.234,50', '12,34', '1,2,3', '1.2.3.4', '5 5', '5 €€'])
      expect(typed(text, 'en')).toEqual({ kind: 'text', text });
    for (const text of ['1,234.50', '£3.50', '45.13.2026', '1.23'])
      expect(typed(text, 'de')).toEqual({ kind: 'text', text });
    expect(typed('1 234,50', 'fr')).toEqual(number(1234.5, '#,##0.00'));
    expect(typed("1'234.50", 'de-CH')).toEqual(number(1234.5, '#,##0.00'));
    expect(typed('1.234.567', 'de')).toEqual(number(1_234_567, '#,##0'));
  });

  it('[XS6] is an amount with its currency on the side where it was typed, a percentage, or less than nothing', () => {
    const typed = (text: string, locale = 'en') => typedValue(text, 'General', { locale });
    expect(typed('€ 5')).toEqual(number(5, '[$€] #,##0'));
    expect(typed('-$1,234.50')).toEqual(number(-1234.5, '[$$]#,##0.00'));
    expect(typed('1.234,50 €', 'de')).toEqual(number(1234.5, '#,##0.00 [$€]'));
    expect(typed('(5)')).toEqual(number(-5, '0'));
    expect(typed('12 %')).toEqual(number(0.12, '0%'));
    expect(typed('1,250%')).toEqual(number(12.5, '0%'));
    expect(typed('May 5')).toMatchObject({ kind: 'number', pattern: 'mmmm d' });
    expect(typed('5/12/2026')).toEqual(number(46_154, 'm/d/yyyy'));
    expect(typed('5/12/2026', 'en-GB')).toEqual(number(46_361, 'd/m/yyyy'));
    expect(typed('12.5.2026', 'de')).toEqual(number(46_154, 'dd.mm.yyyy'));
  });

  it('[XS296] [XS297] is a number in the digits, and a day with the words, of other scripts', () => {
    const typed = (text: string, locale: string) => typedValue(text, 'General', { locale });
    expect(typed('١٢٣', 'ar-SA')).toEqual(number(123));
    expect(typed('-١٢٣٫٥', 'ar-SA')).toEqual(number(-123.5));
    expect(typed('١٬٢٣٤٫٥', 'ar-SA')).toEqual(number(1234.5, '#,##0.00'));
    expect(typed('١٢٪', 'ar-SA')).toEqual(number(0.12, '0%'));
    expect(typed('٣١/١٢/٢٠٢٥', 'ar-SA')).toMatchObject({ number: 46_022 });
    for (const text of ['۱۲۰', '१२०', '১২০', '๑๒๐', '１２０']) expect(typed(text, 'en')).toEqual(number(120));
    for (const text of ['١٢٣ تفاحة', '٪', '१,५']) expect(typed(text, 'en')).toEqual({ kind: 'text', text });
    expect(typed('2025年12月31日', 'zh-CN')).toEqual(number(46_022, 'yyyy"年"m"月"d"日"'));
    expect(shownValue(46_022, 'yyyy"年"m"月"d"日"', { locale: 'zh-CN' }).text).toBe('2025年12月31日');
    expect(typed('２０２５年１２月３１日', 'ja')).toMatchObject({ number: 46_022 });
    expect(typed('2025년 12월 31일', 'ko')).toEqual(number(46_022, 'yyyy"년" m"월" d"일"'));
    expect(typed('12月31日', 'en')).toMatchObject({ pattern: 'm"月"d"日"' });
    for (const text of ['2025年2月30日', '0月1日', '12月', '第3年1月1日'])
      expect(typed(text, 'zh-CN')).toEqual({ kind: 'text', text });
  });

  it('[XS140] is a number with a space behind its sign, in wide digits, and as people of India and with Arabic write it', () => {
    const typed = (text: string, locale = 'en') => typedValue(text, 'General', { locale });
    const values = (texts: readonly string[], locale?: string) =>
      texts.map((text) => {
        const found = typed(text, locale);
        return found.kind === 'number' ? found.number : found.kind;
      });
    expect(values(['- 5', '+ 5', '-\u00a01,234.5', '- $5', '- 1 1/2', '%5', '-%5'])).toEqual([
      ...[-5, 5, -1234.5, -5, -1.5, 0.05, -0.05],
    ]);
    expect(values(['5-', '- 5 apples', '- 12:30', '- 1/2', '% 5', '%5%', '5 5'])).toEqual([
      ...['text', 'text', 'text', 'formula', 'text', 'text', 'text'],
    ]);
    expect(values(['１２', '－１２．５', '５％', '１，２３４'])).toEqual([12, -12.5, 0.05, 1234]);
    expect(values(['１，５', '第１回', '５個'])).toEqual(['text', 'text', 'text']);
    expect(typed('１，５')).toEqual({ kind: 'text', text: '１，５' });
    expect(values(['1,00,000', '12,34,567.5', '100,000', '₹1,00,000'], 'en-IN')).toEqual([
      ...[100_000, 1_234_567.5, 100_000, 100_000],
    ]);
    expect(values(['1,00', '1,00,00'], 'en-IN')).toEqual(['text', 'text']);
    expect(values(['1,00,000'])).toEqual(['text']);
    expect(values(['1.5', '1٫5', '.5', '-2.25%'], 'ar-EG')).toEqual([1.5, 1.5, 0.5, -0.0225]);
    expect(values(['1.500'], 'ar-MA')).toEqual(['text']);
  });

  it('[XS178] is a formula behind several signs, as behind one', () => {
    const typed = (text: string, locale = 'en') => typedValue(text, 'General', { locale });
    expect(['--5', '-+5%', '--A1', '--(A1:A3="x")', '-SUM(A1)'].map((text) => typed(text))).toEqual(
      ['--5', '-+5%', '--A1', '--(A1:A3="x")', '-SUM(A1)'].map((formula) => ({ kind: 'formula', formula })),
    );
    expect(typed('+-5')).toEqual({ kind: 'formula', formula: '-5' });
    expect(typed('--1,5', 'de')).toEqual({ kind: 'formula', formula: '--1,5' });
    const texts = ['--', '---', '--x', '-- milk', '--note 1', '--5 apples', '+1-555-1234'];
    expect(texts.map((text) => typed(text).kind)).toEqual(texts.map(() => 'text'));
  });

  it('[XS179] is a day in the order of the region, without a year or with one digit of it', () => {
    const typed = (text: string, locale: string) => typedValue(text, 'General', { locale });
    const thisYear = new Date().getFullYear();
    const dayOf = (month: number, day: number, year = thisYear) =>
      Math.round(Date.UTC(year, month - 1, day) / 86_400_000) + 25_569;
    expect(typed('1/2', 'en-US')).toEqual(number(dayOf(1, 2), 'm/d'));
    for (const locale of ['en-GB', 'de', 'fr', 'nl']) {
      expect(typed('1/2', locale)).toEqual(number(dayOf(2, 1), 'd/m'));
      expect(typed('13-2', locale)).toEqual(number(dayOf(2, 13), 'd-m'));
    }
    expect(typed('1/2', 'ja')).toEqual(number(dayOf(1, 2), 'm/d'));
    expect(typed('1/2/3', 'en-US')).toEqual(number(dayOf(1, 2, 2003), 'm/d/yyyy'));
    expect(typed('1-2-3', 'en-GB')).toEqual(number(dayOf(2, 1, 2003), 'd-m-yyyy'));
    expect(typed('1/2/3', 'ja')).toEqual(number(dayOf(2, 3, 2001), 'yyyy/m/d'));
    for (const text of ['2/30', '13/13', '1/2-3', '0/1', '1/2/'])
      expect(typed(text, 'en-US')).toEqual({ kind: 'text', text });
  });

  it('[XS6] is in percents where the cell shows percents', () => {
    expect(typedValue('5', '0%', english)).toEqual(number(0.05));
    expect(typedValue('5%', '0%', english)).toEqual(number(0.05, '0%'));
  });

  it('[XU12] a day is edited as people of the region write it', () => {
    const edited = (value: number, locale: string) => editedNumber(value, 'dd mmm yyyy', { locale });
    expect(['de', 'en-US', 'en-GB'].map((locale) => edited(46_387, locale))).toEqual([
      ...['31.12.2026', '12/31/2026', '31/12/2026'],
    ]);
    expect(edited(46_387.5, 'de')).toBe('31.12.2026 12:00');
  });

  it('[XS6] is the same number when it is edited and nothing is changed', () => {
    const patterns = fc.constantFrom('General', '0.00', '0%', 'yyyy-mm-dd', '#,##0.00 €', '[h]:mm');
    const values = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.integer({ min: -50_000, max: 60_000 }),
      fc.integer({ min: 0, max: 4_000_000 }).map((minutes) => minutes / 1440),
    );
    fc.assert(
      fc.property(
        values,
        patterns,
        fc.constantFrom('en', 'en-GB', 'de', 'fr', 'ar'),
        (value, pattern, locale) => {
          const typed = typedValue(editedNumber(value, pattern, { locale }), pattern, { locale });
          expect(typed.kind).toBe('number');
          const after = (typed as { number: number }).number;
          // Times are edited to the millisecond.
          const halfMillisecond = 0.5 / 86_400_000;
          expect(Math.abs(after - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-14 + halfMillisecond);
        },
      ),
      // Less than a second: read to the second it would be nothing.
      { examples: [[5.787037037037096e-9, '[h]:mm', 'en']] },
    );
  });
});
