import { getLocale } from 'numfmt';

/** A number and the number format that the way it was typed asks for. */
export interface Amount {
  readonly v: number;
  readonly z?: string;
}

const currencies = '$€£¥₹₽₩₺₴₪₫₱₦฿';
/** Spaces that people put between thousands: where a language has one of them, all are taken. */
const spaces = ' \u00a0\u202f';
const madeOfDigits = new RegExp(
  `^[-+(${currencies}\\d.,'’٬٫%)${spaces}]*\\d[-+(${currencies}\\d.,'’٬٫%)${spaces}]*$`,
);

/**
 * Reads digits with signs between thousands, a decimal sign, an amount's currency, percents, and brackets for less than
 * nothing, as a language writes them. Null for what is made of such signs and is no number of this language (`1,5` in
 * English, `1,234.50` in German): that is a text, not a number of another size. Undefined for what has other signs.
 */
export function readAmount(text: string, locale: string): Amount | null | undefined {
  // A line behind a digit is one of a day.
  if (!madeOfDigits.test(text) || /\d[-+]/.test(text)) return undefined;
  const found = amountOf(locale).exec(text)?.groups;
  if (!found) return null;
  const { open, close, minus, late, before, after, gap, space, whole = '', decimals } = found;
  const isOdd =
    (open === undefined) !== (close === undefined) || (open && (minus || late)) || (minus && late);
  const hasNothing = whole === '' && !decimals;
  const isTwice = before !== undefined && after !== undefined;
  const isPercent = before === '%' || after === '%';
  // A space stands only between a number and what belongs to it.
  const isLoose = (gap && (!before || isPercent)) || (space && !after);
  if (isOdd || hasNothing || isTwice || isLoose) return null;
  const digits = Number(`${whole.replace(/\D/g, '')}.${decimals ?? ''}0`);
  const number = open || minus === '-' || late === '-' ? -digits : digits;
  const point = decimals ? '0.00' : '0';
  if (isPercent) return { v: number / 100, z: decimals ? '0.00%' : '0%' };
  const grouped = decimals ? '#,##0.00' : '#,##0';
  if (before) return { v: number, z: `[$${before}]${gap ? ' ' : ''}${grouped}` };
  if (after) return { v: number, z: `${grouped}${space ? ' ' : ''}[$${after}]` };
  return /\D/.test(whole) ? { v: number, z: grouped } : { v: number, ...(open && { z: point }) };
}

/** Where people write Arabic and a point between thousands. */
const withPoints = /-(?:DZ|LY|MA|TN)$/i;
/** Where people write 1,00,000. */
const byHundreds = /-(?:IN|PK|BD|NP|LK)$/i;

/** The signs that begin decimals in a language: keyboards for Arabic have a point, too. */
export function decimalSigns(locale: string): string {
  const decimal = getLocale(locale)?.decimal ?? '.';
  return decimal === '٫' && !withPoints.test(locale) ? `${decimal}.` : decimal;
}

/** Patterns of languages, made once each: a paste reads a hundred thousand texts. */
const patterns = new Map<string, RegExp>();

function amountOf(locale: string): RegExp {
  const known = patterns.get(locale);
  if (known) return known;
  const { group = ',' } = getLocale(locale) ?? {};
  const between = spaces.includes(group) ? `[${spaces}]` : group === "'" ? "['’]" : `[${group}]`;
  const pairs = byHundreds.test(locale) ? `\\d{1,2}(?:${between}\\d{2})+${between}\\d{3}|` : '';
  const thousands = `${pairs}\\d{1,3}(?:${between}\\d{3})+`;
  const pattern = new RegExp(
    `^(?<open>\\()?(?<minus>[-+])?(?<before>[${currencies}%])?(?<gap>[${spaces}])?(?<late>[-+])?` +
      `(?<whole>${thousands}|\\d+)?(?:[${decimalSigns(locale)}](?<decimals>\\d*))?` +
      `(?<space>[${spaces}])?(?<after>[${currencies}%])?(?<close>\\))?$`,
    'u',
  );
  patterns.set(locale, pattern);
  return pattern;
}
