import { splitUserName } from '../../frame/user-name.ts';
import { t } from '../../strings/strings.ts';
import { fullTime } from './times.ts';

/** A name as people know it: without the groups in front. */
export const shownName = (author: string): string => splitUserName(author).name || t('review.anonymous');

/** Who made a change and when. */
export function changeTitle(kind: 'insertion' | 'deletion', author: string, date: string | null): string {
  const by = t(kind === 'insertion' ? 'review.insertedBy' : 'review.deletedBy', { name: shownName(author) });
  return date === null ? by : `${by}, ${fullTime(date)}`;
}
