import type { SearchQuery } from '../../shell/bars/find-bar.tsx';

/** A sign that stands for others: `*` for any number, `?` for one; behind `~` each is itself. */
const signs = /~([*?~])|([*?])|([^*?])/gsu;

/**
 * What is looked for, as a pattern; null for nothing. Behind a `*` in the middle as little as possible is passed over, one at the
 * end takes all that follows.
 */
export function searchPattern({ text, caseSensitive, wholeWord }: SearchQuery): RegExp | null {
  if (text === '') return null;
  const [first, ...others] = partsOf(text);
  const last = others.length > 0 ? others.pop()! : null;
  // What is found behind a star is not looked for anew further on: a pattern of many stars takes no longer for it.
  const middle = others.map((part, at) => `(?=([^]*?${part}))\\${at + 1}`).join('');
  const end = wholeWord || last === '' ? `[^]*${last}` : `[^]*?${last}`;
  const pattern = `${first}${middle}${last === null ? '' : end}`;
  return new RegExp(wholeWord ? `^${pattern}$` : pattern, caseSensitive ? 'gu' : 'giu');
}

/** The patterns of what stands between stars; several stars beside each other are one. */
function partsOf(text: string): string[] {
  const parts = [''];
  let isBehindStar = false;
  for (const [, itself, sign, plain] of text.matchAll(signs)) {
    if (sign === '*' && isBehindStar) continue;
    isBehindStar = sign === '*';
    if (isBehindStar) parts.push('');
    else parts[parts.length - 1] += sign === '?' ? '[^]' : (itself ?? plain)!.replace(special, '\\$&');
  }
  return parts;
}

const special = /[.*+?^${}()|[\]\\/]/;
