import { searchPattern } from '../find/search-pattern.ts';

/** A longer one is no pattern: comparing takes as long as both lengths multiplied. */
const mostSigns = 255;

/**
 * Whether texts fit one with `*` and `?` for any signs as a whole, whatever the case; `~` before them means themselves. A pattern may come
 * from somebody who means harm: none takes longer than the length of the text for each of its signs.
 */
export function wildcard(text: string): (compared: string) => boolean {
  const pattern =
    text.length <= mostSigns ? searchPattern({ text, caseSensitive: false, wholeWord: true }) : null;
  if (!pattern) return (compared) => compared.toLowerCase() === text.toLowerCase();
  return (compared) => compared.search(pattern) >= 0;
}
