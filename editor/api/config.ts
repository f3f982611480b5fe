import { isAbsent, modeIn, textIn } from '../../client/protocol/plain-values.ts';
import { type KindName, kinds } from '../../model/kinds.ts';
import { usualType } from '../../model/usual-type.ts';
import { badRequest, type Problem, problemsOf, warningsOf } from './config-check.ts';
import { at, type Json, type JsonObject, objectOf, withDefaults } from './json.ts';
import { withSignedNumbers } from './signed-numbers.ts';
import { say, type Text, text } from './texts.ts';

/** `DocsAPI.DocEditor.defaultConfig`; a page may change it before it opens an editor. */
export const defaultConfig: JsonObject = {
  type: 'desktop',
  width: '100%',
  height: '100%',
  editorConfig: {
    lang: 'en',
    canCoAuthoring: true,
    customization: { about: true, feedback: false },
  },
};

/** A configuration that an editor can be opened with. */
export interface ReadyConfig {
  kind: KindName;
  type: string;
  lang: string;
  /** Everything, the defaults and derived options included. */
  whole: JsonObject;
  /** What the editor is sent in `openDocument` and `init`. */
  document: JsonObject;
  editorConfig: JsonObject;
  width: string | number;
  height: string | number;
}

type Prepared = { warnings: Text[] } & (
  | { ready: ReadyConfig; problems?: undefined }
  | { problems: Problem[]; ready?: undefined }
);

const types = ['desktop', 'mobile', 'embedded'];
/** Formats of printed pages, of which no history is kept. */
const withoutHistory = ['djvu', 'xps', 'oxps'];

/** Checks what a page has given and completes it (integration API, 3.2). `given` is a copy of the page's object. */
export function prepareConfig(given: JsonObject, handlers: Handlers): Prepared {
  const problems = problemsOf(given);
  const warnings = warningsOf(given, handlers);
  if (problems.length > 0) return { problems, warnings };
  const whole = withDefaults(given, defaultConfig);
  const lang = textIn(at(whole, 'editorConfig.lang')) || 'en';
  const fileType = usualType((textIn(at(whole, 'document.fileType')) ?? '').toLowerCase());
  const kind = kinds.ofFile(fileType, kinds.named(textIn(whole.documentType) ?? ''))!.name as KindName;
  const document = documentOf(whole, fileType, lang);
  const editorConfig = editorConfigOf(whole, handlers, fileType, lang);
  const type = types.includes(whole.type as string) ? (whole.type as string) : 'desktop';
  const ready: ReadyConfig = {
    kind,
    type,
    lang,
    whole: { ...whole, type, documentType: kind, document, editorConfig },
    document,
    editorConfig,
    width: sizeOf(whole.width),
    height: sizeOf(whole.height),
  };
  return { ready, warnings };
}

function documentOf(whole: JsonObject, fileType: string, lang: string): JsonObject {
  const document = { ...objectOf(whole.document) };
  document.fileType = fileType || undefined;
  document.title = textIn(document.title) || say(text('unnamed'), lang) + (fileType && `.${fileType}`);
  document.key = textIn(document.key) || randomKey();
  if (!isAbsent(whole.token)) document.token = textIn(whole.token);
  return document;
}

function editorConfigOf(whole: JsonObject, handlers: Handlers, fileType: string, lang: string): JsonObject {
  const editorConfig: JsonObject = { ...objectOf(whole.editorConfig), ...flagsOf(handlers) };
  if (withoutHistory.includes(fileType)) editorConfig.canUseHistory = false;
  editorConfig.lang = lang;
  const user = objectOf(editorConfig.user);
  if (typeof user.id === 'number') editorConfig.user = { ...user, id: textIn(user.id) };
  return editorConfig;
}

const sizeOf = (value: unknown): string | number =>
  typeof value === 'number' || typeof value === 'string' ? value : '100%';

/** 20 hexadecimal digits that nobody else has. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A page's configuration without its functions, or why there is none. */
export interface CopiedConfig {
  config: JsonObject;
  problem?: Problem;
}

/** What can be sent to the frame of the page's object, without its functions. The page's own object stays as it is. */
export function copyConfig(given: unknown): CopiedConfig {
  if (given === undefined || given === null) return failed(text('missing', { name: 'config' }));
  if (typeof given !== 'object' || Array.isArray(given)) return failed(text('notObject', { name: 'config' }));
  try {
    return { config: withSignedNumbers(JSON.parse(JSON.stringify({ ...given, events: undefined }))) };
  } catch (error) {
    return failed(text('notJson', { reason: String(error) }));
  }
}

const failed = (reason: Text): CopiedConfig => ({
  config: {},
  problem: { text: reason, errorCode: badRequest },
});

/** What a newer version of a document takes from the older one unless the page says something else. */
const lasting = ['fileType', 'title', 'info'] as const;

/**
 * The configuration of `refreshFile`, completed by the one the editor is open with: pages leave out what is not new, or
 * have it empty, the person above all. What a token signs is taken from the new one alone, since the token is that of the new one.
 */
export function refreshedConfig(given: JsonObject, open: JsonObject): JsonObject {
  const { token: _token, ...around } = open;
  const before = objectOf(open.document);
  const document = objectOf(given.document);
  const asBefore = lasting.filter((name) => isLeftOut(document[name]) && !isLeftOut(before[name]));
  const { callbackUrl: _callbackUrl, mode, ...editorConfig } = objectOf(open.editorConfig);
  return {
    ...over(around, given),
    document: { ...document, ...Object.fromEntries(asBefore.map((name) => [name, before[name]])) },
    editorConfig: over(
      // What is left out never makes a reader an editor.
      modeIn(mode) === 'view' ? { ...editorConfig, mode: 'view' } : editorConfig,
      objectOf(given.editorConfig),
    ),
  };
}

/** What `given` has, and of what it leaves out what was there before. */
function over(before: JsonObject, given: JsonObject): JsonObject {
  const present = Object.entries(given).filter(([, value]) => !isLeftOut(value));
  return { ...before, ...Object.fromEntries(present) };
}

/** Some languages write every member of an object, with nothing in it. */
function isLeftOut(value: Json | undefined): boolean {
  if (isAbsent(value) || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isLeftOut);
}

/** Which option tells the editor that the page answers an event (integration API, 3.2). */
export const eventFlags: Readonly<Record<string, string>> = {
  onRequestHistory: 'canUseHistory',
  onRequestHistoryClose: 'canHistoryClose',
  onRequestRestore: 'canHistoryRestore',
  onRequestEditRights: 'canRequestEditRights',
  onRequestClose: 'canRequestClose',
  onRequestRename: 'canRename',
  onMakeActionLink: 'canMakeActionLink',
  onRequestUsers: 'canRequestUsers',
  onRequestSendNotify: 'canRequestSendNotify',
  onRequestSaveAs: 'canRequestSaveAs',
  onRequestInsertImage: 'canRequestInsertImage',
  onRequestMailMergeRecipients: 'canRequestMailMergeRecipients',
  onRequestCompareFile: 'canRequestCompareFile',
  onRequestSharingSettings: 'canRequestSharingSettings',
  onRequestCreateNew: 'canRequestCreateNew',
  onRequestReferenceData: 'canRequestReferenceData',
  onRequestReferenceSource: 'canRequestReferenceSource',
  onRequestOpen: 'canRequestOpen',
  onRequestSelectDocument: 'canRequestSelectDocument',
  onRequestSelectSpreadsheet: 'canRequestSelectSpreadsheet',
  onRequestEmailAddresses: 'canSendEmailAddresses',
  onRequestRefreshFile: 'canRequestRefreshFile',
  onOutdatedVersion: 'canUpdateVersion',
  onSaveDocument: 'canSaveDocumentToBinary',
  onStartFilling: 'canStartFilling',
  onRequestFillingStatus: 'canRequestFillingStatus',
};

/** The page's functions by the event they are for; looked up when an event comes, so that they may change. */
export type Handlers = Readonly<Record<string, unknown>>;

/** The flags of `editorConfig` that follow from the handlers that are there now. */
function flagsOf(handlers: Handlers): Record<string, boolean> {
  const set: Record<string, boolean> = {};
  for (const [event, flag] of Object.entries(eventFlags)) set[flag] = typeof handlers[event] === 'function';
  return set;
}
