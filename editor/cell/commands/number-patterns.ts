import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { decimalsOf, formatsOf, kindOfFormat } from '../formats/format-kinds.ts';
import { datePattern, setNumberFormat } from './formatting.ts';

/** One decimal more, or one less, of every kind of number. */
export function changeDecimals(editor: CellEditor, by: 1 | -1): boolean {
  const { active } = editor.selection.peek();
  const { number = 'General' } = editor.page.formatAt(active);
  return setNumberFormat(editor, withDecimals(plainPattern(number, editor.page.valueAt(active)), by));
}

/** A number format for a general number, by the decimals that it has; any other stays what it is. */
export function plainPattern(pattern: string, value: CellValue): string {
  if (kindOfFormat(pattern) !== 'general' || typeof value !== 'number') return pattern;
  const decimals = /^-?\d+\.(\d+)$/.exec(shownValue(value, pattern, { locale: 'en' }).text)?.[1];
  return decimals ? `0.${'0'.repeat(decimals.length)}` : '0';
}

/** What stands for itself or is no number: texts, conditions, colours, languages, exponents; and the last digit with its decimals. */
const lastDigits =
  /"-"(\?+)|"[^"]*"|\[[^\]]*\]|\\.|[_*].|E[+-][0#?]+|([0#])(?:\.([0#?]+))?(?![0#?.]|,[0#?])/gi;

/** A number format with a decimal more or less; fractions, days, times and texts have none. */
export function withDecimals(pattern: string, by: 1 | -1): string {
  const kind = kindOfFormat(pattern);
  if (kind === 'general') return by > 0 ? '0.0' : '0';
  if (['fraction', 'date', 'time', 'text'].includes(kind)) return pattern;
  return pattern.replace(lastDigits, (whole, blanks?: string, digit?: string, decimals = '') => {
    // The line that stands for nothing in accounting is as far from the edge as numbers are.
    if (blanks) return `"-"${'?'.repeat(Math.min(30, Math.max(0, blanks.length + by)))}`;
    if (!digit) return whole;
    const count = Math.min(30, Math.max(0, decimals.length + by));
    if (count === decimals.length) return whole;
    return count === 0 ? digit : `${digit}.${decimals.slice(0, count).padEnd(count, '0')}`;
  });
}

/** Shows what is selected as amounts. */
export const setCurrency = (editor: CellEditor): boolean =>
  setNumberFormat(editor, currencyPattern(editor.page.settings));

/** The same in columns, with the currency at the edge of the cell. */
export const setAccounting = (editor: CellEditor): boolean =>
  setNumberFormat(editor, accountingPattern(editor.page.settings));

/** Amounts as people of the page's region write them. */
export function currencyPattern({ locale }: FormatSettings): string {
  const currency = regionCurrencies[new Intl.Locale(locale).maximize().region ?? ''] ?? 'USD';
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(1234.5);
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const isBefore =
    parts.findIndex(({ type }) => type === 'currency') < parts.findIndex(({ type }) => type === 'integer');
  const digits = parts.some(({ type }) => type === 'fraction') ? '#,##0.00' : '#,##0';
  return isBefore ? `[$${symbol}]${digits}` : `${digits} [$${symbol}]`;
}

/** Amounts in columns, with the currency at the edge of the cell. */
const accountingPattern = (settings: FormatSettings): string =>
  formatsOf('accounting', decimalsOf(currencyPattern(settings)), {
    currency: currencyPattern(settings),
    date: datePattern(settings),
  })[0]!;

/** The currencies of regions; others have dollars. */
const regionCurrencies: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((region) => [region, 'EUR']),
  ),
  ...{ GB: 'GBP', CH: 'CHF', JP: 'JPY', CN: 'CNY', IN: 'INR', BR: 'BRL', PL: 'PLN', CZ: 'CZK', SE: 'SEK' },
  ...{ NO: 'NOK', DK: 'DKK', RU: 'RUB', KR: 'KRW', TR: 'TRY', MX: 'MXN', ZA: 'ZAR', EG: 'EGP', SA: 'SAR' },
  ...{ AE: 'AED', IL: 'ILS', UA: 'UAH', CA: 'CAD', AU: 'AUD', NZ: 'NZD', HU: 'HUF', RO: 'RON', BG: 'BGN' },
};
