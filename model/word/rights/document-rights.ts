import type { LimitedAct } from '../../log/change-author.ts';

/**
 * Why what is in a content control may not be changed:
 * - `locked`: its author has locked it (17.18.50)
 * - `group`: it holds a form together, in which only the controls are filled in (17.5.2.16)
 * - `bound`: its value lies in data that cannot be written from here
 */
export const holdReasons = ['locked', 'group', 'bound'] as const;
export type HoldReason = (typeof holdReasons)[number];

/** What the protection of a document leaves to everybody (17.15.1.29). */
export const protections = ['readOnly', 'comments', 'trackedChanges', 'forms'] as const;
export type Protection = (typeof protections)[number];

/** A content control of a document, where there is more to say of it than that it is there. */
export interface ContentControl {
  /** Key of its mark `within`, or id of its block or of the node that holds it. */
  readonly ref: string;
  readonly held: HoldReason | null;
  /** It may not be deleted. */
  readonly stays: boolean;
  /** It shows a text that asks to be replaced. */
  readonly showsPlaceholder: boolean;
}

/** What a file itself says of who may change what in it. A rule of its log, alike on every replica. */
export interface DocumentRights {
  /** Content controls that may be filled in: keys of the mark `within`, ids of blocks of type `block_wrap`. */
  readonly fillable: ReadonlySet<string>;
  /** By the control, why what is in it stays. */
  readonly held: ReadonlyMap<string, HoldReason>;
  /** Controls that may not be deleted. */
  readonly staying: ReadonlySet<string>;
  /** While it has not been lifted, which the document says. */
  readonly protection: Protection | null;
}

/** A document that says nothing of that. */
export const noRights: DocumentRights = {
  fillable: new Set(),
  held: new Map(),
  staying: new Set(),
  protection: null,
};

/** As the JSON of a document tells them. */
export function documentRights({
  fillable = [],
  controls = [],
  settings,
}: {
  readonly fillable?: readonly string[] | undefined;
  readonly controls?: readonly ContentControl[] | undefined;
  readonly settings?: { readonly protection?: { readonly edit: Protection } | null | undefined };
}): DocumentRights {
  return {
    fillable: new Set(fillable),
    held: new Map(controls.flatMap(({ ref, held }) => (held ? [[ref, held] as const] : []))),
    staying: new Set(controls.flatMap(({ ref, stays }) => (stays ? [ref] : []))),
    protection: settings?.protection?.edit ?? null,
  };
}

const ACTS: Readonly<Record<Protection, readonly LimitedAct[]>> = {
  readOnly: [],
  comments: ['comment'],
  trackedChanges: ['review', 'comment'],
  forms: ['fill'],
};

/** What is left of somebody's acts in a document that is protected; undefined is everything. */
export function actsUnder(
  protection: Protection | null,
  may: readonly LimitedAct[] | undefined,
): readonly LimitedAct[] | undefined {
  if (!protection) return may;
  const left = ACTS[protection];
  return may ? may.filter((act) => left.includes(act)) : left;
}
