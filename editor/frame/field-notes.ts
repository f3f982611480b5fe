import type * as z from 'zod/mini';
import { t } from '../strings/strings.ts';
import { methodOf, unusedEvents, unusedOptionsIn } from './compatibility.ts';
import { documentSchema } from './document-config.ts';
import { editorConfigSchema } from './editor-config.ts';
import { optionPaths, type WrongPart, wrongPartsOf } from './schema-paths.ts';
import { unusedCommands } from './unused-commands.ts';

const known = new Set([
  ...optionPaths(documentSchema, 'document'),
  ...optionPaths(editorConfigSchema, 'editorConfig'),
]);

/** Longest part of a value that is written out, characters. */
const mostShown = 60;
/** So many names stand in one note. */
const mostNames = 40;
const secretName = /token|password|secret/i;
/** A JSON Web Token, wherever it stands. */
const webToken = /\beyJ[\w-]+\./;

/**
 * Tells the author of the embedding page, on the console, what of the page's data is not used. Each place is told once,
 * and entries of one list count as one place.
 */
export class FieldNotes {
  readonly #link: string;
  readonly #say: (note: string) => void;
  readonly #told = new Set<string>();

  /** `link`: where the table of what works is. */
  constructor(link = '', say: (note: string) => void = (note) => console.warn(note)) {
    this.#link = link;
    this.#say = say;
  }

  /** Says what of a value the schema does not take. `path` is how the page knows the value. */
  check(schema: z.core.$ZodType, value: unknown, path: string): void {
    for (const part of wrongPartsOf(schema, value, path)) {
      this.once(part.path.replace(/\[\d+\]/g, '[]'), textOf(part));
    }
  }

  /** Says which parts of a configuration and which handlers of the page change nothing. */
  unused(config: { editorConfig: unknown; document: unknown }, handlers: readonly string[]): void {
    const found = [
      ...unusedOptionsIn(config.document, 'document', known),
      ...unusedOptionsIn(config.editorConfig, 'editorConfig', known),
    ];
    const pathsOf = (isUnknown: boolean) =>
      found.filter(({ standing }) => (standing === 'unknown') === isUnknown).map(({ path }) => path);
    this.#list('optionsUnused', pathsOf(false));
    this.#list('optionsUnknown', pathsOf(true));
    this.#list(
      'eventsUnused',
      handlers.filter((name) => Object.hasOwn(unusedEvents, name)),
    );
  }

  /** Says that a command does nothing here, if the page called the method for it. */
  command(command: string): void {
    const name = methodOf(command);
    if (!Object.hasOwn(unusedCommands, command) || name === null) return;
    this.once(`method ${name}`, t('notes.methodUnused', { name, link: this.#link }));
  }

  #list(note: 'optionsUnused' | 'optionsUnknown' | 'eventsUnused', names: readonly string[]): void {
    const fresh = names.filter((name) => !this.#told.has(name));
    for (const name of fresh) this.#told.add(name);
    if (fresh.length === 0) return;
    const shown = [...fresh.slice(0, mostNames).map(shortened), ...(fresh.length > mostNames ? ['…'] : [])];
    this.once(`${note} ${shown}`, t(`notes.${note}`, { names: shown.join(', '), link: this.#link }));
  }

  /** Says something about a place, unless something was said about it before. */
  once(place: string, note: string): void {
    if (this.#told.has(place)) return;
    this.#told.add(place);
    this.#say(`DocsAPI.DocEditor: ${note}`);
  }
}

function textOf({ path, value, leftOut }: WrongPart): string {
  const parameters = { path, value: shown(path, value) };
  if (leftOut === null) return t('notes.fieldIgnored', parameters);
  return t(value === undefined || value === null ? 'notes.entryLacks' : 'notes.entryLeftOut', {
    ...parameters,
    entry: leftOut,
  });
}

/** What came, without what may be a secret: objects by their kind only, addresses without their query. */
function shown(path: string, value: unknown): string {
  if (Array.isArray(value)) return t('notes.aList');
  if (typeof value === 'object' && value !== null) return t('notes.anObject');
  if (typeof value !== 'string') return String(value);
  if (secretName.test(path) || webToken.test(value)) return t('notes.aText');
  const text = value.replace(/(?<=:\/\/)[^/?#]*@/, '…@').replace(/[?#].*$/s, '?…');
  return `“${shortened(text)}”`;
}

const shortened = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);
