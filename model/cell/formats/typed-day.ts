import { dateToSerial, getLocale } from 'numfmt';
import { conventionsOf } from './region-conventions.ts';

/** A day as a number, with the number format that the way it was typed asks for. */
interface Day {
  readonly v: number;
  readonly z: string;
}

/** Days with dots between, where people write them so; the year may be missing. */
export function dottedDay(text: string, locale: string): Day | null {
  const found = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{2}|\d{4})?$/.exec(text);
  if (!found || getLocale(locale)?.decimal !== ',') return null;
  const [, day, month, year] = found;
  return dayOf(yearOf(year), month, day, 'dd.mm.yyyy');
}

/**
 * A day without its year, and one with a single digit of it, in the order of the region: `1/2`, `1-2-3`. The library takes the month for
 * the first number of the one everywhere, and does not know the other.
 */
export function shortDay(text: string, locale: string): Day | null {
  const found = /^(\d{1,2})([/-])(\d{1,2})(?:\2(\d))?$/.exec(text);
  if (!found) return null;
  const [, first, sign, second, third] = found;
  const order = conventionsOf(locale)
    .shortDate.replace(/[^dmy]/g, '')
    .replace(/(.)\1+/g, '$1');
  const isWhole = third !== undefined;
  const numbers = isWhole ? [first, second, third] : [first, second];
  const parts = [...order].filter((part) => isWhole || part !== 'y');
  const { d, m, y } = Object.fromEntries(parts.map((part, place) => [part, numbers[place]]));
  const letters: Readonly<Record<string, string>> = { d: 'd', m: 'm', y: 'yyyy' };
  return dayOf(yearOf(y), m, d, parts.map((part) => letters[part]).join(sign));
}

/** A day with the words of Chinese and Japanese, or of Korean, behind its numbers; the year may be missing. */
export function wordedDay(text: string): Day | null {
  const found = /^(?:(\d{4})([年년])( ?))?(\d{1,2})([月월])( ?)(\d{1,2})([日일])$/.exec(text);
  if (!found) return null;
  const [, year, ofYear, gap, month, ofMonth, space, day, ofDay] = found;
  const before = year === undefined ? '' : `yyyy"${ofYear}"${gap}`;
  return dayOf(yearOf(year), month, day, `${before}m"${ofMonth}"${space}d"${ofDay}"`);
}

/** Fewer than three digits are of this century up to 29, as spreadsheets have it; none are this year. */
function yearOf(digits: string | undefined): number {
  if (digits === undefined) return new Date().getFullYear();
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

function dayOf(year: number, month: string | undefined, day: string | undefined, z: string): Day | null {
  const date = [year, Number(month), Number(day)];
  const check = new Date(Date.UTC(year, Number(month) - 1, Number(day)));
  if (check.getUTCDate() !== Number(day) || check.getUTCMonth() !== Number(month) - 1) return null;
  return { v: dateToSerial(date) as number, z };
}
