import type * as z from 'zod/mini';
import { t } from '../strings/strings.ts';
import { type WrongPart, wrongPartsOf } from './wrong-parts.ts';

/** Longest part of a value that is written out, characters. */
const mostShown = 60;
const secretName = /token|password|secret/i;
/** A JSON Web Token, wherever it stands. */
const webToken = /\beyJ[\w-]+\./;

/**
 * Tells the author of the embedding page, on the console, what of the page's data is not used. Each place is told once,
 * and entries of one list count as one place.
 */
export class FieldNotes {
  readonly #say: (note: string) => void;
  readonly #told = new Set<string>();

  constructor(say: (note: string) => void = (note) => console.warn(note)) {
    this.#say = say;
  }

  /** Says what of a value the schema does not take. `path` is how the page knows the value. */
  check(schema: z.core.$ZodType, value: unknown, path: string): void {
    for (const part of wrongPartsOf(schema, value, path)) {
      this.once(part.path.replace(/\[\d+\]/g, '[]'), textOf(part));
    }
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
  return `“${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}”`;
}
