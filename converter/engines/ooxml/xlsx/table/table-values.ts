import { getLocale } from 'numfmt';
import { shownValue, showsDate } from '../../../../../model/cell/formats/shown-value.ts';
import { errorNames, typedValue } from '../../../../../model/cell/formats/typed-value.ts';
import { type CellValue, isErrorValue, textOfValue } from '../../../../../model/cell/values.ts';

/** What a cell of a table in plain text holds, with the number format that writes it as it was. */
export interface TableValue {
  readonly value: CellValue;
  /** Empty: General. */
  readonly pattern: string;
}

/**
 * Reads a cell of plain text as people of a language write it. Only what is written again with the same signs is a number, a
 * day or a truth: all else is text (`00123`, `1/2`, `=A1`).
 */
export function tableValue(text: string, locale: string): TableValue {
  const asText: TableValue = { value: text, pattern: '' };
  if (text === 'TRUE' || text === 'FALSE') return { value: text === 'TRUE', pattern: '' };
  if (errorNames.includes(text)) return { value: { e: text }, pattern: '' };
  // No number is written without a digit; most texts end here.
  if (!/\d/.test(text)) return asText;
  const typed = typedValue(text, '', { locale });
  if (typed.kind !== 'number') return asText;
  for (const pattern of patternsFor(text, typed.pattern ?? '', locale)) {
    if (tableText(typed.number, pattern, locale) === text) return { value: typed.number, pattern };
  }
  return asText;
}

/** Number formats that may write a number as it was read. A day without its year is none: it would be one of this year. */
function patternsFor(text: string, wanted: string, locale: string): string[] {
  if (showsDate(wanted)) {
    if (/[dm]/i.test(wanted) && !/y|h|s/i.test(wanted)) return [];
    const short = wanted
      .replace(/\bdd\b/, 'd')
      .replace(/\bmm\b/, 'm')
      .replace(/\bhh\b/, 'h');
    return [wanted, short];
  }
  const decimals = text.split(getLocale(locale)?.decimal ?? '.')[1]?.match(/^\d+/)?.[0].length ?? 0;
  const point = `.${'0'.repeat(decimals)}`;
  return decimals === 0 ? [wanted] : [wanted, wanted.replace('.00', point), `0${point}`];
}

/** What a cell shows in a table of plain text: numbers of no format with all of their digits. */
export function tableText(value: CellValue, pattern: string, locale: string): string {
  if (typeof value === 'number' && pattern === '') {
    return String(value).replace('.', getLocale(locale)?.decimal ?? '.');
  }
  if (typeof value === 'number' || typeof value === 'string')
    return shownValue(value, pattern, { locale }).text;
  return textOf(value);
}

function textOf(value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return isErrorValue(value) ? value.e : textOfValue(value);
}

/** Languages that write numbers and days differently. */
const locales = ['en-US', 'en-GB', 'de-DE', 'de-CH'] as const;
const sampledRows = 500;

/**
 * The language in whose way most cells of a table are numbers and days. Where several are alike, a semicolon between the cells
 * speaks for one with decimal commas.
 */
export function localeOfTable(rows: readonly (readonly string[])[], delimiter: string | undefined): string {
  const cells = rows.slice(0, sampledRows).flat();
  const counted = (delimiter === ';' ? ['de-DE', ...locales] : locales).map((locale) => ({
    locale,
    count: cells.filter((cell) => typeof tableValue(cell, locale).value === 'number').length,
  }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).locale;
}
