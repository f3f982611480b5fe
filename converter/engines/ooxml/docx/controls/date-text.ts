/** A time without a zone, as content controls have it. */
interface PlainDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const TOKEN = /'([^']*)'|d{1,4}|M{1,4}|y{4}|yy|H{1,2}|h{1,2}|m{1,2}|s{1,2}|AM\/PM|am\/pm|tt|./gsu;
/** Longer ones are no formats of dates, and the time that they take would grow with them. */
const MOST_CHARS = 40;

/** Any of these names, or the beginning of one. */
const namesOf = (names: readonly string[]): string =>
  `(?:${names.flatMap((name) => [name, name.slice(0, 3)]).join('|')})\\.?`;

type Field = keyof PlainDate | 'isAfternoon';

/**
 * The date that a text shows by a format (`w:dateFormat`, 17.5.2.7). Undefined when the text is no date, or names its month in
 * another language than English: the language data of machines differ, so names are not looked up there.
 */
export function readDate(text: string, format: string): PlainDate | undefined {
  const tidy = text.trim().replace(/\s+/g, ' ');
  if (format.length > MOST_CHARS || tidy.length > 2 * MOST_CHARS) return undefined;
  const fields: Field[] = [];
  let pattern = '';
  for (const [token, quoted] of format.trim().replace(/\s+/g, ' ').matchAll(TOKEN)) {
    const [field, piece] = quoted === undefined ? pieceOf(token) : [null, literal(quoted)];
    pattern += field ? `(${piece})` : piece;
    if (field) fields.push(field);
  }
  const match = new RegExp(`^${pattern}$`, 'iu').exec(tidy);
  if (!match || !fields.includes('year') || !fields.includes('month') || !fields.includes('day'))
    return undefined;
  const found: Record<Field, number> = {
    year: 0,
    month: 0,
    day: 0,
    hour: 0,
    minute: 0,
    second: 0,
    isAfternoon: -1,
  };
  for (const [at, field] of fields.entries()) {
    found[field] = numberOf(field, match[at + 1]!);
  }
  const { isAfternoon, ...date } = found;
  if (isAfternoon >= 0) date.hour = (date.hour % 12) + 12 * isAfternoon;
  return isDate(date) ? date : undefined;
}

function pieceOf(token: string): [Field | null, string] {
  switch (token[0]) {
    case 'd':
      return token.length > 2 ? [null, namesOf(DAYS)] : ['day', '\\d{1,2}'];
    case 'M':
      return ['month', token.length > 2 ? namesOf(MONTHS) : '\\d{1,2}'];
    case 'y':
      return ['year', token.length > 2 ? '\\d{4}' : '\\d{2}(?:\\d{2})?'];
    case 'H':
    case 'h':
      return ['hour', '\\d{1,2}'];
    case 'm':
      return ['minute', '\\d{1,2}'];
    case 's':
      return ['second', '\\d{1,2}'];
    case 'A':
    case 'a':
    case 't':
      return token.length > 1 ? ['isAfternoon', '[AaPp]\\.?[Mm]\\.?'] : [null, literal(token)];
    default:
      return [null, literal(token)];
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function numberOf(field: Field, text: string): number {
  if (field === 'isAfternoon') return /^p/i.test(text) ? 1 : 0;
  if (field === 'year' && text.length === 2) return Number(text) + (Number(text) < 50 ? 2000 : 1900);
  if (field !== 'month' || /^\d/.test(text)) return Number(text);
  return MONTHS.findIndex((one) => one.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase()) + 1;
}

function isDate({ year, month, day, hour, minute, second }: PlainDate): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return (
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  );
}

/** `2024-05-06T00:00:00` */
export function isoDate({ year, month, day, hour, minute, second }: PlainDate): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}
