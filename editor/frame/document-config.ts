import * as z from 'zod/mini';
import {
  flag,
  list,
  maybeAddress,
  maybeFlag,
  maybeSection,
  maybeText,
  maybeTexts,
  section,
  text,
} from './fields.ts';

/** `document.permissions` (integration API, 4.3). What is absent follows from the others, see `roleOf`. */
const permissionsSchema = section({
  edit: maybeFlag,
  review: maybeFlag,
  comment: maybeFlag,
  fillForms: maybeFlag,
  chat: maybeFlag,
  print: maybeFlag,
  download: maybeFlag,
  copy: maybeFlag,
  protect: maybeFlag,
  modifyContentControl: maybeFlag,
  modifyFilter: maybeFlag,
  deleteCommentAuthorOnly: maybeFlag,
  editCommentAuthorOnly: maybeFlag,
  /** Groups whose changes this person may accept or reject. `''` stands for people without a group. */
  reviewGroups: maybeTexts,
  commentGroups: section({ edit: maybeTexts, remove: maybeTexts, view: maybeTexts }),
  userInfoGroups: maybeTexts,
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
