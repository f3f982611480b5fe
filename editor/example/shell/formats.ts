import { signal } from '@preact/signals';
import { currentLanguage, t } from '../../strings/strings.ts';

const tickMs = 20_000;
const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, tickMs);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago a time was, in words that change as time goes by. */
export function ago(time: string): string {
  const elapsedMs = Math.max(0, Math.max(now.value, Date.now()) - Date.parse(time));
  const unit = units.find(([, ms]) => elapsedMs >= ms);
  if (!unit) return t('example.justNow');
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return format.format(-Math.floor(elapsedMs / unit[1]), unit[0]);
}

/** A time in full, for tooltips. */
export function fullTime(time: string): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(time),
  );
}

/** A size in kilobytes or megabytes. */
export function fileSize(sizeBytes: number): string {
  const [value, unit] =
    sizeBytes < 1_048_576 ? [sizeBytes / 1_024, 'kilobyte'] : [sizeBytes / 1_048_576, 'megabyte'];
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, maximumFractionDigits }).format(
    value,
  );
}

/** Names as a list in words. */
export function names(all: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(all);
}
