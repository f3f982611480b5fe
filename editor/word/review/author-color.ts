import { colorOf } from '../../shell/people/people.ts';

/** A whole number for a name, the same everywhere. */
function hash(name: string): number {
  let value = 7;
  for (const character of name) value = (value * 31 + character.codePointAt(0)!) >>> 0;
  return value;
}

/** The CSS property that holds the colour of an author who is here. */
export const authorProperty = (author: string): string => `--author-${hash(author).toString(36)}`;

/** The colour of an author as CSS: that which they have in the document now, else one by their name. */
export const authorColor = (author: string): string =>
  `var(${authorProperty(author)}, ${colorOf(hash(author))})`;
