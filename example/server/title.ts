import { Refusal } from './refusal.ts';

/** Longest title that an editor takes (integration API, 4.2), without room for an extension of five characters. */
const maxTitleLength = 122;

/** A title without control characters and surrounding space. @throws Refusal when nothing is left, or too much */
export function documentTitle(text: unknown): string {
  if (typeof text !== 'string') throw new Refusal('bad-title', 'A title is needed.');
  const title = text
    .normalize('NFC')
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069/\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (title === '') throw new Refusal('bad-title', 'A title is needed.');
  if (title.length > maxTitleLength) {
    throw new Refusal('bad-title', `A title has at most ${maxTitleLength} characters.`);
  }
  return title;
}
