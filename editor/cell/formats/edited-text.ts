import { format, getLocale } from 'numfmt';
import { days1904 } from '../../../model/calculation/serial-days.ts';
import { type FormatSettings, isDuration, showsDate } from '../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';

/** The last day that spreadsheets know. */
const lastDay = 2_958_465;

/**
 * A number as one edits it: all of its digits, days as days, percents as percents. Read again by `typedValue`, it is the
 * same number.
 */
export function editedNumber(
  value: number,
  pattern: string,
  { locale, date1904 = false }: FormatSettings,
): string {
  if (showsDate(pattern) && value >= 0 && value < lastDay) {
    const counts = isDuration(pattern);
    const serial = date1904 && value >= 1 && !counts ? value + days1904 : value;
    const text = dateText(serial, counts);
    if (text !== null) return inRegion(text, serial, locale);
  }
  const decimal = getLocale(locale)?.decimal ?? '.';
  const plain = (number: number) => digitsOf(number).replace('.', decimal);
  return pattern.includes('%') ? `${plain(Number((value * 100).toPrecision(15)))}%` : plain(value);
}

/** The day as people of a region write it, where it is read again as the same one; else as ISO 8601 has it. */
function inRegion(text: string, serial: number, locale: string): string {
  const [day, ...time] = text.split(' ');
  if (!/^\d{4}-\d\d-\d\d$/.test(day!)) return text;
  const local = [format(dayPattern(locale), serial), ...time].join(' ');
  const iso = typedValue(text, '', { locale });
  const read = typedValue(local, '', { locale });
  const isSame = iso.kind === 'number' && read.kind === 'number' && iso.number === read.number;
  return isSame ? local : text;
}

/** Number formats of days by region, made once each. */
const dayPatterns = new Map<string, string>();

function dayPattern(locale: string): string {
  const known = dayPatterns.get(locale);
  if (known !== undefined) return known;
  const parts = new Intl.DateTimeFormat(locale, {
    ...{ dateStyle: 'short', calendar: 'gregory', numberingSystem: 'latn' },
  }).formatToParts(new Date(2001, 1, 3));
  // Of days and months with one digit it shows whether a zero stands before them.
  const signs: Readonly<Record<string, string>> = { month: 'm', day: 'd' };
  const pattern = parts
    .map(({ type, value }) => (type === 'year' ? 'yyyy' : (signs[type]?.repeat(value.length) ?? value)))
    .join('');
  dayPatterns.set(locale, pattern);
  return pattern;
}

/** As many digits as spreadsheets keep. */
function digitsOf(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  const exact = Number(text) === value ? text : String(value);
  return exact.replace('e', 'E');
}

/** As exactly as times are kept, seconds: what is further from a whole second is no time of the clock. */
const halfMillisecond = 0.0005;

/** Null for what a day cannot say to the second. */
function dateText(serial: number, isDuration: boolean): string | null {
  const seconds = serial * 86_400;
  if (Math.abs(seconds - Math.round(seconds)) > halfMillisecond) return null;
  const time = serial % 1 === 0 ? '' : Math.round(seconds) % 60 === 0 ? 'hh:mm' : 'hh:mm:ss';
  if (isDuration || serial < 1)
    return format(`[h]:mm${time === 'hh:mm:ss' || isDuration ? ':ss' : ''}`, serial);
  return format(time === '' ? 'yyyy-mm-dd' : `yyyy-mm-dd ${time}`, serial);
}
