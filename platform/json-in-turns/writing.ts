import { longCharacters } from '../ports/peer.ts';
import { shortPieces } from './pieces.ts';
import type { Turn } from './turn.ts';

/**
 * JSON of a text without its quotes, in pieces. Between two of them others have a turn.
 *
 * Pieces are joined once, by whoever puts the whole text together: a string of strings is copied as soon as something reads
 * it, which for millions of characters takes as long as to make them.
 */
async function* quotedPieces(text: string, turn: Turn): AsyncGenerator<string, void, undefined> {
  // Half of a character would be escaped.
  for (const piece of shortPieces(text)) {
    yield JSON.stringify(piece).slice(1, -1);
    await turn();
  }
}

/** The same as `JSON.stringify(text)`, in parts that follow one on the other. Of a long text it is made in turns. */
export async function quotedInTurns(text: string, turn: Turn): Promise<string[]> {
  if (text.length <= longCharacters) return [JSON.stringify(text)];
  const parts = ['"'];
  for await (const piece of quotedPieces(text, turn)) parts.push(piece);
  parts.push('"');
  return parts;
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
