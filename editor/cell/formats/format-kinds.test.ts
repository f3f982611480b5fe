import { describe, expect, it } from 'vitest';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { decimalsOf, formatKinds, formatsOf, hasDecimals, isFormat, kindOfFormat } from './format-kinds.ts';

const regions = [
  { currency: '[$$]#,##0.00', date: 'm/d/yyyy', locale: 'en-US' },
  { currency: '#,##0.00 [$€]', date: 'dd.mm.yyyy', locale: 'de' },
  { currency: '#,##0.00 [$€]', date: 'dd/mm/yyyy', locale: 'fr' },
  { currency: '[$￥]#,##0', date: 'yyyy/mm/dd', locale: 'ja' },
];

describe('the number formats that are offered', () => {
  it('[XU7] can be read, are of the kind that offers them, and have as many decimals as were asked for', () => {
    for (const region of regions) {
      for (const kind of formatKinds) {
        for (const decimals of [0, 2, 5]) {
          for (const pattern of formatsOf(kind, decimals, region)) {
            expect([pattern, isFormat(pattern), kindOfFormat(pattern)]).toEqual([pattern, true, kind]);
            if (hasDecimals(kind)) expect([pattern, decimalsOf(pattern)]).toEqual([pattern, decimals]);
          }
        }
      }
    }
  });

  it('[XU7] of other programs are told apart, whatever stands in quotes', () => {
    const kinds = {
      ...{ general: 'general', '@': 'text', '0.0"% E+ d"': 'number', '"d"0': 'number', '[h]:mm': 'time' },
      ...{ '[Red][<0]0;0': 'number', '[$-407]d. mmmm yyyy': 'date', '[$EUR] 0.00': 'currency' },
      ...{
        '0.00 "€"': 'currency',
        '€0': 'currency',
        '# ?/8': 'fraction',
        '0.0E-0': 'scientific',
        '"x"': 'custom',
      },
    };
    for (const [pattern, kind] of Object.entries(kinds))
      expect([pattern, kindOfFormat(pattern)]).toEqual([pattern, kind]);
    expect(isFormat('[Red')).toBe(false);
  });

  it('[XU8] for accounting have the currency at one edge of the cell and the number at the other', () => {
    const [before] = formatsOf('accounting', 2, regions[0]!);
    const shown = shownValue(-1234.5, before!, { locale: 'en-US' });
    const { at, sign } = shown.filler!;
    expect([shown.text.slice(0, at), sign, shown.text.slice(at)]).toEqual([' $', ' ', '(1,234.50)']);
    expect(shownValue(0, before!, { locale: 'en-US' }).text.trim()).toMatch(/^\$\s*-/);
    expect(shownValue(5, '0*-', { locale: 'en' })).toMatchObject({ text: '5', filler: { at: 1, sign: '-' } });
    expect(shownValue(5, '0.0', { locale: 'en' }).filler).toBeUndefined();
  });
});
