/** What somebody may do who may not change everything. */
export const limitedActs = ['review', 'comment', 'fill'] as const;
export type LimitedAct = (typeof limitedActs)[number];

/** What can be kept from somebody who may otherwise change everything. */
export const withheldActs = ['protect', 'filter'] as const;
export type WithheldAct = (typeof withheldActs)[number];

/**
 * Who made a change. The server stamps it on every batch that it receives, stores it with the batch, and the rule by which
 * a change applies depends on it. Each kind of document says what the acts mean.
 */
export interface ChangeAuthor {
  /** The name that stands beside this person's comments and tracked changes. */
  readonly name: string;
  /** All that this person may do; absent: everything. */
  readonly may?: readonly LimitedAct[] | undefined;
  /** What of everything this person may not do. */
  readonly mayNot?: readonly WithheldAct[] | undefined;
}

/** A change of the log with its author; null where the log says none, which is one of before there were stamps. */
export interface AuthoredChange {
  readonly change: string;
  readonly author: ChangeAuthor | null;
}

/** A change as a log holds it; text alone is a change without a stamp. */
export type LogEntry = string | AuthoredChange;

/** Why every replica skips a change whose author may not make it. */
export const notAllowed = 'not-allowed';

export const textOf = (entry: LogEntry): string => (typeof entry === 'string' ? entry : entry.change);
export const authorOf = (entry: LogEntry): ChangeAuthor | null =>
  typeof entry === 'string' ? null : entry.author;

/** What permissions and mode say of somebody, as changes are stamped with it. */
export function grantsOf(
  permissions: Readonly<Record<string, unknown>> | null | undefined,
  mode: string | null | undefined,
): Pick<ChangeAuthor, 'may' | 'mayNot'> {
  const may = limitsOf(permissions, mode);
  if (may) return { may };
  const mayNot = withheldActs.filter((act) => permissions?.[permissionFor[act]] === false);
  return mayNot.length > 0 ? { mayNot } : {};
}

const permissionFor = { protect: 'protect', filter: 'modifyFilter' } as const satisfies Record<
  WithheldAct,
  string
>;

/**
 * What permissions and mode leave somebody to do (integration API, 4.3 and 4.4): undefined is everything, an empty list
 * nothing. Who may edit may do everything; a reviewer comments where that is granted beside; forms go before comments.
 */
export function limitsOf(
  permissions: Readonly<Record<string, unknown>> | null | undefined,
  mode: string | null | undefined,
): readonly LimitedAct[] | undefined {
  const { edit, review, comment, fillForms } = permissions ?? {};
  const mayEdit = edit !== false;
  if (mode?.toLowerCase() === 'fillforms') {
    const mayFill = fillForms === true || (fillForms !== false && (mayEdit || review === true));
    return mayFill ? ['fill'] : [];
  }
  if (mayEdit) return undefined;
  if (review === true) return comment === true ? ['review', 'comment'] : ['review'];
  if (fillForms === true) return ['fill'];
  return comment === true ? ['comment'] : [];
}

/** Whether somebody whom this is left may put pictures into a document: who edits it, or proposes changes. */
export const mayAddPictures = (may: readonly LimitedAct[] | undefined): boolean =>
  may === undefined || may.includes('review');

/** Whether somebody whom this is left may fill in forms, and hand them over: who edits, or fills in. */
export const mayFillIn = (may: readonly LimitedAct[] | undefined): boolean =>
  may === undefined || may.includes('fill');
