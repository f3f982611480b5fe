import { flagIn, isAbsent, membersIn, textsIn } from './plain-values.ts';

/** What stands for a permission that cannot be read: the side that allows less. */
const granting = { kind: 'flag', unreadable: false } as const;
const restricting = { kind: 'flag', unreadable: true } as const;
/** No list is everybody, an empty one nobody. */
const groups = { kind: 'groups', unreadable: [] as string[] } as const;

/** A permission: how it is read, and what stands for one that cannot be. */
export type PermissionReading = typeof granting | typeof restricting | typeof groups;
type Readings = Readonly<Record<string, PermissionReading>>;

/** The permissions that are not objects themselves (integration API, 4.3). */
export const permissionReadings = {
  edit: granting,
  review: granting,
  comment: granting,
  fillForms: granting,
  chat: granting,
  print: granting,
  download: granting,
  copy: granting,
  protect: granting,
  modifyContentControl: granting,
  modifyFilter: granting,
  deleteCommentAuthorOnly: restricting,
  editCommentAuthorOnly: restricting,
  reviewGroups: groups,
  userInfoGroups: groups,
} as const satisfies Readings;

/** Those of `commentGroups`, which is an object. */
export const commentGroupReadings = {
  edit: groups,
  remove: groups,
  view: groups,
} as const satisfies Readings;

/** What stands for all of these together where none can be read. */
const unreadable = (readings: Readings): Record<string, boolean | string[]> =>
  Object.fromEntries(Object.entries(readings).map(([name, reading]) => [name, reading.unreadable]));

export const noCommentGroups = unreadable(commentGroupReadings);
/** `permissions` of which nothing is allowed. */
export const noPermissions = { ...unreadable(permissionReadings), commentGroups: noCommentGroups };

/**
 * `permissions` of a configuration or token, with every right as a truth value. Null is absent. Of what cannot be read
 * as a whole nothing is allowed. Members of other names stay as they are.
 */
export function permissionsIn(given: unknown): Record<string, unknown> | undefined {
  if (isAbsent(given)) return undefined;
  const members = presentIn(given);
  if (!members) return noPermissions;
  const { commentGroups, ...others } = members;
  const lists = presentIn(commentGroups);
  return {
    ...readIn(others, permissionReadings),
    ...(!isAbsent(commentGroups) && {
      commentGroups: lists ? readIn(lists, commentGroupReadings) : noCommentGroups,
    }),
  };
}

/** The members of an object that are not null. */
export function presentIn(value: unknown): Record<string, unknown> | undefined {
  const members = membersIn(value);
  return members && Object.fromEntries(Object.entries(members).filter(([, one]) => !isAbsent(one)));
}

const readIn = (members: Record<string, unknown>, readings: Readings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
      if (!reading) return [name, value];
      const read = reading.kind === 'flag' ? flagIn : textsIn;
      return [name, read(value) ?? reading.unreadable];
    }),
  );
