import * as z from 'zod/mini';
import { plain } from '../../client/protocol/fields.ts';
import {
  commentGroupReadings,
  noCommentGroups,
  noPermissions,
  type PermissionReading,
  permissionReadings,
  presentIn,
} from '../../client/protocol/permissions.ts';
import { isAbsent } from '../../client/protocol/plain-values.ts';
import {
  flag,
  list,
  maybeAddress,
  maybeFlag,
  maybeSection,
  maybeText,
  rightEntries,
  section,
  text,
  truth,
  words,
} from './fields.ts';

type Readings = Readonly<Record<string, PermissionReading>>;
type Shape<Given extends Readings> = {
  [Name in keyof Given]: z.ZodMiniCatch<
    z.ZodMiniOptional<Given[Name]['kind'] extends 'flag' ? typeof truth : typeof entries>
  >;
};

const entries = rightEntries(words);

/** Permissions, of which those that cannot be read allow nothing; `none` stands for all together. */
function guarded<Given extends Readings, Further extends z.core.$ZodShape>(
  readings: Given,
  none: Record<string, unknown>,
  further: Further,
) {
  const fields = Object.entries(readings).map(([name, { kind, unreadable }]) => [
    name,
    z.catch(z.optional(kind === 'flag' ? truth : entries), unreadable as never),
  ]);
  const shape = Object.fromEntries(fields) as Shape<Given>;
  return z.pipe(
    z.catch(
      plain((given) => (isAbsent(given) ? {} : presentIn(given))),
      none,
    ),
    z.object({ ...shape, ...further }),
  );
}

/** `document.permissions` (integration API, 4.3). What is absent follows from the others, see `roleOf`. */
const permissionsSchema = guarded(permissionReadings, noPermissions, {
  commentGroups: guarded(commentGroupReadings, noCommentGroups, {}),
});
export type Permissions = z.infer<typeof permissionsSchema>;

/** Who may do what with the document. */
export const sharingSettingsSchema = list(
  z.object({ user: text(''), permissions: text(''), isLink: flag(false) }),
);

/** `document` of the page's configuration (integration API, 4.2), as the frame is sent it. */
export const documentSchema = section({
  key: text(''),
  /** Where the server, not the browser, fetches the file. */
  url: text(''),
  /** Where the browser may fetch it. */
  directUrl: maybeAddress,
  fileType: text(''),
  title: text(''),
  /** Signed by the page's application; what it says has precedence on the server. */
  token: maybeText,
  permissions: permissionsSchema,
  isForm: maybeFlag,
  referenceData: maybeSection({ fileKey: text(''), instanceId: text('') }),
  info: section({
    /** Undefined: the application has no favorites. */
    favorite: maybeFlag,
    folder: maybeText,
    owner: maybeText,
    uploaded: maybeText,
    sharingSettings: sharingSettingsSchema,
  }),
});
export type DocumentConfig = z.infer<typeof documentSchema>;
