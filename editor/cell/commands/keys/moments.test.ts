import { expect, it } from 'vitest';
import { typedValue } from '../../../../model/cell/formats/typed-value.ts';
import { today } from './moments.ts';

it('[XS157] the day that is entered by keys is read as that day, whatever calendar and digits a region has', () => {
  const day = new Date(2026, 10, 29);
  for (const locale of [
    'en-US',
    'en-GB',
    'de',
    'fa',
    'ar-SA',
    'ar-EG',
    'th',
    'ja',
    'hi',
    'zh-TW',
    'bg',
    'lt',
  ]) {
    const [from1900, from1904] = [false, true].map((date1904) => {
      const settings = { locale, date1904 };
      return typedValue(today(settings, day), 'General', settings);
    });
    expect(from1900, locale).toMatchObject({ kind: 'number', number: 46_355 });
    expect(from1904, locale).toMatchObject({ kind: 'number', number: 46_355 - 1462 });
  }
  expect(today({ locale: 'en-US' }, day)).toBe('11/29/2026');
  expect(today({ locale: 'de' }, day)).toBe('29.11.2026');
  // Zeros stand where the region writes them.
  const first = new Date(2026, 11, 1);
  expect(['en-US', 'en-GB', 'de', 'ja'].map((locale) => today({ locale }, first))).toEqual([
    ...['12/1/2026', '01/12/2026', '01.12.2026', '2026/12/01'],
  ]);
});
