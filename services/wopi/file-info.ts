import { createHash } from 'node:crypto';
import { z } from 'zod';
import { maxUserIdLength, maxUserNameLength } from '../../client/protocol/index.ts';
import { cleanText, shortFileName, shortText } from '../../platform/foreign-text.ts';

const longestText = 10_000;
/** Names and addresses for a page go into its token, and with that into headers. */
const longestName = 500;
const longestAddress = 2_048;
const hashCharacters = 32;

/** Hosts write numbers as text and text as numbers; null is as good as absent. */
const words = z.union([z.string().max(longestText), z.number(), z.boolean()]).transform(String);
/** Each text is cleaned here, and nowhere else: it goes into headers, the database and pages. */
const cleaned = words.transform(cleanText);
const text = cleaned.optional().catch(undefined);
const address = cleaned.pipe(z.string().max(longestAddress)).optional().catch(undefined);
const wordsOfAnyLength = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const name = wordsOfAnyLength
  .transform((given) => shortText(cleanText(given), maxUserNameLength))
  .optional()
  .catch(undefined);
const id = wordsOfAnyLength
  .transform((given) => distinctText(given, maxUserIdLength))
  .optional()
  .catch(undefined);
/** What tells one state of a file from another, of whatever type; it goes into the token of a page, too. */
const state = z
  .unknown()
  .optional()
  .transform(wordsOf)
  .transform((given) => (given === undefined ? undefined : distinctText(given, longestName)));
const whole = (minimum: number, maximum: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\s*\d{1,16}\s*$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(minimum).max(maximum))
    .optional()
    .catch(undefined);
const flag = z
  .union([
    z.boolean(),
    z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }),
    z.literal([0, 1]).transform(Boolean),
  ])
  .optional()
  .catch(undefined);
/** Takes something away: whatever does not say no does so. */
const restriction = z
  .unknown()
  .optional()
  .transform((given) => (isNothing(given) ? undefined : !saysNo(given)));

/**
 * The members of the answer to CheckFileInfo that are used (integration API, 13.3). A member of a wrong type counts as
 * absent.
 */
const schema = z.object({
  BaseFileName: z
    .string()
    .transform((given) => shortFileName(cleanText(given), longestName))
    .pipe(z.string().min(1)),
  FileExtension: text,
  Size: whole(0, Number.MAX_SAFE_INTEGER),
  SHA256: text,
  Version: state,
  LastModifiedTime: state,
  FileUrl: text,
  TemplateSource: text,
  FileNameMaxLength: whole(1, 10_000),
  UserId: id,
  UserFriendlyName: name,
  IsAnonymousUser: flag,
  ReadOnly: restriction,
  UserCanWrite: flag,
  UserCanReview: flag,
  UserCanOnlyComment: flag,
  UserCanRename: flag,
  UserCanNotWriteRelative: restriction,
  WebEditingDisabled: restriction,
  DisablePrint: restriction,
  HidePrintOption: restriction,
  DisableExport: restriction,
  HideExportOption: restriction,
  DisableCopy: restriction,
  RestrictedWebViewOnly: restriction,
  ProtectInClient: restriction,
  CopyPasteRestrictions: text,
  SupportsLocks: flag,
  SupportsUpdate: flag,
  SupportsRename: flag,
  SupportsReviewing: flag,
  BreadcrumbBrandName: name,
  BreadcrumbBrandUrl: address,
  BreadcrumbDocName: cleaned
    .transform((given) => shortFileName(given, longestName))
    .optional()
    .catch(undefined),
  BreadcrumbFolderName: name,
  BreadcrumbFolderUrl: address,
  HostEditUrl: address,
  HostViewUrl: address,
  CloseUrl: address,
  FileSharingUrl: address,
  FileVersionUrl: address,
  PostMessageOrigin: address,
  ClosePostMessage: flag,
  EditModePostMessage: flag,
  EditNotificationPostMessage: flag,
  FileSharingPostMessage: flag,
  FileVersionPostMessage: flag,
  EnableInsertRemoteImage: flag,
});
export type FileInfo = z.infer<typeof schema>;

const isNothing = (given: unknown): given is null | undefined => given === null || given === undefined;

const saysNo = (given: unknown): boolean => /^\s*(?:false|0|no|off)?\s*$/i.test(wordsOf(given) ?? 'true');

/** A value of JSON in words; undefined for null, and for what is too deep to be written. */
function wordsOf(given: unknown): string | undefined {
  if (isNothing(given)) return undefined;
  if (typeof given !== 'object') return String(given);
  try {
    return JSON.stringify(given);
  } catch {
    return undefined;
  }
}

/** Text that fits into headers and the database; different texts stay different. */
function distinctText(given: string, most: number): string {
  const kept = shortText(cleanText(given), most);
  if (kept === given) return given;
  // In UTF-8 all halves of characters are the same.
  const bytes = Buffer.from(given, given.isWellFormed() ? 'utf8' : 'utf16le');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, hashCharacters);
  return `${shortText(kept, most - hashCharacters - 1)}.${hash}`;
}

/** Reads an answer to CheckFileInfo; null when it is none: a file has at least a name. */
export function readFileInfo(body: unknown): FileInfo | null {
  const read = schema.safeParse(body);
  return read.success ? read.data : null;
}

/** What of it a browser may see: not where the bytes are. */
export function publicInfo({ FileUrl, TemplateSource, ...rest }: FileInfo): Record<string, unknown> {
  return rest;
}

/** Extension in lower case and without a dot: what the host says, else what the name ends in. */
export function extensionOf({ BaseFileName, FileExtension }: FileInfo): string {
  const named = FileExtension?.replace(/^\./, '') || /\.([^.]+)$/.exec(BaseFileName)?.[1] || '';
  return named.toLowerCase();
}

/** Whether this person may have the file written. Some hosts name a right and forget to say what they support. */
export function mayWrite(info: FileInfo): boolean {
  const hasRight =
    info.UserCanWrite === true || info.UserCanReview === true || info.UserCanOnlyComment === true;
  return isForWriting(info) && hasRight && info.SupportsUpdate !== false;
}

const isForWriting = ({ ReadOnly, WebEditingDisabled }: FileInfo): boolean =>
  ReadOnly !== true && WebEditingDisabled !== true;

/** Whether this person may make files beside this one. */
export const mayWriteRelative = ({ UserCanNotWriteRelative }: FileInfo): boolean =>
  UserCanNotWriteRelative !== true;

/**
 * What of the document this person may take with them. An option that is only to be hidden is refused: who sees no button may not
 * ask the server for what is behind it either.
 */
function takingOf(info: FileInfo): { copy: boolean; print: boolean; download: boolean } {
  const isKept = info.RestrictedWebViewOnly === true || info.ProtectInClient === true;
  const isCopyKept =
    info.CopyPasteRestrictions === 'CurrentDocumentOnly' || info.CopyPasteRestrictions === 'BlockAll';
  return {
    copy: !(isKept || isCopyKept || info.DisableCopy === true),
    print: !(isKept || info.DisablePrint === true || info.HidePrintOption === true),
    download: !(isKept || info.DisableExport === true || info.HideExportOption === true),
  };
}

/**
 * Whether this person may have the file renamed. Where the host does not say it, everybody who may write may rename.
 */
export const mayRename = (info: FileInfo): boolean =>
  info.SupportsRename === true && (info.UserCanRename ?? mayWrite(info));

/** `document.permissions` of the editor (integration API, 13.3). */
export function permissionsOf(info: FileInfo, asked: { formSubmit: boolean; chat: boolean }) {
  const edit =
    isForWriting(info) && info.UserCanWrite === true && info.UserCanOnlyComment !== true && !asked.formSubmit;
  const review =
    info.UserCanOnlyComment === true || info.SupportsReviewing === false ? false : info.UserCanReview;
  return {
    edit,
    ...(review === undefined ? {} : { review }),
    comment: edit || info.UserCanOnlyComment === true,
    fillForms: edit || asked.formSubmit,
    chat: asked.chat,
    ...takingOf(info),
  };
}
