import { currentLanguage, t } from '../strings/strings.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago a time was, in words. */
export function ago(time: string | number): string {
  const elapsedS = (Date.now() - new Date(time).getTime()) / 1_000;
  if (elapsedS >= 0 && elapsedS < 1) return t('admin.justNow');
  const [unit, seconds] = units.find(([, one]) => Math.abs(elapsedS) >= one) ?? units[3];
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return format.format(-Math.round(elapsedS / seconds), unit);
}

/** How long it has been since a time: `3 min`. */
export function since(time: string | number): string {
  const elapsedS = Math.max(0, (Date.now() - new Date(time).getTime()) / 1_000);
  const [unit, seconds] = units.find(([, one]) => elapsedS >= one) ?? units[3];
  return inUnit(Math.floor(elapsedS / seconds), unit);
}

/** A time in full, for tooltips. */
export function fullTime(time: string | number): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(time),
  );
}

/** A size in the unit that suits it. */
export function size(bytes: number): string {
  const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(3, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return inUnit(bytes / 1_024 ** step, sizes[step]!, 1);
}

/** A number of seconds in the unit that suits it. */
export function seconds(value: number): string {
  const [unit, one] = units.find(([, length]) => value >= length) ?? units[3];
  return inUnit(value / one, unit, 1);
}

/** Hours and minutes. */
export const timeOfDay = (time: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'short' }).format(time);

export const milliseconds = (value: number): string => inUnit(value, 'millisecond', value < 10 ? 1 : 0);

export const percent = (value: number, digits = 0): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: digits }).format(value);

export const count = (value: number, digits = 0): string =>
  new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: digits }).format(value);

export const list = (words: readonly string[]): string =>
  new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(words);

function inUnit(value: number, unit: string, digits = 0): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(currentLanguage(), options).format(value);
}
