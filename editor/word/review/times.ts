import { signal } from '@preact/signals';
import { currentLanguage, t } from '../../strings/strings.ts';

const tickMs = 30_000;
const now = signal(Date.now());
let isTicking = false;

const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago a time was, in words; what is drawn with it changes as time goes by. */
export function ago(date: string): string {
  tick();
  const elapsedMs = Math.max(0, Math.max(now.value, Date.now()) - Date.parse(date));
  const unit = units.find(([, ms]) => elapsedMs >= ms);
  if (!unit) return t('review.justNow');
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return format.format(-Math.floor(elapsedMs / unit[1]), unit[0]);
}

/** A time in full. */
export function fullTime(date: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(date));
}

function tick(): void {
  if (isTicking) return;
  isTicking = true;
  setInterval(() => {
    now.value = Date.now();
  }, tickMs);
}
