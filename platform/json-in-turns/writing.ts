import { longCharacters } from '../ports/peer.ts';
import type { Turn } from './turn.ts';

/** Whether the units before and behind a place are halves of one character. */
function isWithinCharacter(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
}

/**
 * JSON of a text without its quotes, in pieces. Between two of them others have a turn.
 *
 * Pieces are joined once, by whoever puts the whole text together: a string of strings is copied as soon as something reads
 * it, which for millions of characters takes as long as to make them.
 */
async function* quotedPieces(text: string, turn: Turn): AsyncGenerator<string, void, undefined> {
  for (let at = 0; at < text.length; await turn()) {
    let end = at + longCharacters;
    // Half of a character would be escaped.
    if (isWithinCharacter(text, end)) end += 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}

/** The same as `JSON.stringify(text)`. Of a long text it is made in turns. */
export async function quotedInTurns(text: string, turn: Turn): Promise<string> {
  if (text.length <= longCharacters) return JSON.stringify(text);
  const pieces = ['"'];
  for await (const piece of quotedPieces(text, turn)) pieces.push(piece);
  pieces.push('"');
  return pieces.join('');
}

/** The same as `JSON.stringify(texts)`. Of many or long texts it is made in turns. */
export async function listInTurns(texts: readonly string[], turn: Turn): Promise<string> {
  const pieces = ['['];
  const add = (piece: string) => pieces.push(pieces.length > 1 ? `,${piece}` : piece);
  let characters = 0;
  let fromNumber = 0;
  for (const [number, text] of texts.entries()) {
    characters += text.length;
    if (characters <= longCharacters) continue;
    if (fromNumber < number) add(JSON.stringify(texts.slice(fromNumber, number)).slice(1, -1));
    add('"');
    for await (const piece of quotedPieces(text, turn)) pieces.push(piece);
    pieces.push('"');
    fromNumber = number + 1;
    characters = 0;
  }
  if (pieces.length === 1) return JSON.stringify(texts);
  if (fromNumber < texts.length) add(JSON.stringify(texts.slice(fromNumber)).slice(1, -1));
  pieces.push(']');
  return pieces.join('');
}
