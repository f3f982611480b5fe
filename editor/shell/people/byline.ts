import { signal } from '@preact/signals';
import { splitUserName } from '../../frame/user-name.ts';
import { currentLanguage, t } from '../../strings/strings.ts';
import { colorOf } from './people.ts';

/** A whole number for a name, the same everywhere. */
function hash(name: string): number {
  let value = 7;
  for (const character of name) value = (value * 31 + character.codePointAt(0)!) >>> 0;
  return value;
}

/** The CSS property that holds the colour of an author who is here. */
export const authorProperty = (author: string): string => `--author-${hash(author).toString(36)}`;

/** The colour of an author as CSS: that which they have in the document now, else one by their name. */
export const authorColor = (author: string): string =>
  `var(${authorProperty(author)}, ${colorOf(hash(author))})`;

/** A name as people know it: without the groups in front. */
export const shownName = (author: string): string => splitUserName(author).name || t('review.anonymous');

/** Who made a change and when. */
export function changeTitle(kind: 'insertion' | 'deletion', author: string, date: string | null): string {
  const by = t(kind === 'insertion' ? 'review.insertedBy' : 'review.deletedBy', { name: shownName(author) });
  return date === null ? by : `${by}, ${fullTime(date)}`;
}

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
