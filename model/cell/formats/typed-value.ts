import { getLocale, parseBool, parseValue } from 'numfmt';
import { days1904 } from '../../calculation/serial-days.ts';
import { type Amount, decimalSigns, readAmount } from './amount.ts';
import { type FormatSettings, isDuration, showsDate, showsText } from './shown-value.ts';
import { dottedDay, shortDay, wordedDay } from './typed-day.ts';

/** What somebody has typed into a cell. */
export type TypedValue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'number';
      readonly number: number;
      /** The number format that the way it was typed asks for. */
      readonly pattern: string | null;
    }
  | { readonly kind: 'boolean'; readonly on: boolean }
  | { readonly kind: 'error'; readonly error: string }
  /** Without the sign that begins it. */
  | { readonly kind: 'formula'; readonly formula: string };

/** The errors that a cell can hold. */
export const errorNames: readonly string[] = [
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#SPILL!',
  '#CALC!',
];

/**
 * Reads what was typed as people of a language write numbers, days and amounts. `pattern` is the number format of the
 * cell: one for text takes everything as it is, one for percents takes a number as percents.
 */
export function typedValue(typed: string, pattern: string, settings: FormatSettings): TypedValue {
  if (typed === '') return { kind: 'nothing' };
  if (showsText(pattern)) return { kind: 'text', text: typed };
  if (typed.startsWith("'")) return { kind: 'text', text: typed.slice(1) };
  if (typed.startsWith('=') && typed.length > 1) return { kind: 'formula', formula: typed.slice(1) };
  const { locale, date1904 = false } = settings;
  const trimmed = inAsciiDigits(typed.trim());
  if (/^[+-]/.test(trimmed) && trimmed.length > 1) {
    const signed = numberIn(trimmed.replace(/^([+-])\s+/, '$1'), pattern, settings);
    if (signed) return signed;
    // What begins with a sign and is no number is a formula, or else the sign that begins a list.
    if (isSignedFormula(trimmed, settings)) {
      return { kind: 'formula', formula: trimmed.startsWith('+') ? trimmed.slice(1) : trimmed };
    }
    return { kind: 'text', text: typed };
  }
  const upper = trimmed.toUpperCase();
  if (errorNames.includes(upper)) return { kind: 'error', error: upper };
  const on =
    parseBool(trimmed, { locale })?.v ?? (upper === 'TRUE' ? true : upper === 'FALSE' ? false : undefined);
  if (typeof on === 'boolean') return { kind: 'boolean', on };
  const number = numberIn(trimmed, pattern, { locale, date1904 });
  return number ?? { kind: 'text', text: typed };
}

/** The zeros of scripts whose keyboards have digits of their own: Arabic, Persian, Devanagari, Bengali, Thai. The others follow them. */
const zeros = '٠۰०০๐';

/** Digits of other scripts, and those as wide as the letters of East Asia with the signs among them, as those of ASCII. */
function inAsciiDigits(text: string): string {
  const narrow = /[０-９]/.test(text)
    ? text.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    : text;
  const digits = narrow.replace(/[٠-٩۰-۹०-९০-৯๐-๙]/g, (sign) => {
    const code = sign.charCodeAt(0);
    const zero = [...zeros].findLast((one) => one.charCodeAt(0) <= code)!;
    return String(code - zero.charCodeAt(0));
  });
  return digits === narrow ? digits : digits.replaceAll('٪', '%');
}

/** Whether what begins with signs and is no number is a formula: `-A1`, `+(A1+2)`, `--5`. */
function isSignedFormula(text: string, settings: FormatSettings): boolean {
  const [signs] = /^[+-]+\s*/.exec(text)!;
  const signed = text.slice(signs.length);
  if (signs.trim().length > 1 && numberIn(signed, 'General', settings)) return true;
  const mayBegin = /^(?:[$A-Z0-9(]|'[^']+'!)/i.test(signed);
  return mayBegin && /[A-Z]\$?\d|[()*/^&+]/i.test(signed) && !isSeveralWords(text);
}

/** Whether words or numbers stand beside each other with nothing between that a formula has there: `+1 (555) 123-4567`. */
const isSeveralWords = (text: string): boolean =>
  /[\p{L}\p{N})]\s+[\p{L}\p{N}(]/u.test(text.replace(/"[^"]*"|'[^']*'/g, '""'));

function numberIn(
  text: string,
  pattern: string,
  { locale, date1904 = false }: FormatSettings,
): TypedValue | null {
  // No number and no day is written without a digit; most texts end here.
  if (!/\p{Nd}/u.test(text)) return null;
  const read =
    plainNumber(text, locale) ??
    dottedDay(text, locale) ??
    shortDay(text, locale) ??
    wordedDay(text) ??
    duration(text) ??
    fraction(text) ??
    amountOrOther(text, locale);
  if (!read || typeof read.v !== 'number' || !Number.isFinite(read.v)) return null;
  const wanted = read.z ?? null;
  let number = read.v;
  const isDay = wanted !== null && showsDate(wanted) && !isDuration(wanted);
  if (isDay && date1904 && number >= 1) number -= days1904;
  if (pattern.includes('%') && wanted === null) number /= 100;
  return { kind: 'number', number, pattern: wanted };
}

/** What is made of digits alone is no day, but where days with dots are no numbers. */
function amountOrOther(text: string, locale: string): Amount | null {
  const amount = readAmount(text, locale);
  const mayBeDay = getLocale(locale)?.decimal !== ',' && /^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(text);
  if (amount || (amount === null && !mayBeDay)) return amount;
  const read = parseValue(text, { locale });
  if (read && typeof read.v === 'number') return { v: read.v, ...(read.z && { z: read.z }) };
  return nameOfDay(text, locale);
}

/** A month and a day of this year, in the order that the library does not know: `May 5`. */
function nameOfDay(text: string, locale: string): Amount | null {
  const found = /^(\p{L}+)\.? (\d{1,2})$/u.exec(text);
  const read = found && parseValue(`${found[2]} ${found[1]}`, { locale });
  if (!read || typeof read.v !== 'number' || !read.z?.startsWith('d')) return null;
  return { v: read.v, z: read.z.replace(/^d+ (m+)$/, '$1 d') };
}

/** Digits with a decimal sign, an exponent and a sign for percents; what the library reads too, but for the smallest. */
function plainNumber(text: string, locale: string): { v: number; z?: string } | null {
  const found = /^([+-]?\d+(?:([.,٫])(\d+))?(?:e([+-]?\d+))?)(\s?%)?$/i.exec(text);
  if (!found || (found[2] !== undefined && !decimalSigns(locale).includes(found[2]))) return null;
  const [, digits, , decimals, exponent, percent] = found;
  const value = Number(digits!.replace(/[,٫]/, '.'));
  if (percent) return { v: value / 100, z: decimals ? '0.00%' : '0%' };
  return exponent === undefined ? { v: value } : { v: value, z: '0.00E+00' };
}

/** More hours than a day has. */
function duration(text: string): { v: number; z: string } | null {
  const found = /^(\d{1,7}):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (!found || Number(found[1]) < 24) return null;
  const [, hours, minutes, seconds] = found;
  return { v: (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) / 86_400, z: '[h]:mm:ss' };
}

/** A whole number and a part of one: `1 1/2`. */
function fraction(text: string): { v: number; z: string } | null {
  const found = /^([+-]?)(\d+)\s+(\d{1,3})\/([1-9]\d{0,2})$/.exec(text);
  if (!found) return null;
  const [, sign, whole, numerator, denominator] = found;
  const value = Number(whole) + Number(numerator) / Number(denominator);
  return { v: sign === '-' ? -value : value, z: '# ?/?' };
}
