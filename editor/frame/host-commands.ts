import * as z from 'zod/mini';
import { sharingSettingsSchema } from './document-config.ts';
import {
  flag,
  label,
  list,
  maybeFlag,
  maybeLabel,
  maybeNumber,
  maybeSection,
  maybeText,
  number,
  right,
  section,
  text,
} from './fields.ts';

/** The page's answer to a request for files of the storage. */
const file = { c: maybeText, fileType: text(''), url: text(''), directUrl: maybeText, token: maybeText };

/** The page's answer to a request for another workbook that formulas read. */
const linkedFile = {
  ...file,
  key: maybeText,
  path: maybeText,
  link: maybeText,
  referenceData: maybeSection({ fileKey: text(''), instanceId: text('') }),
  error: maybeText,
};

const user = z.object({ id: maybeText, name: text(''), email: maybeText, image: maybeText });
const historyUser = section({ id: text(''), name: text('') });

/**
 * What the page tells the frame, with a reading of each command's data that takes anything (integration API, 5.2).
 * `init` and `openDocument` are not among them: they are what `HostBridge.ready` is made of.
 */
export const commandSchemas = {
  showMessage: section({ msg: text('') }),
  processRightsChange: section({ enabled: right, message: maybeText }),
  applyEditRights: section({ allowed: flag(false), message: maybeText }),
  refreshHistory: section({
    data: section({
      /** As the list names it. */
      currentVersion: maybeLabel,
      error: maybeText,
      history: list(
        z.object({
          /** A number or a text, kept as it came: the page is asked for it in these words. */
          version: label,
          key: text(''),
          created: text(''),
          user: historyUser,
          serverVersion: maybeText,
          changes: list(z.object({ created: text(''), documentSha256: maybeText, user: historyUser })),
        }),
      ),
    }),
    message: maybeText,
  }),
  setHistoryData: section({
    data: section({
      /** Undefined: the one that was asked for. */
      version: maybeLabel,
      key: text(''),
      url: text(''),
      directUrl: maybeText,
      fileType: text(''),
      changesUrl: maybeText,
      previous: maybeSection({ key: text(''), url: text(''), fileType: text('') }),
      token: maybeText,
      error: maybeText,
    }),
    message: maybeText,
  }),
  setActionLink: section({ url: text('') }),
  setUsers: section({
    c: text('mention'),
    users: list(user),
    total: maybeNumber,
    isPaginated: flag(false),
  }),
  showSharingSettings: section({ sharingSettings: sharingSettingsSchema }),
  setSharingSettings: section({ sharingSettings: sharingSettingsSchema }),
  insertImage: section({
    ...file,
    images: list(z.object({ fileType: text(''), url: z.string() })),
  }),
  setRequestedDocument: section(file),
  setRequestedSpreadsheet: section(file),
  setRevisedFile: section(file),
  setMailMergeRecipients: section(file),
  setReferenceData: section(linkedFile),
  setReferenceSource: section(linkedFile),
  setFavorite: section({ favorite: flag(false) }),
  requestClose: z.unknown(),
  /** Undefined: in the document's own format. */
  downloadAs: maybeText,
  startFilling: maybeFlag,
  requestRoles: z.unknown(),
  /** The whole new configuration; `readRefreshedConfig` reads it. */
  refreshFile: z.unknown(),
  /** The bytes of a document, as an `ArrayBuffer`. */
  openDocumentFromBinary: z.instanceof(ArrayBuffer),
  internalCommand: section({ command: text(''), data: z.optional(z.unknown()) }),
  grabFocus: z.unknown(),
  blurFocus: z.unknown(),
  /** In pixels from the frame's corner. */
  processMouse: section({ type: text(''), x: number(0), y: number(0) }),
  setEmailAddresses: z.unknown(),
  processMailMerge: section({ enabled: flag(true), message: maybeText }),
} as const;

export type HostCommand = keyof typeof commandSchemas;
export type HostCommandData<Name extends HostCommand> = z.infer<(typeof commandSchemas)[Name]>;
