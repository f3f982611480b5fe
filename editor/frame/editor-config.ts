import * as z from 'zod/mini';
import { plain } from '../../client/protocol/fields.ts';
import { modeIn } from '../../client/protocol/plain-values.ts';
import { customizationSchema } from './customization.ts';
import {
  choice,
  flag,
  list,
  maybeAddress,
  maybeChoice,
  maybePicture,
  maybeSeconds,
  maybeSection,
  maybeText,
  section,
  text,
  texts,
} from './fields.ts';

/** `fillforms` is seen as well as `fillForms`; what cannot be read is for viewing. */
const mode = z.catch(
  z.optional(
    z.pipe(
      plain(modeIn),
      z.transform((given) => (given.toLowerCase() === 'fillforms' ? 'fillForms' : given)),
    ),
  ),
  undefined,
);

/** `editorConfig` of the page's configuration (integration API, 4.4). */
export const editorConfigSchema = section({
  callbackUrl: maybeText,
  /** As it was sent: the server compares it with the token. Everything but `view` and `fillForms` means edit. */
  mode,
  lang: text('en'),
  region: maybeText,
  /** The older name of `region`. */
  location: maybeText,
  coEditing: section({ mode: choice(['fast', 'strict'], 'fast'), change: flag(true) }),
  user: section({
    id: text(''),
    name: text(''),
    firstname: text(''),
    lastname: text(''),
    /** Names with commas between them. */
    group: text(''),
    image: maybePicture,
    roles: texts,
  }),
  actionLink: maybeSection({
    action: maybeSection({ type: maybeChoice(['bookmark', 'comment']), data: text('') }),
  }),
  createUrl: maybeAddress,
  templates: list(z.object({ image: maybePicture, title: text(''), url: z.url({ protocol: /^https?$/ }) })),
  recent: list(z.object({ folder: text(''), title: text(''), url: z.url({ protocol: /^https?$/ }) })),
  embedded: section({
    autostart: maybeText,
    embedUrl: maybeAddress,
    fullscreenUrl: maybeAddress,
    saveUrl: maybeAddress,
    shareUrl: maybeAddress,
    toolbarDocked: choice(['top', 'bottom'], 'top'),
  }),
  customization: customizationSchema,
  /** Every change is to be in the storage within this time, seconds; an addition of this server. */
  quireStoreWithinS: maybeSeconds,
  canCoAuthoring: flag(true),
  canUseHistory: flag(false),
  canHistoryClose: flag(false),
  canHistoryRestore: flag(false),
  canRequestEditRights: flag(false),
  canRequestClose: flag(false),
  canRename: flag(false),
  canMakeActionLink: flag(false),
  canRequestUsers: flag(false),
  canRequestSendNotify: flag(false),
  canRequestSaveAs: flag(false),
  canRequestInsertImage: flag(false),
  canRequestMailMergeRecipients: flag(false),
  canRequestCompareFile: flag(false),
  canRequestSharingSettings: flag(false),
  canRequestCreateNew: flag(false),
  canRequestReferenceData: flag(false),
  canRequestReferenceSource: flag(false),
  canRequestOpen: flag(false),
  canRequestSelectDocument: flag(false),
  canRequestSelectSpreadsheet: flag(false),
  canSendEmailAddresses: flag(false),
  canRequestRefreshFile: flag(false),
  canUpdateVersion: flag(false),
  canSaveDocumentToBinary: flag(false),
  canStartFilling: flag(false),
  canRequestFillingStatus: flag(false),
});
export type EditorConfig = z.infer<typeof editorConfigSchema>;
