import { splitUserName } from '../../frame/user-name.ts';
import type { Version } from './version-history.ts';

/** The people who made a version, as others know them: without the groups that stand before a participant's name. */
export function peopleOf({ changes, user }: Version): string {
  const names = [...changes.map((change) => change.user.name), user.name].map(
    (name) => name && splitUserName(name).name,
  );
  return [...new Set(names)].filter(Boolean).join(', ');
}
