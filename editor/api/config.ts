import { type KindName, kinds } from '../../model/kinds.ts';
import { type Problem, problemsOf, warningsOf } from './config-check.ts';
import { flagsOf, type Handlers } from './handler-flags.ts';
import { at, isAbsent, type JsonObject, objectOf, withDefaults } from './json.ts';
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

export type Prepared = { warnings: Text[] } & (
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
  const lang = textOf(at(whole, 'editorConfig.lang')) || 'en';
  const fileType = String(at(whole, 'document.fileType') ?? '').toLowerCase();
  const kind = kinds.ofFile(fileType, kinds.named(String(whole.documentType ?? '')))!.name as KindName;
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
  if (fileType) document.fileType = fileType;
  document.title = textOf(document.title) || say(text('unnamed'), lang) + (fileType && `.${fileType}`);
  if (!document.key) document.key = randomKey();
  if (!isAbsent(whole.token)) document.token = whole.token;
  return document;
}

function editorConfigOf(whole: JsonObject, handlers: Handlers, fileType: string, lang: string): JsonObject {
  const editorConfig: JsonObject = { ...objectOf(whole.editorConfig), ...flagsOf(handlers) };
  if (withoutHistory.includes(fileType)) editorConfig.canUseHistory = false;
  editorConfig.lang = lang;
  const user = objectOf(editorConfig.user);
  if (typeof user.id === 'number') editorConfig.user = { ...user, id: String(user.id) };
  return editorConfig;
}

/** Some languages write a text of digits as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

const sizeOf = (value: unknown): string | number =>
  typeof value === 'number' || typeof value === 'string' ? value : '100%';

/** 20 hexadecimal digits that nobody else has. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
