import { isAbsent, modeIn, textIn } from '../../client/protocol/plain-values.ts';
import { kindNames, kinds } from '../../model/kinds.ts';
import { usualType } from '../../model/usual-type.ts';
import { at, isObject, type Json, type JsonObject } from './json.ts';
import { type Text, text } from './texts.ts';

/** Something about a configuration. `errorCode` is that of `onError` (integration API, 5.3). */
export interface Problem {
  text: Text;
  errorCode: number;
}

export const badRequest = -7;
const badKey = -8;

const keyPattern = /^[0-9A-Za-z\-._=]+$/;
const longestKey = 240;

/** Without these nobody knows who may do what, and where it is stored. */
const objects = ['document.permissions', 'editorConfig', 'editorConfig.user'];
/** Of another type these count as absent. */
const details = ['editorConfig.coEditing', 'editorConfig.customization', 'editorConfig.embedded'];
const texts = ['document.title', 'editorConfig.lang', 'documentType', 'document.fileType'];
const addresses = ['document.url', 'editorConfig.callbackUrl'];
const sizes = ['width', 'height'];

const problem = (named: Text, errorCode = badRequest): Problem => ({ text: named, errorCode });

/** Why no editor can be opened with this configuration. Options that are not known are left as they are. */
export function problemsOf(config: JsonObject): Problem[] {
  if (isAbsent(config.document)) return [problem(text('missing', { name: 'document' }))];
  if (!isObject(config.document)) return [problem(text('notObject', { name: 'document' }))];
  const problems = [
    ...wrongOnes(config, objects, 'notObject'),
    ...wrongOnes(config, ['token'], 'notText'),
  ].map((named) => problem(named));
  if (!at(config, 'document.url')) problems.push(problem(text('missing', { name: 'document.url' })));
  problems.push(...addressProblems(config), ...keyProblems(config), ...kindProblems(config));
  return problems;
}

/** What the options at these paths must be and are not. */
function wrongOnes(config: JsonObject, paths: readonly string[], name: 'notObject' | 'notText'): Text[] {
  return paths
    .filter((path) => {
      const value = at(config, path);
      const fits = name === 'notObject' ? isObject(value) : textIn(value) !== undefined;
      return !isAbsent(value) && !fits;
    })
    .map((path) => text(name, { name: path }));
}

/** Whether an address has a name or a password before its host; the server asks for no such address. */
function hasPassword(value: Json | undefined): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

function addressProblems(config: JsonObject): Problem[] {
  return addresses.flatMap((name) => {
    const value = at(config, name);
    return isAbsent(value) || value === '' || isWebAddress(value!)
      ? []
      : [problem(text('notAddress', { name, value: shown(value!) }))];
  });
}

function keyProblems(config: JsonObject): Problem[] {
  const name = 'document.key';
  const given = at(config, name);
  const key = textIn(given);
  if (isAbsent(given) || key === '') return [];
  if (key === undefined) return [problem(text('notText', { name }), badKey)];
  if (key.length <= longestKey && keyPattern.test(key)) return [];
  return [problem(text('badKey', { name, most: longestKey, value: shown(key) }), badKey)];
}

function kindProblems(config: JsonObject): Problem[] {
  const fileType = textIn(at(config, 'document.fileType')) ?? '';
  const documentType = textIn(config.documentType) ?? '';
  const named = kinds.named(documentType);
  if (kinds.ofFile(usualType(fileType.toLowerCase()), named)) return [];
  if (documentType) return [notOneOf('documentType', kindNames, documentType)];
  const unread = wrongOnes(config, ['document.fileType', 'documentType'], 'notText');
  if (unread.length > 0) return unread.map((named) => problem(named));
  return [problem(fileType ? text('unknownFileType', { value: shown(fileType) }) : text('noKind'))];
}

/** What is wrong and does not keep the editor from opening: it goes on as if the option were absent. */
export function warningsOf(config: JsonObject, handlers: Readonly<Record<string, unknown>>): Text[] {
  const warnings = [...wrongOnes(config, details, 'notObject'), ...wrongOnes(config, texts, 'notText')];
  for (const name of sizes) {
    const value = config[name];
    if (!isAbsent(value) && typeof value !== 'number' && typeof value !== 'string') {
      warnings.push(text('notSize', { name }));
    }
  }
  for (const name of addresses) {
    if (hasPassword(at(config, name))) warnings.push(text('withPassword', { name }));
  }
  const choices: readonly [path: string, values: readonly string[]][] = [
    ['type', ['desktop', 'mobile', 'embedded']],
    ['editorConfig.mode', ['edit', 'view', 'fillForms']],
    ['editorConfig.coEditing.mode', ['fast', 'strict']],
  ];
  for (const [path, values] of choices) {
    const value = at(config, path);
    if (!isAbsent(value) && value !== '' && !values.some((one) => isSameWord(one, value!))) {
      warnings.push(notOneOf(path, values, value!).text);
    }
  }
  for (const [name, handler] of Object.entries(handlers)) {
    if (handler !== undefined && handler !== null && typeof handler !== 'function') {
      warnings.push(text('notFunction', { name: `events.${name}` }));
    }
  }
  if (!textIn(at(config, 'document.key'))) warnings.push(text('noKey'));
  const reads = modeIn(at(config, 'editorConfig.mode')) === 'view' || config.type === 'embedded';
  // Files of a WOPI host are stored there.
  const isHosted = !isAbsent(at(config, 'editorConfig.wopi'));
  if (!reads && !isHosted && !at(config, 'editorConfig.callbackUrl')) warnings.push(text('noCallback'));
  return warnings;
}

function notOneOf(name: string, values: readonly string[], value: Json): Problem {
  return problem(text('notOneOf', { name, list: values.join(', '), value: shown(value) }));
}

/** Words of the configuration are also seen in small letters, such as `fillforms`. */
const isSameWord = (one: string, value: Json): boolean => one === value || one.toLowerCase() === value;

function isWebAddress(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    return /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}

/** Short enough for a sentence. */
function shown(value: Json): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > 100 ? `${whole.slice(0, 100)}…` : whole;
}
