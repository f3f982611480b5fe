/** A participant's name carries the groups in front, since the protocol has no field for them. */
const separator = '\u00a0';

/** The name under which somebody of a group takes part; `group` is names with commas between them. */
export const joinUserName = (group: string, name: string): string =>
  group ? `${group}${separator}${name}` : name;

/** The groups and the name to show of a participant. */
export function splitUserName(participantName: string): { groups: string[]; name: string } {
  const end = participantName.indexOf(separator);
  return {
    groups: groupsOf(participantName.slice(0, Math.max(end, 0))),
    name: participantName.slice(end + 1),
  };
}

const groupsOf = (group: string): string[] =>
  group
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/**
 * Whether a list of groups, such as `permissions.commentGroups.edit`, has somebody in it. No list means everybody,
 * an empty one nobody, and the entry `''` those without a group (integration API, 4.3).
 */
export function isInGroups(allowed: readonly string[] | undefined, groups: readonly string[]): boolean {
  if (!allowed) return true;
  return groups.length === 0 ? allowed.includes('') : groups.some((group) => allowed.includes(group));
}

const storageKey = 'quire-guest-id';

/** An id for somebody who has not signed in; the same each time in this browser where it allows that. */
export function guestId(): string {
  // Not randomUUID: that is there only on pages that came by https.
  const made = `uid-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')}`;
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored) return stored;
    localStorage.setItem(storageKey, made);
  } catch {
    // A frame of another site may be refused storage.
  }
  return made;
}
