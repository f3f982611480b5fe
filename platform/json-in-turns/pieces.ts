import { longCharacters } from '../ports/peer.ts';

/** Whether the units before and behind a place are halves of one character. */
function isWithinCharacter(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
}

/** The same text in fewer parts: those that follow one on the other are put together where they are not long then. */
export function joinedParts(parts: Iterable<string>): string[] {
  const joined: string[] = [];
  let group: string[] = [];
  let characters = 0;
  for (const part of parts) {
    if (characters > 0 && characters + part.length > longCharacters) {
      joined.push(group.join(''));
      group = [];
      characters = 0;
    }
    group.push(part);
    characters += part.length;
  }
  if (group.length > 0) joined.push(group.join(''));
  return joined;
}

/** A text in pieces that take no long work each. None ends within a character. */
export function* shortPieces(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    let end = at + longCharacters;
    if (isWithinCharacter(text, end)) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}
