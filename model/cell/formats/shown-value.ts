import { format, formatColor, isDateFormat, isTextFormat, isValidFormat } from 'numfmt';
import { days1904 } from '../../calculation/serial-days.ts';

/** How values are written: language and region of the page, and what the workbook says of its days. */
export interface FormatSettings {
  /** A language tag such as `de-AT`. */
  readonly locale: string;
  /** Days are counted from 1904. */
  readonly date1904?: boolean;
}

export interface ShownValue {
  readonly text: string;
  /** A colour that the number format asks for, as CSS has it. */
  readonly color: string | null;
  /** The number, where as many of its digits are shown as there is room for. */
  readonly general: number | null;
  /** Where the number format has the room that is left filled with a sign (`* `). */
  readonly filler?: { readonly at: number; readonly sign: string };
}

/** As many digits as a general number has at most. */
const generalDigits = 10;

/** Stands before the sign that fills a cell. No text has it: it is from an area for private use. */
const fillMark = '\ue000';

const isGeneral = (pattern: string): boolean => /^general$/i.test(pattern);

/** Whether a number format shows days or times. */
export const showsDate = (pattern: string): boolean =>
  !isGeneral(pattern) && isUsable(pattern) && isDateFormat(capitalExponent(pattern));

/** Whether a number format counts hours, minutes or seconds beyond a day, which begins nowhere. */
export const isDuration = (pattern: string): boolean =>
  /\[(?:h+|m+|s+)\]/i.test(pattern.replaceAll(/"[^"]*"|\\./g, ''));

/** Whether cells of a number format take everything as text. */
export const showsText = (pattern: string): boolean => isUsable(pattern) && isTextFormat(pattern);

/** Whether a number format can be read. The library takes the names that all objects have for formats that it knows. */
export const isReadableFormat = (pattern: string): boolean =>
  !(pattern in Object.prototype) && isValidFormat(capitalExponent(pattern));

const smallExponent = /"[^"]*"|[\\_*].|\[[^\]]*\]|(?<=[0#?.])e(?=[+-])/g;
const hasSmallExponent = (pattern: string): boolean => capitalExponent(pattern) !== pattern;

/** The library knows the exponent of `0.0E+0` alone, and takes a small `e` for a year. */
const capitalExponent = (pattern: string): string =>
  pattern.replace(smallExponent, (part) => (part === 'e' ? 'E' : part));

/** Number formats as they are read for {@link format}; null for one that cannot be read. */
const readPatterns = new Map<string, string | null>();

/** A file may have anything as a number format. */
const isUsable = (pattern: string): boolean => readPattern(pattern) !== null;

function readPattern(pattern: string): string | null {
  let read = readPatterns.get(pattern);
  if (read === undefined) {
    read = isReadableFormat(pattern) ? withoutRegion(capitalExponent(pattern)) : null;
    readPatterns.set(pattern, read);
  }
  return read;
}

/**
 * Without the language that a format of numbers names beside its currency, as in `[$€-407]`: that says which sign it is, and the reader's
 * own language says how digits are grouped. Of days and months it says the names, and stays.
 */
const withoutRegion = (pattern: string): string =>
  isDateFormat(pattern)
    ? pattern
    : pattern.replaceAll(/"[^"]*"|[\\_*].|\[\$([^\]]*)-[\da-f]+\]/gi, (part, symbol?: string) =>
        symbol === undefined ? part : symbol && `[$${symbol}]`,
      );

/** A number or a text by its number format. One that cannot be read counts as General. */
export function shownValue(
  value: number | string,
  pattern: string,
  { locale, date1904 = false }: FormatSettings,
): ShownValue {
  const read = pattern === '' || isGeneral(pattern) ? null : readPattern(pattern);
  if (typeof value === 'string') {
    if (read === null || pattern === '@') return { text: value, color: null, general: null };
    return {
      text: format(read, value, { locale, throws: false }),
      color: colorIn(pattern, value),
      general: null,
    };
  }
  if (read === null) return { text: generalNumber(value, locale), color: null, general: value };
  const counted = date1904 && isDateFormat(read);
  // Only counted from 1904 there are days and times before the first.
  if (counted && value < 0) {
    const { text, ...shown } = shownValue(-value, pattern, { locale, date1904 });
    return { text: `-${text}`, ...shown };
  }
  const number = counted && !isDuration(pattern) ? value + days1904 : value;
  const written = format(read, number, {
    ...{ locale, throws: false, dateErrorNumber: false, dateSpanLarge: false },
    ...(pattern.includes('*') && { fillChar: fillMark as never }),
  });
  const text = hasSmallExponent(pattern) ? written.replace(/(?<=[\d.,])E(?=[+-]?\d)/, 'e') : written;
  const at = text.indexOf(fillMark);
  const shown = { color: colorIn(pattern, number), general: null };
  if (at < 0) return { text, ...shown };
  return {
    text: text.slice(0, at) + text.slice(at + 2),
    ...shown,
    filler: { at, sign: text[at + 1] ?? ' ' },
  };
}

function colorIn(pattern: string, value: number | string): string | null {
  if (!pattern.includes('[')) return null;
  const color = formatColor(capitalExponent(pattern), value, { throws: false, indexColors: true });
  if (typeof color !== 'string') return null;
  return namedColors[color.toLowerCase()] ?? color;
}

/** The colours that number formats know by name. */
const namedColors: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#00ff00',
  blue: '#0000ff',
  yellow: '#ffff00',
  magenta: '#ff00ff',
  cyan: '#00ffff',
};

const generalNumber = (value: number, locale: string): string =>
  format('General', value, { locale, throws: false });

/** A general number with as many of its digits as fit; null where not even its whole part does. */
export function fittingNumber(
  value: number,
  fits: (text: string) => boolean,
  { locale }: Pick<FormatSettings, 'locale'>,
): string | null {
  const size = Math.abs(value);
  if (size < 1e11 && (size >= 1e-4 || size === 0)) {
    const whole = Math.max(1, Math.floor(Math.log10(size || 1)) + 1);
    for (let decimals = Math.max(0, generalDigits - whole); decimals >= 0; decimals--) {
      const rounded = Number(value.toFixed(decimals));
      if (rounded === 0 && size > 0) break;
      const text = generalNumber(rounded, locale);
      if (fits(text)) return text;
    }
  }
  for (let decimals = 5; decimals >= 0; decimals--) {
    const pattern = decimals > 0 ? `0.${'0'.repeat(decimals)}E+00` : '0E+00';
    const text = format(pattern, value, { locale });
    if (fits(text)) return text;
  }
  return null;
}
